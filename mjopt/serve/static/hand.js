// The hand page without reloading: fetches the same addresses and replaces <main>.
const live = document.getElementById("live");
let queue = Promise.resolve();
let typed = "";

const later = (work) => {
  queue = queue.then(work).catch(() => say("the server does not answer"));
};

function say(words) {
  live.textContent = words;
}

function placeOf(element) {
  if (!element || element === document.body || !element.closest("main")) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  return element.name ? `[name="${element.name}"][value="${CSS.escape(element.value)}"]` : "#main";
}

async function show(address, options = {}, keep = true) {
  const answer = await fetch(address, options);
  const found = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = found.querySelector("main");
  if (!fresh) {
    say(found.body.textContent.trim());
    return;
  }
  const old = document.querySelector("main");
  const active = document.activeElement;
  const place = placeOf(active);
  for (const each of old.querySelectorAll("details[id][open]")) {
    const same = fresh.querySelector(`#${each.id}`);
    if (same) same.open = true;
  }
  // Keep text that is being edited when a late response arrives.
  if (active.matches("#ask input[id]") && active.value !== active.defaultValue) {
    fresh.querySelector(place).value = active.value;
  }
  old.replaceWith(fresh);
  document.title = found.title;
  if (keep) {
    const url = new URL(answer.url);
    url.searchParams.delete("add");
    url.searchParams.delete("remove");
    if (url.href !== location.href) history.pushState(null, "", url);
  }
  if (place) {
    let there = fresh.querySelector(place);
    if (active.name === "remove") there ??= fresh.querySelector("[name=remove]");
    (there && !there.disabled ? there : fresh).focus({ preventScroll: true });
  }
  const told = [".error", ".verdict", "#best-answer", "#say"].map((each) => fresh.querySelector(each));
  say(told.find((each) => each)?.textContent ?? "");
}

function change(name, value) {
  later(() => {
    const url = new URL(location.href);
    if (url.pathname !== "/") url.pathname = "/";
    url.hash = "";
    url.searchParams.delete("call");
    url.searchParams.set(name, value);
    return show(url);
  });
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const data = new FormData(form, event.submitter);
  event.preventDefault();
  if (form.method === "post") {
    later(() => show(form.action, { method: "POST", body: data }, false));
    return;
  }
  const url = new URL(form.action);
  for (const [name, value] of data) if (value) url.searchParams.append(name, value);
  // The text of the field may be newer than the address.
  later(() => {
    if (["add", "remove"].includes(event.submitter?.name)) {
      const now = document.getElementById("hand");
      if (now) url.searchParams.set("hand", now.value);
    }
    return show(url);
  });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("main a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname !== "/" || url.hash) return;
  event.preventDefault();
  later(() => show(url));
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) return;
  if (/^[0-9]$/.test(event.key)) {
    typed += event.key;
    say(typed);
  } else if (/^[mpsz]$/.test(event.key) && typed) {
    change("add", typed + event.key);
    typed = "";
  } else if (event.key === "Backspace") {
    event.preventDefault();
    if (typed) {
      typed = typed.slice(0, -1);
      say(typed || "nothing typed");
    } else change("remove", "last");
  } else if (event.key === "Escape") {
    typed = "";
  }
});

addEventListener("popstate", () => later(() => show(location.href, {}, false)));

// The hand page and practice without reloading: the same addresses, with <main> replaced.
import { current, listen, load, released, say, swap } from "./swap.js";

const PAGES = ["/", "/practice"];
const POSITION = ["hand", "melds", "called", "offered", "draws"]; // fields
const PAUSE = 250; // milliseconds after the last key
let queue = Promise.resolve();
let timer = 0;
let edited = null; // the field whose change is not submitted yet

/** Show an address, found once all earlier ones are shown; nothing if there is none by then. */
function show(find, { keep = "push", typed = false } = {}) {
  queue = queue
    .then(() => replace(find(), keep, typed))
    .catch((error) => say(error.message));
}

async function replace(address, keep, typed) {
  if (!address) return;
  const { page, address: arrived, ok } = await load(address);
  await released();
  if (typed && !ok) {
    // An unfinished text is an error: keep the last answer, and show the message.
    for (const fresh of page.querySelectorAll(".wrong")) {
      document.getElementById(fresh.id)?.replaceWith(document.adoptNode(fresh));
    }
    for (const part of document.querySelectorAll("details:has(.error)")) part.open = true;
    return;
  }
  const field = document.activeElement.matches("input[id]") ? document.activeElement : null;
  const caret = field?.selectionEnd;
  const messages = [...document.querySelectorAll(".wrong")];
  swap(page);
  // A message about a text that is still being edited stays.
  for (const message of messages) {
    const edited = document.getElementById(message.id.replace("-wrong", ""));
    if (!edited?.matches("input") || edited.value === edited.defaultValue) continue;
    document.getElementById(message.id)?.replaceWith(message);
  }
  if (field) document.getElementById(field.id)?.setSelectionRange(caret, caret);
  const url = new URL(arrived);
  url.searchParams.delete("wait");
  if (keep && url.href !== location.href) history[`${keep}State`](null, "", url);
  if (keep) say((document.querySelector(".error, #best-answer") ?? document.querySelector(".result"))?.textContent.replace(/\s+/g, " ") ?? "");
  follow();
}

/** Show the page again when the server has computed more of it. */
function follow() {
  listen((_, isOpen) => {
    // Not after an answer to another hand, which was asked for before this message.
    show(() => isOpen() && location.href, { keep: "replace", typed: true });
  }, { once: true });
}

/** Show the answer to a form with its edited field, in the state after all earlier answers. */
function ask(form, submitter, options) {
  clearTimeout(timer);
  const edits = edited ? [edited.name] : [];
  if (POSITION.includes(edited?.id)) edits.push("calls"); // emptied
  const before = new FormData(form);
  edited = null;
  show(() => {
    // A throw in practice is of one draw: after the answer to another throw it does not count.
    const now = form.isConnected ? form : document.getElementById("ask");
    const button = submitter?.name ? current(submitter) : null;
    if (!now || (submitter?.name && (!button || button.disabled))) return null;
    const data = new FormData(now, button);
    for (const name of edits) {
      const [value = "", ...others] = before.getAll(name);
      data.set(name, value); // in its place in the address
      for (const other of others) data.append(name, other);
    }
    const url = new URL(now.action);
    for (const [name, value] of data) {
      if (value) url.searchParams.append(name, value);
    }
    return url;
  }, options);
}

document.addEventListener("submit", (event) => {
  if (event.target.method !== "get") return;
  event.preventDefault();
  ask(event.target, event.submitter);
});

document.addEventListener("input", (event) => {
  const field = event.target;
  if (!field.form || !field.closest("main") || event.isComposing) return;
  // The calls of a game are those of its position only.
  const calls = document.getElementById("calls");
  if (calls && POSITION.includes(field.id)) calls.value = "";
  edited = field;
  clearTimeout(timer);
  timer = setTimeout(() => ask(field.form, null, { keep: "replace", typed: true }), PAUSE);
});

document.addEventListener("click", (event) => {
  // A click on a row compares its option with the best one.
  const row = event.target.closest("a, summary, details") ? null : event.target.closest(".ranks tr");
  const link = event.target.closest("main a[href]") ?? row?.querySelector("a.compare");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || !PAGES.includes(url.pathname)) return;
  if (url.pathname !== location.pathname || url.hash) return;
  event.preventDefault();
  show(() => (link.dataset.jump ? current(link)?.href : url));
});

// Ranks and suits typed anywhere go to the field of the hand.
document.addEventListener("keydown", (event) => {
  const field = document.getElementById("hand");
  if (!field || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) return;
  if (/^[0-9mpsz]$/.test(event.key) || event.key === "Backspace") {
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
  }
});

addEventListener("popstate", () => show(() => location.href, { keep: "" }));
follow();

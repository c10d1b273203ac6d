// A match without reloads: posts forms, shows the clock and handles keys.
const live = document.getElementById("live");
const slow = matchMedia("(prefers-reduced-motion: reduce)");
const OVER = 1.2; // seconds after the limit: by then the server has made the default move
const PAUSE = 1500; // milliseconds between the two keys of a tile
let timer, busy = false, typed = "", typedAt = 0;

function say(text) {
  live.textContent = text;
}

async function show(address, options) {
  if (busy) return;
  busy = true;
  try {
    const response = await fetch(address, options);
    const text = await response.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    const main = page.querySelector("main");
    if (!main) throw new Error(text);
    document.querySelector("main").replaceWith(main);
    document.title = page.title;
    begin();
    (main.querySelector("[autofocus]") ?? main).focus({ preventScroll: true });
    const told = main.querySelectorAll("[role=alert], .late, .news li, .over, .prompt");
    say([...told].map((one) => one.textContent).join(" "));
  } catch {
    say("The server does not answer. Reload the page to continue.");
    document.querySelector("main .prompt")?.append(" (The server does not answer: reload the page.)");
  } finally {
    busy = false;
  }
}

function begin() {
  document.querySelector("main .keys")?.removeAttribute("hidden");
  clearInterval(timer);
  const bar = document.getElementById("clock");
  if (!bar) return;
  const end = performance.now() + 1000 * bar.dataset.left;
  timer = setInterval(() => {
    const left = (end - performance.now()) / 1000;
    bar.value = Math.max(0, left);
    if (left > -OVER || busy) return;
    clearInterval(timer);
    show(location.href);
  }, slow.matches ? 1000 : 100);
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-swap]")) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(event.target, event.submitter));
  show(event.target.action, { method: "POST", body });
});

document.addEventListener("keydown", (event) => {
  const elsewhere = event.target.closest?.("header, select, textarea, input:not([type=hidden])");
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey || event.altKey || elsewhere || !/^[0-9a-z]$/.test(key)) return;
  typed = (event.timeStamp - typedAt > PAUSE ? "" : typed) + key;
  typedAt = event.timeStamp;
  const buttons = [...document.querySelectorAll("main form[data-swap] button:enabled")];
  const word = (button) => (button.name === "next" ? "n" : button.value.replace(" ", ""));
  const begun = buttons.filter((button) => word(button).startsWith(typed));
  const words = new Set(begun.map(word));
  if (words.has(typed) || (words.size === 1 && /[a-z]/.test(typed))) {
    const chosen = begun.find((button) => word(button) === typed) ?? begun[0];
    typed = "";
    chosen.click();
  } else if (!begun.length) {
    typed = "";
  }
});

begin();

// Replaces parts of a page by those of another address, without a reload. All scripts share it.

const live = document.getElementById("live");

/** Tell screen readers a text. */
export function say(text) {
  live.textContent = text;
}

const CLICK = 50; // milliseconds from the end of a press to its click, at most
let pressed = null, release = null;

function press() {
  if (!release) pressed = new Promise((resolve) => { release = resolve; });
}

function lift() {
  if (!release) return;
  const [mine, end] = [pressed, release];
  release = null;
  setTimeout(() => {
    if (pressed === mine) pressed = null;
    end();
  }, CLICK);
}

addEventListener("pointerdown", (event) => {
  if (!event.button && event.target.closest("main :is(a, button, label, summary, tr)")) press();
}, true);
addEventListener("keydown", (event) => {
  if (event.key === " " && event.target.closest("main :is(button, summary)")) press();
}, true);
for (const end of ["pointerup", "pointercancel", "keyup", "contextmenu", "dragend"]) {
  addEventListener(end, lift, true);
}
addEventListener("blur", lift); // of the window

/** Wait until nothing is pressed: a press is a click only if its element is still there at its end. */
export async function released() {
  while (pressed) await pressed;
}

let events = null;

/**
 * Call a function with each event for the shown page, or with one, if it waits for any, and no longer
 * with those for an earlier page. A stream that ends too soon leaves a sentence in the place of
 * "Searching".
 */
export function listen(receive, { once = false } = {}) {
  events?.close();
  const address = document.querySelector("[data-events]")?.dataset.events;
  const source = (events = address ? new EventSource(address) : null);
  if (!source) return;
  const isOpen = () => source === events;
  source.onmessage = ({ data }) => {
    if (once) source.close();
    receive(data, isOpen);
  };
  source.onerror = async () => {
    source.close();
    await released(); // the last event may be waiting for it, too
    if (!isOpen()) return;
    events = null;
    const waiting = document.querySelectorAll(".searching");
    for (const part of waiting) part.textContent = live.dataset.stopped;
    if (waiting.length) say(live.dataset.stopped);
  };
}

/** Fetch a page; return it as a document with its address, or throw if it has no <main>. */
export async function load(address, options = {}) {
  const answer = await fetch(address, options);
  const text = await answer.text();
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!page.querySelector("main")) throw new Error(page.body.textContent.trim());
  return { page, address: answer.url, ok: answer.ok };
}

/** Return a selector of an element that finds the same place in a later page, or null. */
function placeOf(element) {
  if (!element?.closest("main")) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.dataset.jump) return `[data-jump="${element.dataset.jump}"]`;
  return element.name ? `[name="${element.name}"][value="${CSS.escape(element.value)}"]` : "main";
}

/** Return an element, or the one at its place in the page that has replaced its own, or null. */
export function current(element) {
  return element.isConnected ? element : document.querySelector(placeOf(element));
}

/**
 * Replace <main> and the title by those of a loaded page. Open <details> with an id stay open, the
 * focus stays at its place, and text that is being edited is kept. Return the new <main>.
 */
export function swap(page) {
  const old = document.querySelector("main");
  const fresh = document.adoptNode(page.querySelector("main"));
  const active = document.activeElement;
  const place = placeOf(active);
  for (const open of old.querySelectorAll("details[id][open]")) {
    const same = fresh.querySelector(`#${CSS.escape(open.id)}`);
    if (same) same.open = true;
  }
  if (place && active.matches("input[id], textarea[id]") && active.value !== active.defaultValue) {
    const same = fresh.querySelector(place);
    if (same) same.value = active.value;
  }
  old.replaceWith(fresh);
  document.title = page.title;
  if (place) {
    const there = place === "main" ? fresh : fresh.querySelector(place);
    (there && !there.disabled ? there : fresh).focus({ preventScroll: true });
  }
  return fresh;
}

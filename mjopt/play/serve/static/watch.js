// A game step by step without reloading: fetches the same addresses and replaces <main>.
import { current, listen, load, released, say, swap } from "./swap.js";

const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last",
  n: "next-change", p: "previous-change", c: "next-call", b: "previous-call",
};
const IN_LIST = { ArrowUp: "previous", ArrowDown: "next" }; // elsewhere they scroll
let queue = Promise.resolve();
let steps = 0; // on their way

/** Show an address, found once all earlier ones are shown; nothing if there is none by then. */
function show(find, isQuiet = false) {
  steps += 1;
  queue = queue.then(() => replace(find(), isQuiet)).finally(() => { steps -= 1; });
}

async function replace(address, isQuiet) {
  if (!address) return;
  try {
    const { page, ok } = await load(address);
    if (!ok) throw new Error(page.title);
    await released();
    const isInList = document.activeElement.closest(".moves");
    const now = swap(page).querySelector(".moves [aria-current]");
    if (isInList) now?.focus({ preventScroll: true });
  } catch {
    location.assign(address); // that page shows the error
    return;
  }
  history.replaceState(null, "", address);
  follow();
  if (isQuiet) return;
  const lines = [...document.querySelectorAll(".happened > p")].map((line) => {
    const tiles = [...line.querySelectorAll("[aria-label]:not(:has(title))")].map((tile) => tile.getAttribute("aria-label"));
    return [line.textContent.trim(), ...tiles].join(", ");
  });
  say(lines.join(". "));
}

/** Show the page again when the server has judged more of a review. */
function follow() {
  listen(function refresh() {
    if (steps) return; // their pages are newer
    if (document.activeElement.closest("form.where")) setTimeout(refresh, 1000);
    else show(() => location.href, true);
  }, { once: true });
}

follow();

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const key = (event.target.closest(".moves") && IN_LIST[event.key]) || KEYS[event.key];
  const find = () => document.querySelector(`a[data-jump="${key}"]`)?.href;
  if (!key || !find()) return;
  event.preventDefault();
  if (!event.repeat || !steps) show(find); // a key that is held does not outrun the answers
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-jump], .chances a, .costly a");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const address = new URL(link.getAttribute("href"), location.href).href;
  show(() => (link.dataset.jump ? current(link)?.href : address));
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("form.where");
  if (!form?.reportValidity()) return;
  const address = `?${new URLSearchParams(new FormData(form))}`;
  show(() => address);
});

// A game step by step without reloading: fetches the same addresses and replaces <main>.
import { load, released, say, swap } from "./swap.js";

const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last",
  n: "next-change", p: "previous-change", c: "next-call", b: "previous-call",
};
let asked = null;
let events = null;

async function show(address, isQuiet = false) {
  asked?.abort();
  const mine = (asked = new AbortController());
  try {
    const { page, ok } = await load(address, { signal: mine.signal });
    if (!ok) throw new Error(page.title);
    await released();
    if (asked !== mine) return;
    swap(page);
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address); // that page shows the error
    return;
  } finally {
    if (asked === mine) asked = null;
  }
  history.replaceState(null, "", address);
  follow();
  if (isQuiet) return;
  const lines = [...document.querySelectorAll(".happened > p")].map((line) => {
    const tiles = [...line.querySelectorAll("[aria-label]")].map((tile) => tile.getAttribute("aria-label"));
    return [line.textContent.trim(), ...tiles].join(", ");
  });
  say(lines.join(". "));
}

/** Show the page again when the server has judged more of a review. */
function follow() {
  events?.close();
  const address = document.querySelector("[data-events]")?.dataset.events;
  events = address ? new EventSource(address) : null;
  if (!events) return;
  const refresh = () => {
    if (asked) return; // another step is on its way
    if (document.activeElement.closest("form.where")) setTimeout(refresh, 1000);
    else show(location.href, true);
  };
  events.onmessage = () => {
    events.close();
    refresh();
  };
  events.onerror = () => events.close();
}

follow();

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const link = KEYS[event.key] && document.querySelector(`a[data-jump="${KEYS[event.key]}"]`);
  if (!link) return;
  event.preventDefault();
  show(link.href);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-jump], .costs a, .costly a");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(new URL(link.getAttribute("href"), location.href).href);
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("form.where");
  if (form?.reportValidity()) show(`?${new URLSearchParams(new FormData(form))}`);
});

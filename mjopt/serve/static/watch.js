// A game step by step without reloading: fetches the same addresses and replaces <main>.
const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last",
  n: "next-change", p: "previous-change", c: "next-call", b: "previous-call",
};
let asked = null;

async function show(address) {
  asked?.abort();
  asked = new AbortController();
  let text;
  try {
    const answer = await fetch(address, { signal: asked.signal });
    if (!answer.ok) throw new Error(answer.statusText);
    text = await answer.text();
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address); // that page shows the error
    return;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  const held = document.activeElement?.dataset?.jump;
  document.getElementById("main").replaceWith(document.adoptNode(page.getElementById("main")));
  document.title = page.title;
  history.replaceState(null, "", address);
  const same = held && document.querySelector(`a[data-jump="${held}"]`);
  if (held) (same ?? document.getElementById("main")).focus({ preventScroll: true });
  const lines = [...document.querySelectorAll(".happened > p")].map((line) => {
    const tiles = [...line.querySelectorAll("[aria-label]")].map((tile) => tile.getAttribute("aria-label"));
    return [line.textContent.trim(), ...tiles].join(", ");
  });
  document.getElementById("live").textContent = lines.join(". ");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const link = KEYS[event.key] && document.querySelector(`a[data-jump="${KEYS[event.key]}"]`);
  if (!link) return;
  event.preventDefault();
  show(link.href);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-jump]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link.href);
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("form.where");
  if (form?.reportValidity()) show(`?${new URLSearchParams(new FormData(form))}`);
});

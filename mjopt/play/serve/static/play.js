// A match without reloads: posts forms, shows the moves of the others one after another, the clock
// and keys.
import { listen, load, released, say, swap } from "./swap.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const OVER = 1.2; // seconds after the limit: by then the server has made the default move
const GUARD = 300; // milliseconds after a new decision in which clicks do nothing and keys wait
const PAUSE = 1500; // milliseconds between the two keys of a tile
let timer, busy = false, typed = "", typedAt = 0, skip = null, sound;
let kept = []; // keys typed before the next decision is open, with their times
let last = ""; // the key of the move that is being made

const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
const forms = () => document.querySelectorAll("main form");

async function show(address, options) {
  if (busy) return;
  busy = true;
  clearInterval(timer);
  document.querySelector(".match").ariaBusy = "true";
  try {
    const main = swap((await load(address, options)).page);
    last = "";
    for (const form of forms()) form.inert = true;
    startClock();
    listen(fill);
    const told = main.querySelectorAll(".prompt [role=alert], .late, .news li, .result h2, .prompt");
    say([...told].map((one) => one.textContent).join(" "));
    await replay(main.querySelector(".match"));
    await wait(GUARD);
    for (const form of forms()) form.inert = false;
    (main.querySelector("[autofocus]") ?? main).focus({ preventScroll: true });
  } catch {
    [kept, last] = [[], ""];
    const text = document.querySelector(".match").dataset.offline;
    say(text);
    const prompt = document.querySelector(".prompt, .result h2");
    if (prompt) prompt.textContent = text;
  } finally {
    document.querySelector(".match").ariaBusy = "false";
    busy = false;
    while (kept.length && !busy) press(...kept.shift());
  }
}

/** Show the moves since the last decision one after another, the own one at once. */
async function replay(match) {
  const pace = calm.matches ? 0 : 1000 * match.dataset.pace;
  const steps = [...match.querySelectorAll(".news li[data-side]")];
  const sounds = "sound" in match.dataset;
  if (!pace || !steps.length) {
    if (sounds) click();
    return;
  }
  const parts = new Map(), counts = {};
  for (const step of steps.toReversed()) { // the last steps made the ends of the lists
    const { side, part } = step.dataset;
    const list = part ? match.querySelectorAll(`.${side} .${part} > *`) : [];
    counts[side + part] = (counts[side + part] ?? 0) + 1;
    parts.set(step, list[list.length - counts[side + part]]);
  }
  const hide = (step, hidden) => {
    step.hidden = hidden;
    parts.get(step)?.classList.toggle("later", hidden);
  };
  const label = document.createElement("p");
  label.className = "call";
  match.classList.add("replay");
  for (const step of steps) hide(step, true);
  let skipped = false;
  for (const step of steps) {
    if (!skipped && step.dataset.side !== "own") {
      skipped = await Promise.race([wait(pace), new Promise((done) => { skip = () => done(true); })]) ?? false;
    }
    hide(step, false);
    if (skipped) continue;
    if (sounds) click();
    match.querySelector(".now")?.classList.remove("now");
    parts.get(step)?.classList.add("now");
    label.textContent = step.dataset.call;
    label.remove();
    if (step.dataset.call) match.querySelector(`.${step.dataset.side} .river`).after(label);
  }
  skip = null;
  label.remove();
  match.querySelector(".now")?.classList.remove("now");
  match.classList.remove("replay");
}

/** Replace the parts of the page of which more is known. */
async function fill(html) {
  const main = document.querySelector("main");
  await released();
  if (!main.isConnected) return; // the next decision is shown
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const texts = [];
  for (const fresh of [...body.children]) {
    if (!fresh.matches("[popover]")) texts.push(fresh.textContent.trim());
    const old = document.getElementById(fresh.id);
    const isShown = old.matches(":popover-open"), hasFocus = old.contains(document.activeElement);
    old.replaceWith(document.adoptNode(fresh));
    if (isShown) fresh.showPopover();
    if (hasFocus) fresh.querySelector("button, a")?.focus({ preventScroll: true });
  }
  markHint();
  say(texts.join(" "));
  if (!document.querySelector("[data-events]")) listen(); // all is known
}

/** Mark the move of a hint that arrived after its page. */
function markHint() {
  const advice = document.getElementById("advice");
  if (!advice) return;
  const { move, hinted } = advice.dataset;
  const buttons = [...document.querySelectorAll("form.hand button[name=move]")];
  const chosen = buttons.findLast((button) => button.value === move);
  for (const button of buttons) {
    button.classList.toggle("hint", button === chosen);
    if (!button.matches(".tile")) continue;
    const label = button.ariaLabel.replace(hinted, "");
    button.ariaLabel = button === chosen ? label + hinted : label;
  }
}

function click() {
  sound ??= new AudioContext();
  const tone = sound.createOscillator(), gain = sound.createGain(), end = sound.currentTime + 0.06;
  tone.frequency.value = 900;
  gain.gain.setValueAtTime(0.2, sound.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(gain).connect(sound.destination);
  tone.start();
  tone.stop(end);
}

function startClock() {
  const bar = document.querySelector("#clock[data-left]");
  if (!bar) return;
  const end = performance.now() + 1000 * bar.dataset.left;
  timer = setInterval(() => {
    const left = (end - performance.now()) / 1000;
    bar.value = Math.max(0, left);
    if (left > -OVER || busy) return;
    show(location.href);
  }, calm.matches ? 1000 : 100);
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-swap]")) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(event.target, event.submitter));
  show(event.target.action, { method: "POST", body });
});

document.addEventListener("click", (event) => {
  if (event.target.closest("main")) skip?.();
});

document.addEventListener("keydown", (event) => {
  const elsewhere = event.target.closest?.("header, select, textarea, summary, input:not([type=hidden])");
  if (event.ctrlKey || event.metaKey || event.altKey || elsewhere) return;
  skip?.();
  const key = event.key.toLowerCase();
  if (event.repeat || !/^[0-9a-z]$/.test(key)) return;
  if (!busy) press(key, event.timeStamp);
  else if (key !== last) kept.push([key, event.timeStamp]); // else pressed twice for one move
});

/** Make the move whose keys are complete with this one. */
function press(key, time) {
  typed = (time - typedAt > PAUSE ? "" : typed) + key;
  typedAt = time;
  const buttons = [...document.querySelectorAll("main form[data-swap] button:enabled")];
  const word = (button) => (button.name === "next" ? "n" : button.value.replace(" ", ""));
  const begun = buttons.filter((button) => word(button).startsWith(typed));
  const words = new Set(begun.map(word));
  if (words.has(typed) || (words.size === 1 && /[a-z]/.test(typed))) {
    const chosen = begun.find((button) => word(button) === typed) ?? begun[0];
    last = typed.length > 1 ? "" : typed;
    typed = "";
    chosen.click();
  } else if (!begun.length) {
    typed = /[0-9]/.test(key) ? key : ""; // the letter after it is a suit, no call
  }
}

startClock();
listen(fill);

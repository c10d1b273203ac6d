// Reads hands from standard input, a JSON object a line, and writes the answers, one line each.
import { createInterface } from "node:readline";

export const NAMES = [..."mpsz"].flatMap((suit) =>
  Array.from({ length: suit === "z" ? 7 : 9 }, (_, rank) => `${rank + 1}${suit}`),
);

/** Split the copies of 34 kinds into four suits. */
export const suits = (counts) =>
  [0, 9, 18, 27].map((start) => counts.slice(start, Math.min(start + 9, 34)));

export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Whether a hand, given by the copies of its kinds, has drawn its tile. */
export const isFull = (counts) => sum(counts) % 3 === 2;

/** Return the kinds in a hand, each as often as it is held. */
export const kinds = (counts) => counts.flatMap((held, kind) => Array(held).fill(kind));

/** Return some kinds that a hand lacks: called melds of these leave its own tiles alone. */
export const absent = (counts, number) =>
  counts.flatMap((held, kind) => (held ? [] : [kind])).slice(0, number);

/** Return the discards whose draws, as an object of copies by tile, have the most copies. */
export function bestDiscards(draws) {
  const copies = Object.entries(draws).map(([name, after]) => [name, sum(Object.values(after))]);
  const most = Math.max(...copies.map(([, number]) => number));
  return copies.filter(([, number]) => number === most).map(([name]) => name);
}

/** Answer every line by `answer({ hand, counts, called })`. */
export function serve(answer) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    let answers;
    try {
      answers = answer(JSON.parse(line));
    } catch (error) {
      answers = { error: String(error?.message ?? error) };
    }
    process.stdout.write(`${JSON.stringify(answers)}\n`);
  });
}

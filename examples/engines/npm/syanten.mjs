// syanten: shanten of three forms; draws and discards, which take a while, not with "shanten".
import syanten from "syanten";
import { bestDiscards, isFull, serve, suits, sum } from "./protocol.mjs";

/** Return the draws over all forms of a hand: those of the forms that are nearest. */
function nearest(hand, called) {
  const found = [syanten.hairi(hand)];
  if (!called) found.push(syanten.hairi(hand, true)); // seven pairs and thirteen orphans
  const least = Math.min(...found.map(({ now }) => now));
  return found.filter(({ now }) => now === least);
}

serve(({ counts, called }) => {
  const hand = suits(counts);
  const shanten = syanten(hand);
  if (shanten < 0 || process.argv[2] === "shanten") return { shanten };
  const found = nearest(hand, called);
  if (!isFull(counts)) {
    const draws = Object.assign({}, ...found.map(({ wait }) => wait));
    return { shanten, useful: Object.keys(draws), ukeire: sum(Object.values(draws)) };
  }
  const discards = {};
  for (const { now, ...draws } of found)
    for (const [name, after] of Object.entries(draws)) discards[name] = { ...discards[name], ...after };
  return { shanten, discard: bestDiscards(discards) };
});

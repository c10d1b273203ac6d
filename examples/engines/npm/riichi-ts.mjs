// riichi-ts: shanten, wins and divisions; useful tiles, which take a while, not with "shanten".
import agari from "riichi-ts/dist/agari.js";
import analysis from "riichi-ts/dist/shanten.js";
import { NAMES, isFull, serve } from "./protocol.mjs";

serve(({ counts, called }) => {
  const hand = Int8Array.from(counts);
  const numbers = [analysis.shanten(hand)];
  if (!called) numbers.push(analysis.shanten7(hand), analysis.shanten13(hand));
  const shanten = Math.min(...numbers);
  if (isFull(counts)) {
    return {
      shanten,
      win: called ? agari.check(hand) : agari.checkAll(hand),
      decompositions: agari.findAllAgariPatterns(hand).length,
    };
  }
  if (process.argv[2] === "shanten") return { shanten };
  const found = [analysis.hairi(hand)];
  if (!called) found.push(analysis.hairi(hand, true)); // seven pairs and thirteen orphans
  const nearest = found.filter(({ now }) => now === shanten);
  const useful = [...new Set(nearest.flatMap(({ wait }) => wait))];
  return { shanten, useful: useful.map((kind) => NAMES[kind]) };
});

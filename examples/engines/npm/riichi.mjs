// riichi: whether a hand wins, called melds excepted; draws, which take a while, not with "win".
import Riichi from "riichi";
import { NAMES, isFull, kinds, serve, sum } from "./protocol.mjs";

serve(({ counts, called }) => {
  if (called) return {};
  const game = new Riichi(kinds(counts).map((kind) => NAMES[kind]).join(""));
  if (isFull(counts) || process.argv[2] === "win") game.disableHairi();
  const found = game.calc();
  if (isFull(counts)) return { win: found.isAgari };
  if (!found.hairi) return {};
  const least = Math.min(found.hairi.now, found.hairi7and13.now);
  const forms = [found.hairi, found.hairi7and13].filter(({ now }) => now === least);
  const draws = Object.assign({}, ...forms.map(({ wait }) => wait));
  return { shanten: least, useful: Object.keys(draws), ukeire: sum(Object.values(draws)) };
});

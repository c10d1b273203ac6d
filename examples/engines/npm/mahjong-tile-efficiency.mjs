// mahjong-tile-efficiency: shanten, draws and discards under the rule set named as an argument.
import { RuleSet } from "mahjong-tile-efficiency";
import { bestDiscards, isFull, serve, suits } from "./protocol.mjs";

const rules = new RuleSet(process.argv[2] ?? "Riichi");

serve(({ counts }) => {
  const hand = suits(counts);
  const shanten = rules.calShanten(hand);
  if (shanten < 0) return { shanten };
  const found = rules.calUkeire(hand);
  if (isFull(counts)) return { shanten, discard: bestDiscards(found.normalDiscard) };
  return { shanten, useful: Object.keys(found.ukeire), ukeire: found.totalUkeire };
});

// @pai-forge/riichi-mahjong: shanten; useful tiles of the standard form, for `--forms standard`.
import { MentsuType, calculateShanten, getUkeire } from "@pai-forge/riichi-mahjong";
import { NAMES, absent, isFull, kinds, serve } from "./protocol.mjs";

const isStandard = process.argv[2] === "standard";

serve(({ counts, called }) => {
  if (isFull(counts)) return {};
  const pong = (kind) => ({ type: MentsuType.Koutsu, hais: [kind, kind, kind] });
  const hand = { closed: kinds(counts), exposed: absent(counts, called).map(pong) };
  const found = calculateShanten(hand, !isStandard, !isStandard);
  if (found.isErr()) throw found.error;
  const useful = isStandard ? getUkeire(hand).map((kind) => NAMES[kind]) : null;
  return { shanten: found.value, useful };
});

// @kobalab/majiang-core: shanten of three forms, useful tiles, divisions of a complete hand.
import Majiang from "@kobalab/majiang-core";
import { NAMES, absent, isFull, kinds, serve } from "./protocol.mjs";

const turn = (name) => name[1] + name[0]; // 1m is m1

serve(({ counts, called }) => {
  const pongs = absent(counts, called).map((kind) => `,${turn(NAMES[kind])}${NAMES[kind][0].repeat(2)}+`);
  const tiles = kinds(counts).map((kind) => turn(NAMES[kind]));
  const hand = Majiang.Shoupai.fromString(tiles.join("") + pongs.join(""));
  const { xiangting, tingpai, hule_mianzi } = Majiang.Util;
  if (!isFull(counts)) return { shanten: xiangting(hand), useful: tingpai(hand).map(turn) };
  // A division is listed once for each meld or eye that the last tile completes.
  const divisions = hule_mianzi(hand).map((blocks) => blocks.map((block) => block.replace(/[^mpsz\d]/g, "")));
  const distinct = new Set(divisions.map((blocks) => blocks.sort().join(" ")));
  return { shanten: xiangting(hand), win: distinct.size > 0, decompositions: distinct.size };
});

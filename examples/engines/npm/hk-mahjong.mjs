// hk-mahjong: wins and divisions; four melds and an eye, or thirteen orphans.
import hk from "hk-mahjong";
import { isFull, kinds, absent, serve } from "./protocol.mjs";

const SUITS = ["character", "dot", "bamboo", "honor"];
const tile = (kind) => new hk.Tile({ suit: SUITS[Math.floor(kind / 9)], value: (kind % 9) + 1 });

serve(({ counts, called }) => {
  if (!isFull(counts)) return {};
  const melds = absent(counts, called).map((kind) => new hk.Meld([kind, kind, kind].map(tile)));
  const hand = new hk.Hand({ tiles: kinds(counts).map(tile), melds });
  const found = new hk.ExplorerOfWinningPermutations(hand).getWinningPermutations();
  const distinct = new Set(found.map((each) => each.toString().split(" ").sort().join(" ")));
  return { win: found.length > 0, decompositions: distinct.size };
});

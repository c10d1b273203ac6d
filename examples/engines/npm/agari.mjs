// agari: wins of three forms, and divisions into melds and an eye.
import agari from "agari";
import { isFull, serve, suits } from "./protocol.mjs";

serve(({ counts }) => {
  if (!isFull(counts)) return {};
  const hand = suits(counts);
  const decompositions = agari(hand).length + agari.check7(hand) + agari.check13(hand);
  return { win: agari.checkAll(hand), decompositions };
});

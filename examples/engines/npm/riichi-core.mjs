// @hakatashi/riichi-core: wins, divisions, and the waits of a ready hand.
import decomp from "@hakatashi/riichi-core/src/decomp.js";
import { isFull, serve, suits } from "./protocol.mjs";

decomp.init();

serve(({ counts }) => {
  const bins = suits(counts);
  bins[3] = [...bins[3], 0, 0]; // nine numbers in each suit
  if (isFull(counts)) {
    const { length } = decomp.decompAgari(bins);
    return { win: length > 0, decompositions: length };
  }
  const { wait } = decomp.decompTenpai(bins);
  return wait.length ? { shanten: 0, useful: wait.map(String) } : {};
});

// An engine that answers each line of its standard input, a hand, with a line.
//
// mjopt audit-engine --command "node engine.js" --ask win,shanten,useful,ukeire \
//     --hands deals:1000 --tiles 136
// mjopt audit-engine --command "node engine.js --json" --protocol json \
//     --hands deals:1000 --tiles 136
"use strict";

// Tables have the least numbers of missing tiles: for 0..4 melds, then for as many and an eye.
const FAR = 99;
const EYE = 5; // places from a table's entry to the one with an eye more
const NO_TILES = [0, ...Array(9).fill(FAR)];
const BLOCKS = [[0, 0], [2, EYE], [3, 1]]; // tiles and places: nothing, an eye, a triplet
const SUITS = [["m", 0, 9], ["p", 9, 18], ["s", 18, 27], ["z", 27, 34]];
const NAMES = SUITS.flatMap(([suit, start, end]) =>
  Array.from({ length: end - start }, (_, rank) => rank + 1 + suit));
const ORPHANS = [0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33];
const cache = new Map();

/** Lower the numbers of a table by those of another, more places on. */
function add(least, table, step, missing) {
  if (missing >= FAR) return;
  for (let place = 0; place + step < 10; place++) {
    if ((place % EYE) + (step % EYE) >= EYE) continue;
    least[place + step] = Math.min(least[place + step], table[place] + missing);
  }
}

/**
 * Return the table of a suit, the copies of its ranks: "302010000".
 * The first rank also gives a tile to each run that began one rank `before` or two `earlier`.
 */
function costs(suit, hasRuns, before = 0, earlier = 0) {
  if (suit === "") return NO_TILES;
  const key = suit + hasRuns + before + earlier;
  if (cache.has(key)) return cache.get(key);
  const least = Array(10).fill(FAR);
  const mostRuns = hasRuns && suit.length > 2 ? 2 : 0; // three are three triplets
  for (let runs = 0; runs <= mostRuns; runs++) {
    const rest = costs(suit.slice(1), hasRuns, runs, before);
    for (const [tiles, step] of BLOCKS) {
      const copies = before + earlier + runs + tiles;
      if (copies > 4) continue; // a complete hand has no fifth copy
      add(least, rest, runs + step, Math.max(0, copies - suit[0]));
    }
  }
  cache.set(key, least);
  return least;
}

/** Return the number of missing tiles of melds and an eye. */
function standard(counts, called) {
  let total = NO_TILES;
  for (const [name, start, end] of SUITS) {
    const least = Array(10).fill(FAR);
    const suit = costs(counts.slice(start, end).join(""), name !== "z");
    suit.forEach((missing, step) => add(least, total, step, missing));
    total = least;
  }
  return total[4 - called + EYE];
}

/** Return the number of missing tiles: 0 for a complete hand, the shanten number plus one. */
function deficiency(counts, called) {
  const least = standard(counts, called);
  if (called) return least;
  const held = counts.filter((copies) => copies > 0); // four of a kind is one pair
  const pairs = 14 - Math.min(held.length, 7) - held.filter((copies) => copies > 1).length;
  const ends = ORPHANS.map((place) => counts[place]).filter((copies) => copies > 0);
  const orphans = 14 - ends.length - (ends.some((copies) => copies > 1) ? 1 : 0);
  return Math.min(least, pairs, orphans);
}

function answer(counts, called) {
  const missing = deficiency(counts, called);
  const useful = [];
  for (let place = 0; place < 34; place++) { // also right after the draw: an exchange draws one
    counts[place] += 1;
    if (deficiency(counts, called) < missing) useful.push(place);
    counts[place] -= 1;
  }
  return {
    win: missing === 0,
    shanten: missing - 1,
    useful: useful.map((place) => NAMES[place]),
    ukeire: useful.reduce((sum, place) => sum + 4 - counts[place], 0),
  };
}

/** Read a hand such as "123m456p1122z" as its copies of each kind. */
function countTiles(hand) {
  const counts = Array(34).fill(0);
  for (const [, ranks, suit] of hand.matchAll(/(\d+)([mpsz])/g)) {
    for (const rank of ranks) counts[NAMES.indexOf(rank + suit)] += 1;
  }
  return counts;
}

const isJson = process.argv.includes("--json");
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (isJson) {
    const { counts, called } = JSON.parse(line);
    console.log(JSON.stringify(answer(counts, called)));
  } else {
    const [hand, called] = line.split(" ");
    const { win, shanten, useful, ukeire } = answer(countTiles(hand), Number(called));
    console.log([Number(win), shanten, useful.join(""), ukeire].join("\t"));
  }
});

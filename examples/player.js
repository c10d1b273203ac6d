// A player in JavaScript: ``node player.js`` reads one request per line and writes one response.
// It wins when it can, never calls, and discards the tile with the fewest neighbours.
"use strict";

const lines = require("readline").createInterface({ input: process.stdin });

/** Count the tiles of a hand: "34M2P" becomes {"3M": 1, "4M": 1, "2P": 1}. */
function countTiles(hand) {
  const counts = {};
  for (const [, ranks, suit] of hand.matchAll(/(\d+)([MPSZ])/g)) {
    for (const rank of ranks) counts[rank + suit] = (counts[rank + suit] || 0) + 1;
  }
  return counts;
}

/** Rate the neighbourhood of a tile: its copies, and tiles one or two ranks away. */
function company(tile, counts) {
  const [rank, suit] = [Number(tile[0]), tile[1]];
  let near = 4 * counts[tile];
  if (suit === "Z") return near;
  for (const [step, worth] of [[-2, 1], [-1, 2], [1, 2], [2, 1]]) {
    near += worth * (counts[rank + step + suit] || 0);
  }
  return near;
}

function choose(question) {
  const moves = question.Legal.map((text) => text.split(","));
  const win = moves.find(([type]) => type === "Hu");
  if (win) return win;
  const discards = moves.filter(([type]) => type === "Discard");
  if (!discards.length) return ["Pass", ""];
  const counts = countTiles(question.Hand);
  const values = discards.map(([, tile]) => company(tile, counts));
  return discards[values.indexOf(Math.min(...values))];
}

lines.on("line", (line) => {
  const [type, content] = choose(JSON.parse(line));
  const answer = { Code: 100, Err_msg: "", Action_content: content, Action_type: type };
  process.stdout.write(JSON.stringify(answer) + "\n");
});

// A player in another language: node player.js reads questions and answers them, line by line.
// It wins when it can, calls nothing, and throws the tile that has the fewest neighbours.
"use strict";

const lines = require("readline").createInterface({ input: process.stdin });

/** Return how often each tile is held: "34M2P" becomes {"3M": 1, "4M": 1, "2P": 1}. */
function countTiles(hand) {
  const counts = {};
  for (const [, ranks, suit] of hand.matchAll(/(\d+)([MPSZ])/g)) {
    for (const rank of ranks) counts[rank + suit] = (counts[rank + suit] || 0) + 1;
  }
  return counts;
}

/** Return how much of the hand is near a tile: copies of it, and tiles one or two ranks off. */
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

// The JavaScript engine of the examples with three planted faults, for audits:
//
// quads    four of a kind counts as two pairs in seven pairs
// fifth    the engine waits for a fifth copy
// honours  honours form runs
//
// node faulty_engine.js [FAULT...] has all of them, or those named.
"use strict";

const { readFileSync } = require("fs");
const { join } = require("path");

// Pairs of a text of the engine and the wrong one that replaces it.
const FAULTS = {
  quads: [[
    "counts.filter((copies) => copies > 0)",
    "counts.flatMap((copies) => (copies > 3 ? [2, 2] : copies > 0 ? [copies] : []))",
  ]],
  fifth: [["copies > 4", "copies > 5"], ["[3, 1]]", "[3, 1], [5, EYE + 1]]"]],
  honours: [['name !== "z"', "true"]],
};

const path = join(__dirname, "..", "..", "examples", "engines", "javascript", "engine.js");
let source = readFileSync(path, "utf8");
const named = process.argv.slice(2).filter((word) => !word.startsWith("--"));
for (const fault of named.length ? named : Object.keys(FAULTS)) {
  for (const [right, wrong] of FAULTS[fault]) {
    if (source.split(right).length !== 2) throw new Error(`${path}: expected one ${right}`);
    source = source.replace(right, () => wrong);
  }
}
new Function("require", "process", source)(require, process);

#!/usr/bin/env node
// A bot in JavaScript (Node): it plays the legal move in the middle.
//
//     hiddenhand match connect_four bot:examples/bots/middle_move.js random --games 100

const lines = require("readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const told = JSON.parse(line);
  if (told.type !== "decide") return;
  const { move, text } = told.moves[Math.floor(told.moves.length / 2)];
  console.log(JSON.stringify({ move, reasons: [`${text} is in the middle of ${told.moves.length} moves.`] }));
});

/** Where findings stand in a text, and what a file holds. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOfFile, nameOfFile, pieces, spanOf } from "../src/own";
import type { FindingInfo } from "../src/wire_types";

const at = (line: number, column: number, severity: FindingInfo["severity"] = "error"): FindingInfo => ({
  line,
  column,
  severity,
  message: "",
});
const word = (text: string, finding: FindingInfo): string => {
  const { from, to } = spanOf(text, finding);
  return text.slice(from, to);
};

test("a finding is about the word at its place", () => {
  assert.equal(word("one\n  two three", at(2, 3)), "two");
  assert.equal(word("one\n  two three", at(2, 7)), "three");
  assert.equal(word("a => b", at(1, 3)), "=");
});

test("columns count letters, however long they are inside", () => {
  assert.equal(word("# 𝄞𝄞\n𝄞 żółw", at(2, 3)), "żółw");
});

test("a place after the end is no word, and no error", () => {
  assert.equal(word("one", at(1, 4)), "");
  assert.equal(word("one", at(9, 9)), "");
  assert.equal(word("", at(1, 1)), "");
});

test("the pieces make the text again, marked once at each place", () => {
  const text = "one two\nthree";
  const found = pieces(text, [at(2, 1, "warning"), at(1, 5), at(1, 5, "warning")]);
  assert.equal(found.map((piece) => piece.text).join(""), text);
  assert.deepEqual(
    found.filter((piece) => piece.severity).map((piece) => [piece.text, piece.severity]),
    [
      ["two", "error"],
      ["three", "warning"],
    ],
  );
});

test("a file's kind is in its ending, or in its contents", () => {
  assert.equal(kindOfFile("river.SVAROG", ""), "svarog");
  assert.equal(kindOfFile("a.menu", ""), "menu");
  assert.equal(kindOfFile("a.json", '{"format": "hiddenhand record", "deck": []}'), "record");
  assert.equal(kindOfFile("a.json", '{"deck": []}'), "hanab.live");
  assert.equal(kindOfFile("a.py", ""), null);
});

test("a file's name becomes the name of a game", () => {
  assert.equal(nameOfFile("my.river-2.svarog"), "my river-2");
  assert.equal(nameOfFile(`${"x".repeat(60)}.tree`), "x".repeat(40));
});

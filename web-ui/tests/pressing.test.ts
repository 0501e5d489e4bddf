/** What a press on a thing means. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { meaning, rivalVerbs } from "../src/screens/generic/pressing";
import { thingsIn } from "../src/screens/generic";
import { placed } from "../src/screens/generic/tree";
import type { MoveInfo, TreeNode } from "../src/wire_types";

const move = (action: number, verb: string, ...objects: string[]): MoveInfo => ({ action, text: verb, verb, objects });

test("one move about a thing is made by pressing it", () => {
  const moves = [move(1, "mark", "a1"), move(2, "mark", "b2")];
  assert.equal(meaning(moves, "b2", null, ""), moves[1]);
  assert.equal(meaning(moves, "c3", null, ""), null);
});

test("from and to: the first press chooses", () => {
  const moves = [move(1, "move", "8", "5"), move(2, "move", "8", "2"), move(3, "move", "6", "5")];
  assert.equal(meaning(moves, "8", null, ""), "choose");
  assert.equal(meaning(moves, "5", "8", ""), moves[0]);
  assert.equal(meaning(moves, "6", null, ""), moves[2]);
});

test("two verbs for the same thing are told apart by the verb chosen", () => {
  const moves = [move(1, "across", "c3"), move(2, "down", "c3"), move(3, "across", "d4")];
  assert.deepEqual(rivalVerbs(moves), ["across", "down"]);
  assert.equal(meaning(moves, "c3", null, "down"), moves[1]);
  assert.equal(meaning(moves, "d4", null, "down"), moves[2]);
});

test("a picture's things are found", () => {
  const board = { kind: "board" as const, title: "", look: "paper" as const, columns: 1, column_names: [], row_names: [] };
  const cell = { name: "a1", words: "", mark: "", owner: null, line: false };
  assert.deepEqual([...thingsIn([{ ...board, cells: [cell] }])], ["a1"]);
});

test("parents stand over the middle of their children", () => {
  const node = (name: string, parent: number): TreeNode => ({ name, parent, label: "", value: "", mover: 0, here: false, passed: false });
  const found = placed([node("root", -1), node("left", 0), node("right", 0), node("leaf", 2), node("leaf", 2)]);
  assert.deepEqual(
    found.map(({ x, level }) => [x, level]),
    [
      [0.75, 0],
      [0, 1],
      [1.5, 1],
      [1, 2],
      [2, 2],
    ],
  );
});

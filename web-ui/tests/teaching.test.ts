/** The teaching bench: frames, links, quizzes, and trees that are changed by hand. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changedAt,
  exactValues,
  FIRST,
  fromFragment,
  growthOf,
  isAnswer,
  isRight,
  methodsFor,
  orderFor,
  pathOf,
  shownAfter,
  toFragment,
  treeAt,
  usualAmount,
  withChild,
  withMover,
  without,
  withProbability,
  written,
} from "../src/teaching";
import type { Shape, Step, TreeInfo } from "../src/wire_types";

const leaf = (value: number, probability = 0): TreeInfo => ({
  mover: "",
  label: "",
  probability,
  payoffs: [value],
  estimate: [],
  noisy: false,
  children: [],
});
const node = (mover: string, ...children: TreeInfo[]): TreeInfo => ({ ...leaf(0), mover, payoffs: [], children });
const shape = (parent: number, action: number, who = "", value = ""): Shape => ({
  parent,
  action,
  label: String(action),
  who,
  estimated: false,
  value,
  board: [],
  columns: 0,
});
const step = (changes: Step["changes"]): Step => ({
  kind: "back",
  at: 0,
  says: "",
  changes,
  line: [],
  visited: 0,
  cut: 0,
});

const NODES = [shape(-1, -1, "MAX"), shape(0, 0, "MIN"), shape(1, 0, "", "3"), shape(1, 1, "", "5"), shape(0, 1, "", "2")];

test("a frame is what the steps have left", () => {
  const steps = [
    step([{ node: 0, look: "open", value: "", note: "[-∞, ∞]" }]),
    step([{ node: 0, look: "done", value: "3", note: "" }]),
  ];
  assert.equal(shownAfter(NODES, steps, 0)[2]!.value, "3");
  assert.equal(shownAfter(NODES, steps, 1)[0]!.note, "[-∞, ∞]");
  assert.deepEqual(shownAfter(NODES, steps, 2)[0], { node: 0, look: "done", value: "3", note: "" });
});

test("a link keeps the whole tree and the step", () => {
  const wish = { ...FIRST, text: "(max 1 (min 2 & 3))\n# ż", step: 7, boards: "all" as const, method: "uct", amount: 20 };
  assert.deepEqual(fromFragment(`#${toFragment(wish)}`), wish);
  assert.deepEqual(fromFragment(""), FIRST);
  assert.equal(fromFragment("#method=evil&order=silly&step=x").method, FIRST.method);
  assert.equal(orderFor(wish).agent, "uct:simulations=20");
  assert.deepEqual(orderFor({ ...FIRST, game: "backgammon", position: "lecture" }).options, { position: "lecture" });
  assert.deepEqual(orderFor(FIRST).options, { file: "pruning" });
  assert.equal(orderFor({ ...FIRST, method: "expectiminimax:pruning=star1", amount: 2 }).agent, "expectiminimax:pruning=star1,depth=2");
});

test("a game is watched by the methods that can play it, with an amount that can be looked at", () => {
  assert.deepEqual(methodsFor("kuhn", ["cfr", "ismcts", "pimc", "random"]), ["pimc", "cfr"]);
  assert.ok(methodsFor("tree", ["minimax"]).includes("alphabeta"));
  assert.ok(!methodsFor("tree", ["minimax"]).includes("cfr"));
  assert.equal(usualAmount("alphabeta", "tree"), 0);
  assert.equal(usualAmount("alphabeta", "connect_four"), 2);
  assert.equal(usualAmount("uct", "tree"), 20);
});

test("an answer is right if its number is, whatever sign the bound has", () => {
  assert.ok(isRight("2", "≤ 2"));
  assert.ok(isRight("0,333", "0.333"));
  assert.ok(isRight("1 2 6", "(1 2 6)"));
  assert.ok(!isRight("", "0"));
  assert.ok(!isRight("3", "2"));
  assert.ok(!isRight("1 2", "(1 2 6)"));
  assert.ok(!isRight("0", ""), "a node that the search never reached has no value to be right about");
});

test("the exact value counts beside the bound of a search that cut", () => {
  const chance = [
    shape(-1, -1, "MAX"),
    { ...shape(0, 0, "CHANCE"), label: "left" },
    { ...shape(1, 0, "", "4"), label: "0.25 heads" },
    { ...shape(1, 1, "MIN"), label: "0.75 tails" },
    shape(3, 0, "", "8"),
    shape(3, 1, "", "0"),
  ];
  assert.deepEqual(exactValues(chance), ["1", "1", "4", "0", "8", "0"]);
  assert.ok(isAnswer("0", "≤ 3", exactValues(chance)[3]!));
  assert.ok(isAnswer("3", "≤ 3", exactValues(chance)[3]!));
  assert.ok(!isAnswer("2", "≤ 3", exactValues(chance)[3]!));
  assert.deepEqual(exactValues([shape(-1, -1, "A"), shape(0, 0, "", "(1 2 3)")]), ["", ""]);
});

test("a node of the picture is found in the tree", () => {
  assert.deepEqual(pathOf(NODES, 3), [0, 1]);
  assert.deepEqual(pathOf(NODES, 0), []);
  const tree = node("A", node("B", leaf(3), leaf(5)), leaf(2));
  assert.deepEqual(treeAt(tree, pathOf(NODES, 3))!.payoffs, [5]);
});

test("leaves, movers and children are changed, and written as text", () => {
  const tree = node("A", node("B", leaf(3), leaf(5)), leaf(2));
  assert.equal(written(tree).replace(/\s+/g, " "), "(max (min 3 5) 2)");
  const other = changedAt(tree, [0, 1], (one) => ({ ...one, payoffs: [9], label: "right" }));
  assert.equal(written(other).replace(/\s+/g, " "), "(max (min 3 right: 9) 2)");
  assert.equal(written(withChild(tree, [1])).replace(/\s+/g, " "), "(max (min 3 5) (min 2 0))");
  assert.equal(written(withMover(tree, [0], "chance")).replace(/\s+/g, " "), "(max (chance 0.5 3 0.5 5) 2)");
  assert.equal(written(without(tree, [0, 0])).replace(/\s+/g, " "), "(max (min 5) 2)");
  assert.equal(written(without(without(tree, [0, 0]), [0, 0])).replace(/\s+/g, " "), "(max 5 2)");
  assert.equal(written(without(tree, [])), written(tree), "the root stays");
});

test("probabilities add up to 1 after every change", () => {
  const tree = node("chance", leaf(1, 0.5), leaf(2, 0.25), leaf(3, 0.25));
  const sum = (one: TreeInfo) => one.children.reduce((total, child) => total + child.probability, 0);
  const moved = withProbability(tree, [0], 0.8);
  assert.equal(moved.children[0]!.probability, 0.8);
  assert.ok(Math.abs(moved.children[1]!.probability - 0.1) < 1e-12);
  for (const one of [moved, withChild(tree, []), without(tree, [1])]) assert.ok(Math.abs(sum(one) - 1) < 1e-12);
});

test("the growth of a tree", () => {
  const { breadth, depth, all } = growthOf(NODES);
  assert.deepEqual([breadth, depth, all], [2, 2, 4]);
});

/** The laboratory: what the form becomes, and how texts and tables are read. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Draft, draftOf, matchWith, newDraft, orderOf } from "../src/lab_draft";
import type { Experiment, LabInfo } from "../src/lab_wire";
import { range, ticks } from "../src/parts/curves";
import { readCsv } from "../src/parts/data_table";
import { readInline, readMarkdown } from "../src/parts/markdown_reading";
import type { FormField, GameInfo, KindForm } from "../src/wire_types";

const level = (agent: string) => ({ name: agent, agent, about: "" });
const agent = (name: string, example = "") => ({ name, example, cheats: false });
const GAME = {
  name: "higher", champion: "strong:depth=2", players: [2, 4], options: {},
  opponents: ["random", "weak", "strong:depth=2"].map(level),
  agents: [agent("random"), agent("weak"), agent("strong"), agent("menu", "a text"), { ...agent("peeks"), cheats: true }],
} as unknown as GameInfo;
const OFFERS = {
  game: "higher",
  learners: [{ name: "pupil", teacher: "master" }],
  models: [{ name: "genes" }],
  tunable: [{ agent: "bold" }],
  opponent: "steady",
} as unknown as LabInfo;

const field = (name: string, input = "number", usual: FormField["usual"] = 1): FormField => ({
  name, label: name, input, usual, choices: [],
});
const seed = field("seed");
const FORMS: { [kind: string]: KindForm } = Object.fromEntries(
  Object.entries({
    match: [field("agents", "line_up", null), field("games", "number", 500), seed, field("seating", "choice", "rotate")],
    tournament: [field("agents", "agents", null), field("games"), seed],
    train: [field("learner", "learner", null), field("games"), seed, field("teacher", "teacher", null)],
    tune: [field("agent", "tunable", null), field("evaluations"), field("games"), seed],
    evolve: [field("model", "model", null), field("opponents", "opponents", null), field("runs"), seed],
    precalculate: [field("depth"), field("granularity")],
    census: [field("partners", "agent", "random"), field("depth")],
  }).map(([kind, fields]) => [kind, { kind, title: kind, fields }]),
);
const draftFor = (kind: string): Draft => newDraft(GAME, FORMS[kind]!, OFFERS);
const ordered = (kind: string, seats = 2) => orderOf(draftFor(kind), FORMS[kind]!, {}, seats);

test("one agent of a match plays in all seats", () => {
  const draft = draftFor("match");
  draft.values.agents = ["random"];
  const order = orderOf(draft, FORMS.match!, {}, 3);
  assert.deepEqual(order.agents, ["random", "random", "random"]);
  assert.equal(order.seating, "fixed");
  assert.equal(order.games, 500);
});

test("an order has the fields of its form and no others", () => {
  for (const [kind, form] of Object.entries(FORMS))
    assert.deepEqual(Object.keys(ordered(kind)).sort(), ["game", "options", ...form.fields.map((one) => one.name)].sort());
});

test("a field that is left empty is not sent", () => {
  const draft = draftFor("train");
  draft.values.teacher = "";
  assert.ok(!("teacher" in orderOf(draft, FORMS.train!, {}, 2)));
});

test("an experiment fills the form with its order", () => {
  for (const [kind, form] of Object.entries(FORMS)) {
    const order = orderOf(draftFor(kind), form, { players: 3 }, 3);
    const experiment = { kind, order } as unknown as Experiment;
    assert.deepEqual(orderOf(draftOf(experiment, GAME, form), form, { players: 3 }, 3), order, kind);
  }
});

test("what was found plays against whom it was measured", () => {
  const order = ordered("evolve", 4);
  const experiment = { kind: "evolve", order, agent: "gene:1", opponents: true } as unknown as Experiment;
  const agents = (of: Experiment) => matchWith(of, GAME, FORMS.match!).values.agents;
  assert.deepEqual(agents(experiment), ["gene:1", "gene:1", "steady", "steady"]);
  const together = { ...experiment, opponents: false };
  assert.deepEqual(new Set(agents(together) as string[]), new Set(["gene:1"]));
});

test("ticks are round, and within the range", () => {
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(6.7, 19.3, 5), [7.5, 10, 12.5, 15, 17.5]);
  assert.deepEqual(ticks(3, 3, 5), [3]);
  assert.deepEqual(range([2, 5, 3]), [2, 5]);
  const [low, high] = range([4, 4]);
  assert.ok(low < 4 && 4 < high);
});

test("CSV with quotation marks, as spreadsheets write it", () => {
  assert.deepEqual(readCsv('a,"b, c"\r\n"say ""x""",\n1,2'), [["a", "b, c"], ['say "x"', ""], ["1", "2"]]);
});

test("Markdown in lines", () => {
  assert.deepEqual(readInline("a **b _c_** `*d*` \\*e\\*"), [
    { kind: "text", text: "a " },
    { kind: "strong", parts: [{ kind: "text", text: "b " }, { kind: "emphasis", parts: [{ kind: "text", text: "c" }] }] },
    { kind: "text", text: " " },
    { kind: "code", text: "*d*" },
    { kind: "text", text: " " },
    { kind: "text", text: "*" },
    { kind: "text", text: "e" },
    { kind: "text", text: "*" },
  ]);
  assert.deepEqual(readInline("2 * 3 * 4 and snake_case_name"), [
    { kind: "text", text: "2 * 3 * 4 and snake_case_name" },
  ]);
  assert.deepEqual(readInline("<b>x</b>"), [{ kind: "text", text: "<b>x</b>" }]);
});

test("Markdown in blocks", () => {
  const kinds = (text: string) => readMarkdown(text).map((block) => block.kind);
  assert.deepEqual(kinds("# a\ntext\ngoes on\n\n- b\n- c\n\n1. d\n\n> e\n\n---\n```\n# f\n```\n"), [
    "heading",
    "paragraph",
    "list",
    "list",
    "quotation",
    "line",
    "code",
  ]);
  const [list] = readMarkdown("- a\n  - b\n\n    c\n- d\n\nafter");
  assert.ok(list?.kind === "list");
  assert.deepEqual(
    list.items.map((item) => item.map((block) => block.kind)),
    [["paragraph", "list"], ["paragraph"]],
  );
  const [table] = readMarkdown("| a | b |\n|---|--:|\n| `x|y` | 1 \\| 2 |\n| |");
  assert.ok(table?.kind === "table");
  assert.deepEqual(table.rows[0]!.map((cell) => cell.map((part) => ("text" in part ? part.text : ""))), [
    ["x|y"],
    ["1 | 2"],
  ]);
});

test("a text full of openings is read in no time", () => {
  const before = Date.now();
  for (const opening of ["[", "**", "`", "- ", "> ", "|", "![", "_a"]) readMarkdown(opening.repeat(20_000));
  assert.ok(Date.now() - before < 20_000);
});

test("a tournament is proposed between agents that differ", () => {
  assert.deepEqual(newDraft(GAME, FORMS.tournament!, null).values.agents, ["strong:depth=2", "weak", "menu:a text", "random"]);
  const smaller = { ...GAME, players: [2, 2] } as unknown as GameInfo;
  assert.deepEqual(newDraft(smaller, FORMS.tournament!, null).values.agents, ["strong:depth=2", "weak", "random"]);
});

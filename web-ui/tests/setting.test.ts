/** Options that stand for others. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, defaultsOf, valueShown, withChoice } from "../src/parts/setting";
import { nextLevel } from "../src/parts/seat_fields";
import type { GameInfo, SeatInfo, SettingInfo } from "../src/wire_types";

const setting = (value: string, presets: SettingInfo["presets"] = {}): SettingInfo => ({
  default: value,
  allowed: "",
  choices: null,
  low: null,
  high: null,
  help: "",
  suggestions: [],
  several: [],
  presets,
});
const settings = {
  rules: setting("lenient", { lenient: { bomb: "piles" }, strict: { bomb: "zero" } }),
  bomb: setting("piles"),
};

test("a preset sets what it stands for, and only that is sent", () => {
  const chosen = withChoice(settings, defaultsOf(settings), "rules", "strict");
  assert.deepEqual(changed(settings, chosen), { bomb: "zero" });
  assert.equal(valueShown("rules", settings.rules, chosen), "strict");
});

test("what is changed afterwards holds, and the preset shows it", () => {
  const strict = withChoice(settings, defaultsOf(settings), "rules", "strict");
  const chosen = withChoice(settings, strict, "bomb", "piles");
  assert.deepEqual(changed(settings, chosen), {});
  assert.equal(valueShown("rules", settings.rules, chosen), "lenient");
});

test("whoever wins is offered the next level, and nobody else", () => {
  const level = (name: string) => ({ name, agent: `agent:${name}`, about: "" });
  const game = { utility: "zero-sum", opponents: ["easy", "hard"].map(level) } as unknown as GameInfo;
  const seat = (number: number, agent: string | null) => ({
    seat: number, name: "", kind: agent ? "agent" : "person", connected: true, agent,
  }) as SeatInfo;
  const seats = [seat(0, null), seat(1, "agent:easy"), seat(2, "agent:easy")];
  assert.equal(nextLevel(game, seats, 0, [2, -1, -1])?.name, "hard");
  assert.equal(nextLevel(game, seats, 0, [-1, 2, -1]), null);
  assert.equal(nextLevel(game, seats, 0, [0, 0, 0]), null);
  assert.equal(nextLevel(game, [seats[0]!, seat(1, "agent:hard")], 0, [1, -1]), null);
  assert.equal(nextLevel(game, [seats[0]!, seats[1]!, seat(2, "agent:hard")], 0, [1, -1, -1]), null);
  assert.equal(nextLevel(game, [seats[0]!, seat(1, null)], 0, [1, -1]), null);
});

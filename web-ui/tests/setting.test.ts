/** Options that stand for others. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, defaultsOf, valueShown, withChoice } from "../src/parts/setting";
import type { SettingInfo } from "../src/wire_types";

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

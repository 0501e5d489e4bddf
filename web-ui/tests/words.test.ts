/** The languages of the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { count, say, speak, t } from "../src/words";

test("English needs no catalogue", () => {
  speak("en", {});
  assert.equal(t("{ply} of {last}", { ply: 1, last: 2 }), "1 of 2");
  assert.equal(count(1, "{n} point", "{n} points"), "1 point");
  assert.equal(count(5, "{n} point", "{n} points"), "5 points");
  assert.equal(say("anything"), "anything");
});

test("numbers in Polish and Slovak have three forms", () => {
  speak("pl", { "{n} point": ["{n} punkt", "{n} punkty", "{n} punktów"] });
  assert.deepEqual(
    [1, 2, 5, 12, 22].map((n) => count(n, "{n} point", "{n} points")),
    ["1 punkt", "2 punkty", "5 punktów", "12 punktów", "22 punkty"],
  );
  speak("sk", { "{n} point": ["{n} bod", "{n} body", "{n} bodov"] });
  assert.deepEqual(
    [1, 3, 5, 22].map((n) => count(n, "{n} point", "{n} points")),
    ["1 bod", "3 body", "5 bodov", "22 bodov"],
  );
});

test("sentences of the server are found by their frames, the most exact first", () => {
  speak("sk", {
    "{who} plays {card}": "{who} hrá {card}",
    "{who} plays {card}: a bomb": "{who} hrá {card}: bomba",
    "red 1": "červená 1",
  });
  assert.equal(say("Anna plays red 1"), "Anna hrá červená 1");
  assert.equal(say("Anna plays red 1: a bomb"), "Anna hrá červená 1: bomba");
  assert.equal(say("nothing known"), "nothing known");
});

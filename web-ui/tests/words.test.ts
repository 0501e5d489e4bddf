/** The languages of the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { count, dayAndTime, numeral, speak, t, word } from "../src/words";

test("English needs no catalogue", () => {
  speak("en", {});
  assert.equal(t("{ply} of {last}", { ply: 1, last: 2 }), "1 of 2");
  assert.equal(count(1, "{n} point", "{n} points"), "1 point");
  assert.equal(count(5, "{n} point", "{n} points"), "5 points");
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

test("names that programs have for things are told in words", () => {
  speak("pl", { "card bonus": "premia za kartę", "{n} point": ["{n} punkt", "{n} punkty", "{n} punktów"] });
  assert.equal(word("card_bonus"), "premia za kartę");
  assert.equal(word("no_such_setting"), "no such setting");
});

test("numbers and dates are written as the language writes them", () => {
  const noon = new Date(2026, 4, 3, 12, 5).getTime();
  speak("en", {});
  assert.equal(numeral(-1234.5), "−1,234.5");
  assert.equal(numeral(-0), "0");
  assert.equal(numeral(2, { minimumFractionDigits: 3 }), "2.000");
  assert.equal(dayAndTime(noon), "3 May 2026, 12:05");
  speak("pl", {});
  assert.equal(numeral(-12345.5), "−12\u00a0345,5");
  assert.match(dayAndTime(noon), /^3 maj 2026, 12:05$/);
});

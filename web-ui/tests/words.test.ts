/** The languages of the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { addWords, count, dayAndTime, numeral, say, speak, t } from "../src/words";

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

test("what a node is called in a picture is not translated, but longer words are", () => {
  speak("pl", { "At {node}: {below} pays.": "{node}: {below} płaci.", right: "prawo", "the root": "korzeń" });
  assert.equal(say("At the root: right pays."), "korzeń: right płaci.");
});

test("a frame of numbers is found in no other sentence", () => {
  speak("pl", { "{low} to {high}": "od {low} do {high}", "{done} of {total} {unit}": "{unit}: {done} z {total}", games: "gry" });
  assert.equal(say("-0.5 to 1.25"), "od -0.5 do 1.25");
  assert.equal(say("1,000 of 2,000 games"), "gry: 1,000 z 2,000");
  assert.equal(say("nothing to do"), "nothing to do");
  assert.equal(say("ace of hearts again"), "ace of hearts again");
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

test("a world brings words of its own, and the catalogue's come first", () => {
  addWords({ pl: { "I eat it": "Jem go", then: "inaczej", "I fall ill from {chance} of those": "Choruję od {chance} z nich" } });
  speak("pl", { then: "potem" });
  assert.equal(say("I eat it"), "Jem go");
  assert.equal(say("then"), "potem");
  assert.equal(say("I fall ill from 3 % of those"), "Choruję od 3 % z nich");
  addWords({ pl: { "leave it": "zostaw go" } });
  assert.equal(say("leave it"), "zostaw go");
  speak("en", {});
  assert.equal(say("I eat it"), "I eat it");
});

/** Sitting at a table: what is drawn when, without a browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, frameOf, isDoubled, isLive, missing, moving, plyOf, reduce, type State, toldOf } from "../src/sitting/state";
import type { FrameMessage, ServerMessage, SeatInfo } from "../src/wire_types";

const seat = (number: number, kind: SeatInfo["kind"]): SeatInfo => ({
  seat: number,
  name: `player ${number}`,
  kind,
  connected: true,
  agent: null,
});

function frame(ply: number, mover: number, more: Partial<FrameMessage> = {}): FrameMessage {
  return {
    type: "frame",
    table: "t",
    ply,
    seat: 0,
    turn: 0,
    picture: {},
    actions: [],
    over: false,
    payoffs: null,
    reason: "",
    last: ply === 0 ? null : { ply: ply - 1, seat: mover, text: "", news: [], verb: "", objects: [] },
    past: false,
    open_text: "",
    ...more,
  };
}

const hear = (state: State, message: ServerMessage, atOnce = false): State =>
  reduce(state, { kind: "heard", message, atOnce });

const seated = (): State => {
  const seats = [seat(0, "person"), seat(1, "agent")];
  let state = reduce(begin(seats, null), { kind: "online", yes: true });
  state = hear(state, { type: "seats", table: "t", seats, mine: [0] });
  return hear(state, frame(0, -1));
};

test("one's own move is seen at once, another's after a while", () => {
  let state = hear(seated(), frame(1, 0));
  assert.equal(plyOf(state), 1);
  state = hear(state, frame(2, 1));
  assert.equal(plyOf(state), 1);
  assert.ok(moving(state));
  assert.ok(!isLive(state));
  state = reduce(state, { kind: "step" });
  assert.equal(plyOf(state), 2);
  assert.ok(isLive(state));
  assert.ok(!moving(state));
});

test("every move of several is seen", () => {
  let state = hear(seated(), frame(1, 0));
  for (const ply of [2, 3, 4]) state = hear(state, frame(ply, 1));
  const seen = [];
  while (moving(state)) {
    state = reduce(state, { kind: "step" });
    seen.push(frameOf(state)?.ply);
  }
  assert.deepEqual(seen, [2, 3, 4]);
});

test("at once means at once", () => {
  const state = hear(seated(), frame(3, 1), true);
  assert.equal(plyOf(state), 3);
  assert.ok(isLive(state));
});

test("a table of computers is watched from the first move", () => {
  const seats = [seat(0, "agent"), seat(1, "agent")];
  let state = reduce(begin(seats, null), { kind: "online", yes: true });
  state = hear(state, { type: "seats", table: "t", seats, mine: [] });
  state = hear(state, frame(9, 1, { seat: null }));
  assert.equal(plyOf(state), 0);
  assert.deepEqual(missing(state), { ply: 0, seat: null });
  state = hear(state, frame(0, -1, { seat: null, past: true }));
  assert.equal(missing(state), null);
  assert.equal(frameOf(state)?.ply, 0);
  assert.ok(moving(state));
});

test("a look at the past is asked for once, and known then", () => {
  let state = seated();
  for (const ply of [1, 2, 3]) state = hear(state, frame(ply, 0));
  state = reduce(state, { kind: "look", ply: 1 });
  assert.equal(missing(state), null); // it was seen when it was the present
  state = reduce(state, { kind: "viewer", seat: 1 });
  assert.deepEqual(missing(state), { ply: 1, seat: 1 });
  state = hear(state, frame(1, 0, { seat: 1, past: true }));
  assert.equal(frameOf(state)?.seat, 1);
  state = reduce(state, { kind: "look", ply: 99 });
  assert.equal(state.cursor, null);
});

test("what is taken back is gone", () => {
  let state = seated();
  for (const ply of [1, 2]) state = hear(state, frame(ply, 0));
  state = reduce(state, { kind: "look", ply: 1 });
  state = hear(state, { type: "log", table: "t", from: 0, entries: [] });
  state = hear(state, frame(0, -1));
  assert.equal(state.cursor, null);
  assert.equal(plyOf(state), 0);
  assert.deepEqual(Object.keys(state.moments), ["mine:0"]);
});

test("a replay goes to the present and stops there", () => {
  let state = seated();
  for (const ply of [1, 2, 3]) state = hear(state, frame(ply, 0));
  state = reduce(state, { kind: "replay", on: true });
  assert.equal(plyOf(state), 0);
  const seen = [];
  for (let i = 0; i < 10 && state.playing; i++) {
    state = reduce(state, { kind: "step" });
    seen.push(plyOf(state));
  }
  assert.deepEqual(seen, [1, 2, 3]);
  assert.ok(isLive(state));
});

test("an answer ends the waiting, and so does a refusal", () => {
  let state = reduce(seated(), { kind: "asked", what: "advice" });
  assert.equal(state.asked, "advice");
  state = hear(state, { type: "error", table: null, text: "not now" });
  assert.equal(state.asked, null);
  assert.equal(state.error, "not now");
});

const entry = (ply: number, seat: number) => ({ ply, seat, text: `move ${ply}`, news: [], verb: "", objects: [] });
const hint = (ply: number, asked: "advice" | "why" = "advice") =>
  ({ type: "decision", table: "t", ply, agent: "a", asked, decision: {}, drawn: false }) as unknown as ServerMessage;

test("the log tells a reply when the board shows it", () => {
  let state = hear(seated(), { type: "log", table: "t", from: 0, entries: [entry(0, 0)] } as ServerMessage);
  state = hear(state, frame(1, 0));
  state = hear(state, { type: "log", table: "t", from: 1, entries: [entry(1, 1)] } as ServerMessage);
  state = hear(state, frame(2, 1));
  assert.deepEqual(toldOf(state).map((one) => one.ply), [0]);
  state = reduce(state, { kind: "step" });
  assert.deepEqual(toldOf(state).map((one) => one.ply), [0, 1]);
  assert.equal(toldOf(reduce(state, { kind: "look", ply: 0 })).length, 2);
});

test("a hint goes with the moment that it was for, and the reasons of a move stay", () => {
  let state = hear(seated(), hint(0));
  assert.equal(state.answer?.ply, 0);
  state = hear(state, frame(1, 0));
  assert.equal(state.answer, null);
  assert.equal(hear(state, hint(0)).answer, null, "it comes too late");
  state = hear(hear(state, hint(0, "why")), frame(2, 1));
  assert.equal(state.answer?.asked, "why");
  state = hear(hear(state, hint(2)), frame(3, 0, { over: true }));
  assert.equal(state.answer, null);
});

test("the second half of a double click is no move, but the next card of a hand is", () => {
  const first = frame(0, -1);
  assert.equal(isDoubled(1, first, first), false);
  assert.equal(isDoubled(2, null, first), false);
  assert.equal(isDoubled(2, first, first), true);
  assert.equal(isDoubled(2, first, frame(1, 0, { seat: 1 })), true);
  assert.equal(isDoubled(2, first, frame(2, 1)), true);
  assert.equal(isDoubled(2, first, frame(1, 0)), false);
});

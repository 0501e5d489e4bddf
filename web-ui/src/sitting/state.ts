/** Sitting at a table, as data: everything the server has said, what is looked at, and what changes it.

What is drawn may lag behind the game: moves of others are shown one after the other, each long enough to be seen.
`reduce` is a plain function, so that all of this can be tested without a browser. */

import type { ChanceInfo, DecisionInfo, TreeMessage, EntryInfo, FrameMessage, ServerMessage, SeatInfo } from "../wire_types";

export interface Answer {
  ply: number;
  agent: string;
  asked: "advice" | "why";
  decision: DecisionInfo;
  drawn: boolean;
}

export type Asked = "advice" | "why" | "tree" | "belief";

export interface State {
  online: boolean;
  /** The present, as far as the server has told it. */
  live: FrameMessage | null;
  /** The ply that is drawn while the game is followed. */
  shown: number;
  /** The ply looked at, or null while the game is followed. */
  cursor: number | null;
  /** A replay runs. */
  playing: boolean;
  /** As which seat one looks; null: one's own. */
  viewer: number | null;
  /** Moments that are known, by viewer and ply. */
  moments: { [key: string]: FrameMessage };
  log: EntryInfo[];
  seats: SeatInfo[];
  /** The seats that one holds. */
  mine: number[];
  /** The seat that thinks, or null. */
  thinking: number | null;
  status: string;
  /** The table at which the same play again. */
  next: string;
  answer: Answer | null;
  tree: TreeMessage | null;
  /** What each thing may be, and at which ply. */
  belief: { ply: number; things: { [thing: string]: ChanceInfo[] } } | null;
  /** The open table of the test bench as text, and at which ply. */
  bench: { ply: number; text: string } | null;
  /** What is waited for. */
  asked: Asked | null;
  error: string;
  /** The agent to move has given up and can be asked once more. */
  stuck: boolean;
}

export type Event =
  | { kind: "heard"; message: ServerMessage; atOnce: boolean }
  | { kind: "online"; yes: boolean }
  | { kind: "look"; ply: number | null }
  | { kind: "viewer"; seat: number | null }
  | { kind: "step" }
  | { kind: "replay"; on: boolean }
  | { kind: "asked"; what: Asked }
  | { kind: "forget"; what: "answer" | "tree" | "belief" }
  | { kind: "complain"; text: string };

export function begin(seats: SeatInfo[], cursor: number | null): State {
  return {
    online: false,
    live: null,
    shown: 0,
    cursor,
    playing: false,
    viewer: null,
    moments: {},
    log: [],
    seats,
    mine: [],
    thinking: null,
    status: "",
    next: "",
    answer: null,
    tree: null,
    belief: null,
    bench: null,
    asked: null,
    error: "",
    stuck: false,
  };
}

export function reduce(state: State, event: Event): State {
  switch (event.kind) {
    case "heard":
      return hear(state, event.message, event.atOnce);
    case "online":
      return { ...state, online: event.yes };
    case "look":
      return { ...look(state, event.ply), playing: false, error: "" };
    case "viewer":
      return { ...state, viewer: event.seat };
    case "step":
      return step(state);
    case "replay":
      return replay(state, event.on);
    case "asked":
      return { ...state, asked: event.what, error: "" };
    case "forget":
      return { ...state, [event.what]: null };
    case "complain":
      return { ...state, error: event.text, stuck: false };
  }
}

// ---- what the server says

function hear(state: State, message: ServerMessage, atOnce: boolean): State {
  switch (message.type) {
    case "frame":
      return message.past ? remember(state, message) : present(state, message, atOnce);
    case "log": {
      const kept = state.log.filter((entry) => entry.ply < message.from);
      const moments = message.from === 0 ? {} : state.moments;
      return { ...state, moments, log: [...kept, ...message.entries] };
    }
    case "seats":
      return { ...state, seats: message.seats, mine: message.mine };
    case "decision":
      return { ...state, asked: null, status: "", answer: isOld(message, state.live) ? null : message };
    case "tree":
      return { ...state, asked: null, tree: message };
    case "belief":
      return { ...state, asked: null, belief: { ply: message.ply, things: byName(message.things) } };
    case "thinking":
      return { ...state, thinking: message.seat, ...(message.seat === null ? {} : { stuck: false }) };
    case "status":
      return { ...state, status: message.text };
    case "next":
      return { ...state, next: message.next };
    case "error":
      return { ...state, asked: null, error: message.text, stuck: message.again };
    case "pong":
      return state;
  }
}

function byName(things: { name: string; chances: ChanceInfo[] }[]): { [thing: string]: ChanceInfo[] } {
  return Object.fromEntries(things.map(({ name, chances }) => [name, chances]));
}

const keyOf = (viewer: number | null, ply: number): string => `${viewer ?? "mine"}:${ply}`;

function remember(state: State, frame: FrameMessage): State {
  const own = frame.seat === (state.live?.seat ?? null);
  const moments = { ...state.moments, [keyOf(own ? null : frame.seat, frame.ply)]: frame };
  const bench = frame.open_text ? { ply: frame.ply, text: frame.open_text } : state.bench;
  return { ...state, moments, bench };
}

/** The present has changed. One's own move is seen at once; so is the first thing one sees, and whatever is taken back. */
function present(state: State, frame: FrameMessage, atOnce: boolean): State {
  const before = state.live;
  const back = before !== null && frame.ply < before.ply;
  const mover = frame.last?.seat ?? -1;
  const mine = mover >= 0 && state.mine.includes(mover);
  const jumps = atOnce || before === null || back || frame.ply <= state.shown || (mine && frame.ply === state.shown + 1);
  const moments = back ? {} : { ...state.moments };
  moments[keyOf(null, frame.ply)] = frame;
  return {
    ...state,
    live: frame,
    moments,
    shown: before === null && watched(state) ? 0 : jumps ? frame.ply : state.shown,
    cursor: back ? null : state.cursor,
    thinking: null,
    status: "",
    stuck: false,
    belief: null,
    answer: isOld(state.answer, frame) ? null : state.answer,
  };
}

/** Whether an answer is a hint for another moment than the present. */
const isOld = (answer: Answer | null, live: FrameMessage | null): boolean =>
  answer?.asked === "advice" && (answer.ply !== live?.ply || live.over);

/** What the log tells while the game is followed: no move before it is drawn. */
export const toldOf = (state: State): EntryInfo[] =>
  state.cursor === null ? state.log.filter((entry) => entry.ply < state.shown) : state.log;

/** Whether a press is the second half of a double click on a move made just before, from the frame `sent`.

Only a move of the same seat that follows at once, such as the next card of a hand, is meant. */
export function isDoubled(clicks: number, sent: FrameMessage | null, live: FrameMessage | null): boolean {
  if (clicks < 2 || sent === null || live === null) return false;
  return live === sent || live.seat !== sent.seat || live.last?.seat !== sent.seat;
}

/** Whether only computers play, so that one comes to watch: from the first move. */
const watched = (state: State): boolean =>
  state.mine.length === 0 && state.seats.length > 0 && state.seats.every((seat) => seat.kind === "agent");

// ---- what is looked at

function look(state: State, ply: number | null): State {
  const last = state.live?.ply ?? 0;
  if (ply === null || ply >= last) return { ...state, cursor: null, shown: last };
  return { ...state, cursor: Math.max(0, ply) };
}

/** One move on: in a replay, or while the drawing lags behind the game. */
function step(state: State): State {
  const last = state.live?.ply ?? 0;
  if (state.cursor === null) return state.shown < last ? { ...state, shown: state.shown + 1 } : state;
  const next = state.cursor + 1;
  return next >= last ? { ...state, cursor: null, shown: last, playing: false } : { ...state, cursor: next };
}

function replay(state: State, on: boolean): State {
  if (!on) return { ...state, playing: false };
  return { ...state, playing: true, cursor: state.cursor ?? 0 };
}

/** The ply that is drawn. */
export const plyOf = (state: State): number => state.cursor ?? state.shown;

/** Whether what is drawn is the present. */
export const isLive = (state: State): boolean =>
  state.live !== null && state.cursor === null && state.shown >= state.live.ply;

/** Whether a step is due after a while. */
export const moving = (state: State): boolean =>
  state.live !== null && (state.playing || (state.cursor === null && state.shown < state.live.ply));

/** The moment to draw, if it is known. */
export function frameOf(state: State): FrameMessage | null {
  const viewer = state.viewer === state.live?.seat ? null : state.viewer;
  if (viewer === null && isLive(state)) return state.live;
  return state.moments[keyOf(viewer, plyOf(state))] ?? null;
}

/** The moment that has to be asked for, if any. */
export function missing(state: State): { ply: number; seat: number | null } | null {
  if (state.live === null || !state.online || frameOf(state) !== null) return null;
  return { ply: plyOf(state), seat: state.viewer ?? state.live.seat };
}

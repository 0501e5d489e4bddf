/** What travels between the page and the server: the shapes of the messages, and reading them without losing digits. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Setting {
  default: Json;
  allowed: string;
  choices: Json[] | null;
  help: string;
}

export interface AgentInfo {
  name: string;
  summary: string;
  cheats?: boolean;
  example?: string;
  parameters: { [name: string]: Setting };
}

export interface GameInfo {
  name: string;
  title: string;
  about: string;
  players: [number, number];
  hidden: boolean;
  chance: boolean;
  utility: string;
  options: { [name: string]: Setting };
  agents: AgentInfo[];
  champion: string;
}

export interface SeatWish {
  who: "me" | "open" | "agent";
  agent?: string;
  name?: string;
}

export interface Made {
  table: string;
  token?: string;
  invite?: { seat: number; token: string }[];
}

export interface SeatInfo {
  seat: number;
  name: string;
  kind: string;
  connected: boolean;
  agent?: string;
}

export interface Description {
  table: string;
  game: string;
  title: string;
  options: { [name: string]: Json };
  seats: SeatInfo[];
  plies: number;
  over: boolean;
  open: boolean;
  recorded?: boolean;
  created: Json;
}

export interface Move {
  action: number;
  text: string;
}

export interface Frame {
  type: "frame";
  table: string;
  ply: number;
  seat: number | null;
  turn: number;
  view: unknown;
  screen: string;
  actions?: Move[] | null;
  over: boolean;
  payoffs: number[] | null;
  /** Why the game ended as it did, once it has. */
  reason?: string;
  last?: { seat: number; text: string; news: string[] } | null;
  /** Whether this answers a look at a past moment or through another seat's eyes. */
  past?: boolean;
}

export interface Entry {
  ply: number;
  seat: number;
  text: string;
  news: string[];
}

export interface Alternative {
  action: number;
  text: string;
  value: number | null;
  note: string;
  line: string[];
}

export interface Decision {
  action: number;
  text: string;
  value: number | null;
  alternatives: Alternative[];
  belief: { what: string; probability: number }[];
  reasons: string[];
  line: string[];
  counts: { [what: string]: number };
}

/** The tree of a small search. */
export interface Drawn {
  type: "tree";
  table: string;
  ply: number;
  agent: string;
  title: string;
  svg: string;
  text: string;
}

export type Heard =
  | Frame
  | { type: "log"; table: string; from: number; entries: Entry[] }
  | { type: "seats"; table: string; seats: SeatInfo[] }
  | { type: "decision"; table: string; ply: number; decision: Decision; agent: string; asked: "advice" | "why" }
  | Drawn
  | { type: "thinking"; table: string; seat: number | null }
  | { type: "status"; table: string; text: string }
  | { type: "next"; table: string; next: string }
  | { type: "error"; text: string }
  | { type: "pong" };

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parse JSON; whole numbers too long for a double come as text, for BigInt. */
export function parse(text: string): unknown {
  const long = /\d{16}/.test(text);
  const safe = long ? text.replace(TOKENS, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token)) : text;
  return JSON.parse(safe) as unknown;
}

/** An error whose text is meant for the reader. */
export class Refused extends Error {}

function complaint(body: unknown, status: number): string {
  const said = body as { detail?: unknown; error?: unknown; text?: unknown } | null;
  for (const text of [said?.detail, said?.error, said?.text]) if (typeof text === "string") return text;
  return `the server answered with status ${status}`;
}

/** One request to the server; a refusal is thrown with the server's own sentence. */
export async function ask<T>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    const headers = body === undefined ? undefined : { "content-type": "application/json" };
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Refused("the server cannot be reached");
  }
  const text = await answer.text();
  let read: unknown = null;
  try {
    read = text ? parse(text) : null;
  } catch {
    throw new Refused(`the server's answer makes no sense (status ${answer.status})`);
  }
  if (!answer.ok) throw new Refused(complaint(read, answer.status));
  return read as T;
}

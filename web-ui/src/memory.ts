/** What this browser remembers: the seats it holds, its tables, a name, the theme. Nothing leaves the machine. */

import type { Json, SeatBody } from "./wire_types";

export interface Visited {
  table: string;
  title: string;
  when: number;
}

export interface Origin {
  table: string;
  ply: number;
}

const PREFIX = "hiddenhand.";
const MOST_TABLES = 8;

function read<T>(key: string, otherwise: T, storage: Storage = localStorage): T {
  try {
    const text = storage.getItem(PREFIX + key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

function write(key: string, value: unknown, storage: Storage = localStorage): void {
  try {
    storage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A full or forbidden store costs only comfort.
  }
}

/** The secret of my seat. This tab's own comes first: two tabs may hold two seats of one table. */
export function token(table: string): string | undefined {
  return (
    read<string | null>(`seat.${table}`, null, sessionStorage) ??
    read<string | null>(`seat.${table}`, null) ??
    undefined
  );
}

export function keepToken(table: string, secret: string): void {
  write(`seat.${table}`, secret, sessionStorage);
  write(`seat.${table}`, secret);
}

export function invitations(table: string): { seat: number; token: string }[] {
  return read(`invite.${table}`, []);
}

export function keepInvitations(table: string, seats: { seat: number; token: string }[]): void {
  if (seats.length > 0) write(`invite.${table}`, seats);
}

const MOST_EXPERIMENTS = 20;

/** The experiments begun in this browser, with the secrets by which they can be stopped; the latest first. */
export const experiments = (): { job: string; token: string }[] => read("experiments", []);
export const keepExperiment = (job: string, secret: string): void =>
  write("experiments", [{ job, token: secret }, ...experiments()].slice(0, MOST_EXPERIMENTS));

export function visited(): Visited[] {
  return read<Visited[]>("tables", []);
}

export function keepVisit(table: string, title: string): void {
  const others = visited().filter((one) => one.table !== table);
  write("tables", [{ table, title, when: Date.now() }, ...others].slice(0, MOST_TABLES));
}

export function origin(table: string): Origin | null {
  return read<Origin | null>(`origin.${table}`, null);
}

export function keepOrigin(table: string, from: Origin): void {
  write(`origin.${table}`, from);
}

/** Games that left this one at some move. */
export const branches = (table: string): Origin[] => read<Origin[]>(`branches.${table}`, []);
export const keepBranch = (table: string, branch: Origin): void =>
  write(`branches.${table}`, [...branches(table), branch].slice(-20));

export const myName = (): string => read("name", "");
export const keepName = (name: string): void => write("name", name);
export const theme = (): string => read("theme", "system");
export const keepTheme = (name: string): void => write("theme", name);
export const language = (): string => read("language", "");
export const keepLanguage = (code: string): void => write("language", code);
/** Milliseconds for which a move of somebody else is seen, before the next one; 0: at once. */
export const pace = (): number => read("pace", 900);
export const keepPace = (milliseconds: number): void => write("pace", milliseconds);

/** How a game was last set up. */
export interface Setup {
  options?: { [name: string]: Json };
  seats?: SeatBody[];
}

export const lobby = (game: string): Setup => read<Setup>(`lobby.${game}`, {});
export const keepLobby = (game: string, setup: Setup): void => write(`lobby.${game}`, setup);
export const lastGame = (): string => read("game", "");
export const keepLastGame = (game: string): void => write("game", game);

/** What was written of each kind of text, so that a reload loses nothing. */
export interface Draft {
  text: string;
  name: string;
}

export const draft = (kind: string): Draft => read<Draft>(`draft.${kind}`, { text: "", name: "" });
export const keepDraft = (kind: string, written: Draft): void => write(`draft.${kind}`, written);
export const lastKind = (): string => read("kind", "");
export const keepLastKind = (kind: string): void => write("kind", kind);

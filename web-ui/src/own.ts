/** What somebody brings: kinds of texts, where a finding stands in one, and what a file holds. */

import type { CheckBody, FindingInfo } from "./wire_types";
import { t } from "./words";

export type Kind = CheckBody["kind"];

export const LONGEST = 64 * 1024;

/** How the names of files of each kind end. */
export const ENDINGS: { [kind in Kind]: string } = {
  svarog: ".svarog",
  pomdp: ".pomdp",
  tree: ".tree",
  menu: ".menu",
  record: ".json",
  "hanab.live": ".json",
};

export const isGame = (kind: Kind): boolean => kind === "svarog" || kind === "pomdp" || kind === "tree";
export const isRecord = (kind: Kind): boolean => kind === "record" || kind === "hanab.live";

export function kindWords(kind: Kind): string {
  switch (kind) {
    case "svarog":
      return t("World (.svarog)");
    case "pomdp":
      return t("Model (.pomdp)");
    case "tree":
      return t("Tree");
    case "menu":
      return t("Dominion menu");
    case "record":
      return t("Record");
    case "hanab.live":
      return t("Game of hanab.live");
  }
}

export function kindHelp(kind: Kind): string {
  switch (kind) {
    case "svarog":
      return t("What is seen, what is hidden, what can be done, and where that leads with what probability.");
    case "pomdp":
      return t("A problem in Cassandra's format: states, actions, observations, and tables T, O and R.");
    case "tree":
      return t("Brackets: who moves (max, min, chance, A to D), then the branches; numbers are payoffs.");
    case "menu":
      return t("Cards to buy, the first that can be had: Province, Gold, Smithy up to 1, Silver.");
    case "record":
      return t("A game that was saved at one of our tables, to look at and to play on from.");
    case "hanab.live":
      return t("A game of Hanabi as hanab.live exports it.");
  }
}

/** Which kind a file is of: by its ending; of the two that end in .json, by what is in it. */
export function kindOfFile(name: string, text: string): Kind | null {
  const ending = (Object.keys(ENDINGS) as Kind[]).find((kind) => name.toLowerCase().endsWith(ENDINGS[kind]));
  if (ending !== "record") return ending ?? null;
  return /"deck"\s*:/.test(text) && !/"format"\s*:/.test(text) ? "hanab.live" : "record";
}

/** A file's name as the name of a game: letters, digits, spaces and dashes. */
export function nameOfFile(file: string): string {
  const stem = file.replace(/\.[^.]*$/, "");
  return stem.replace(/[^\p{L}\p{N}_ -]/gu, " ").trim().slice(0, 40);
}

export interface Span {
  from: number;
  to: number;
}

/** Where a finding stands in the text: the word there, or one letter. Columns count letters, as people do. */
export function spanOf(text: string, { line, column }: FindingInfo): Span {
  const lines = text.split("\n");
  const row = Math.min(Math.max(line, 1), lines.length) - 1;
  const start = lines.slice(0, row).reduce((sum, one) => sum + one.length + 1, 0);
  const letters = Array.from(lines[row]!);
  const before = letters.slice(0, column - 1).join("").length;
  const word = /^[\p{L}\p{N}_]+|^./u.exec(lines[row]!.slice(before))?.[0] ?? "";
  return { from: start + before, to: start + before + word.length };
}

export interface Piece {
  text: string;
  severity: FindingInfo["severity"] | null;
}

/** The text in pieces, those marked that findings are about. Where two overlap, the graver one counts. */
export function pieces(text: string, findings: FindingInfo[]): Piece[] {
  const graver = [...findings].sort((a, b) => a.severity.localeCompare(b.severity));
  const taken: (Span & { severity: FindingInfo["severity"] })[] = [];
  for (const finding of graver) {
    const span = spanOf(text, finding);
    if (span.to > span.from && taken.every((other) => span.to <= other.from || other.to <= span.from))
      taken.push({ ...span, severity: finding.severity });
  }
  const found: Piece[] = [];
  let at = 0;
  for (const { from, to, severity } of taken.sort((a, b) => a.from - b.from)) {
    if (from > at) found.push({ text: text.slice(at, from), severity: null });
    found.push({ text: text.slice(from, to), severity });
    at = to;
  }
  found.push({ text: text.slice(at), severity: null });
  return found;
}

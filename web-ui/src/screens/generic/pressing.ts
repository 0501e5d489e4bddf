/** Pressing things: a move is made by pressing what it is about. */

import { useEffect, useState } from "preact/hooks";
import type { MoveInfo } from "../../wire_types";

export interface Pressing {
  /** The moves that are about this thing, and about the one chosen before. */
  movesOf: (thing: string) => MoveInfo[];
  press: (thing: string) => void;
  chosen: string | null;
  /** What can be done with the same things, where there is a choice. */
  verbs: string[];
  verb: string;
  setVerb: (verb: string) => void;
}

/** Verbs of moves that are about the very same things. */
export function rivalVerbs(moves: MoveInfo[]): string[] {
  const by = new Map<string, Set<string>>();
  for (const { objects, verb } of moves) {
    if (objects.length === 0) continue;
    const key = objects.join("\n");
    by.set(key, (by.get(key) ?? new Set()).add(verb));
  }
  const found = new Set<string>();
  for (const verbs of by.values()) if (verbs.size > 1) for (const verb of verbs) found.add(verb);
  return [...found];
}

/** What a press on a thing means: a move, or that the thing is chosen. */
export function meaning(moves: MoveInfo[], thing: string, chosen: string | null, verb: string): MoveInfo | "choose" | null {
  const about = moves.filter((move) => move.objects.includes(thing));
  const both = chosen === null || chosen === thing ? [] : about.filter((move) => move.objects.includes(chosen));
  const found = both.length > 0 ? both : about;
  if (found.length === 0) return null;
  if (found.length === 1) return found[0]!;
  const things = new Set(found.map((move) => move.objects.join("\n")));
  if (things.size === 1) return found.find((move) => move.verb === verb) ?? found[0]!;
  return "choose";
}

export function usePressing(
  moves: MoveInfo[],
  play: (action: number) => void,
  refuse: (thing: string) => void = () => undefined,
): Pressing {
  const [chosen, setChosen] = useState<string | null>(null);
  const [verb, setVerb] = useState("");
  useEffect(() => setChosen(null), [moves]);
  const verbs = rivalVerbs(moves);
  const current = verbs.includes(verb) ? verb : (verbs[0] ?? "");
  const movesOf = (thing: string): MoveInfo[] => moves.filter((move) => move.objects.includes(thing));
  const press = (thing: string): void => {
    const what = meaning(moves, thing, chosen, current);
    if (what === "choose") setChosen(chosen === thing ? null : thing);
    else if (what !== null) play(what.action);
    else refuse(thing);
  };
  return { movesOf, press, chosen, verbs, verb: current, setVerb };
}

/** Attributes of something drawn that can be pressed, by the mouse or by Enter and the space bar. */
export function pressable(label: string, press: (() => void) | null, action?: number) {
  if (!press) return { "aria-label": label, role: "img" as const };
  return {
    role: "button" as const,
    tabindex: 0,
    "aria-label": label,
    "data-action": action,
    onClick: press,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press();
    },
  };
}

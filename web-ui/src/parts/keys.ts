/** Shortcuts: single keys that work wherever one is not typing. */

import { useEffect, useRef } from "preact/hooks";

export type Keys = { [key: string]: () => void };

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches("input:not([type=range]):not([type=checkbox]), textarea, select") || target.isContentEditable);

export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (typing(event.target)) {
        if (event.key === "Escape") (event.target as HTMLElement).blur();
        return;
      }
      if (document.querySelector("dialog[open]")) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

export const SHORTCUTS: [string, string][] = [
  ["← →", "one move back, one move on"],
  ["Home End", "the beginning, the present"],
  ["m", "type a move (Enter plays it)"],
  ["h", "a hint for me"],
  ["w", "why was the last move played?"],
  ["u", "take my last move back"],
  ["b", "play on from here, at a new table"],
  ["n", "another deal, when the game is over"],
  ["v", "look through the next seat's eyes (after the game, or with open cards)"],
  ["e", "Hanabi: see a hand as its owner sees it"],
  ["l", "a link to this table"],
  ["t", "light, dark, or as the system says"],
  ["Tab, arrows", "walk over the board; Enter or space plays"],
  ["?", "this list"],
];

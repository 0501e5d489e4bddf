/** Shortcuts: single keys that work wherever one is not typing. */

import { useEffect, useRef } from "preact/hooks";
import { t } from "../words";
import { Dialog } from "./dialog";

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

const shortcuts = (): [string, string][] => [
  ["← →", t("one move back, one move on")],
  ["Home End", t("the beginning, the present")],
  ["p", t("play the game again, pause")],
  ["m", t("type a move (Enter plays it)")],
  ["h", t("a hint for me")],
  ["w", t("why was the last move played?")],
  ["c", t("the chances of what is hidden")],
  ["r", t("review the game, when it is over")],
  ["u", t("take my last move back")],
  ["b", t("play on from here, at a new table")],
  ["n", t("another deal, when the game is over")],
  ["v", t("look through the next player's eyes (after the game, or with open cards)")],
  ["e", t("Hanabi: see a hand as its owner sees it")],
  ["g", t("how to play")],
  ["l", t("a link to this table")],
  ["t", t("light, dark, or as the system says")],
  ["Tab, ← ↑ → ↓", t("walk over the board; Enter or space plays")],
  ["?", t("this list")],
];

export function KeysDialog({ close }: { close: () => void }) {
  return (
    <Dialog title={t("Keys")} close={close}>
      <dl class="keys">
        {shortcuts().map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

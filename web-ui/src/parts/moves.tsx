/** Every legal move as a button, and a field to type one; a question mark asks why not that one. */

import { useState } from "preact/hooks";
import { t } from "../words";
import type { MoveInfo } from "../wire_types";

interface MovesProps {
  moves: MoveInfo[];
  play: (action: number) => void;
  /** What is no legal move is answered with the reason. */
  write: (text: string) => void;
  question: (action: number) => void;
}

const MANY = 12;

/** The move that a text means: the whole of it, its number, or the only one that ends so. */
export function readMove(text: string, actions: MoveInfo[]): MoveInfo | null {
  const word = text.trim().replace(/\s+/g, " ").toLowerCase();
  if (!word) return null;
  const whole = actions.find((move) => move.text.toLowerCase() === word);
  if (whole) return whole;
  const endings = actions.filter((move) => move.text.toLowerCase().endsWith(` ${word}`));
  if (endings.length === 1) return endings[0]!;
  const starts = actions.filter((move) => move.text.toLowerCase().startsWith(word));
  return starts.length === 1 ? starts[0]! : null;
}

export function Moves({ moves: actions, play, write, question }: MovesProps) {
  const [text, setText] = useState("");
  const [asking, setAsking] = useState(false);
  const words = text.trim().toLowerCase();
  const fitting = words ? actions.filter((move) => move.text.toLowerCase().includes(words)) : actions;
  return (
    <section class="moves" aria-label={t("your moves")}>
      <header>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const move = readMove(text, actions) ?? (fitting.length === 1 ? fitting[0]! : null);
            if (move) play(move.action);
            else if (text.trim()) write(text.trim());
            if (move) setText("");
          }}
        >
          <label for="move-text">{t("Move")}</label>
          <input
            id="move-text"
            autocomplete="off"
            placeholder={t("type or press")}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </form>
        <button type="button" class="quiet" aria-pressed={asking} onClick={() => setAsking(!asking)}>
          {asking ? t("pick a move to ask about") : t("why not…?")}
        </button>
      </header>
      <div class={`move-list ${actions.length > MANY ? "many" : ""}`}>
        {fitting.map((move) => (
          <button
            key={move.action}
            type="button"
            data-move={move.action}
            onClick={() => {
              setText("");
              if (asking) question(move.action);
              else play(move.action);
              setAsking(false);
            }}
          >
            {move.words || move.text}
          </button>
        ))}
        {fitting.length === 0 && <span class="soft">{t("no such move")}</span>}
      </div>
    </section>
  );
}

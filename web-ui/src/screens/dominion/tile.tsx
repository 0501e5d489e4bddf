/** A card of Dominion; its text appears while the pointer or the focus is on it. */

import type { DominionPile, MoveInfo } from "../../wire_types";
import { t } from "../../words";

interface TileProps {
  /** The name of the thing, and what there is to know about its card. */
  thing: string;
  pile: DominionPile;
  count?: number | undefined;
  /** What is counted, in words. */
  counted?: string;
  move?: MoveInfo | undefined;
  look: string;
  small?: boolean;
  play: (action: number) => void;
  refuse: (thing: string) => void;
}

const MARGIN = 8;

/** Move a card's text to the left as far as it would be cut off at the edge of the drawing. */
function keepInside({ currentTarget: tile }: { currentTarget: HTMLElement }): void {
  const text = tile.querySelector<HTMLElement>(".card-text")!;
  const drawing = tile.closest(".drawing");
  if (!drawing) return;
  text.style.left = "0";
  const beyond = text.getBoundingClientRect().right - drawing.getBoundingClientRect().right + MARGIN;
  if (beyond > 0) text.style.left = `${-beyond}px`;
}

export function Tile({ thing, pile, count, counted = "", move, look, small = false, play, refuse }: TileProps) {
  const { name, cost, kinds, words, text } = pile;
  const looks = [
    "tile",
    ...kinds.map((kind) => `kind-${kind}`),
    small ? "small" : "",
    move ? "playable" : "",
    count === 0 ? "gone" : "",
    look,
  ];
  const title = t("{card}, {kinds}, costs {cost}", { card: name, kinds: words.join(t(" and ")), cost });
  const label = `${move ? `${move.verb_words} ` : ""}${title}${count === undefined ? "" : `, ${count} ${counted}`}. ${text}`;
  return (
    <button
      type="button"
      class={looks.join(" ")}
      aria-label={label}
      aria-disabled={!move}
      data-thing={thing}
      data-action={move?.action}
      onPointerEnter={keepInside}
      onFocus={keepInside}
      onClick={() => (move ? play(move.action) : refuse(thing))}
    >
      <span class="tile-name">{name}</span>
      {!small && <span class="cost">{cost}</span>}
      {count !== undefined && <span class="count">{small ? `×${count}` : count}</span>}
      <span class="card-text" role="tooltip">
        <b>{title}</b>
        <br />
        {text}
      </span>
    </button>
  );
}

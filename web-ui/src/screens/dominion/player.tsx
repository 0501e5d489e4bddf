/** A player of Dominion: points, sizes of piles, and what everybody may know of the cards. */

import type { ComponentChildren } from "preact";
import type { DominionPlayer } from "../../wire_types";
import { count, t } from "../../words";

const cardsText = (cards: { [card: string]: number }): string =>
  Object.entries(cards)
    .map(([card, copies]) => `${copies} ${card}`)
    .join(", ");

interface PlayerProps {
  player: DominionPlayer;
  name: string;
  toMove: boolean;
  look: string;
  /** Cards on the deck, and in the hand where another's may be seen. */
  children: ComponentChildren;
}

export function Player({ player, name, toMove, look, children }: PlayerProps) {
  const { points, turns, hand_size, deck_size, discard_size, owned, deck } = player;
  const all = Object.values(owned).reduce((sum, copies) => sum + copies, 0);
  return (
    <div class={`dominion-player ${toMove ? "to-move" : ""} ${look}`} data-seat={player.seat}>
      <b>{name}</b>
      <span class="victory">{count(points, "{n} point", "{n} points")}</span>
      <span class="soft">
        {t("turn {turn}, hand {hand}, deck {deck}, discard {discard}", {
          turn: turns,
          hand: hand_size,
          deck: deck_size,
          discard: discard_size,
        })}
      </span>
      <details>
        <summary>{count(all, "owns {n} card", "owns {n} cards")}</summary>
        <span class="owned">{cardsText(owned)}</span>
        {Object.keys(deck).length > 0 && <span class="owned">{t("In the deck: {cards}", { cards: cardsText(deck) })}</span>}
      </details>
      {children}
    </div>
  );
}

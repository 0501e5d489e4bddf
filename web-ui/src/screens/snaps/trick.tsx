/** The trick on the table, and those before it. */

import type { SnapsCard, SnapsPicture, SnapsTrick } from "../../wire_types";
import { t } from "../../words";
import { marked } from "../marked";
import { CardFace } from "./card";

interface TrickProps {
  picture: SnapsPicture;
  advised: string[];
  last: string[];
  said: string;
  cardOf: (name: string) => SnapsCard;
}

export function Trick({ picture, advised, last, said, cardOf }: TrickProps) {
  const { cards, done } = picture.trick;
  const placeOf = (seat: number): string => picture.players.find((player) => player.seat === seat)?.place ?? "";
  return (
    <div class={`trick ${done ? "done" : ""}`} role="group" aria-label={t("the trick")}>
      {cards.map(({ card, seat, announced, wins }) => (
        <span
          key={card}
          class={`trick-card ${placeOf(seat)} ${wins ? "wins" : ""} ${marked(card, advised, last)}`}
          data-thing={card}
          role="img"
          aria-label={cardOf(card).words}
        >
          <CardFace card={cardOf(card)} />
          {announced > 0 && <span class="marriage">{t("for {n}", { n: announced })}</span>}
        </span>
      ))}
      {cards.length === 0 && <span class="soft">{said}</span>}
    </div>
  );
}

interface FinishedProps {
  tricks: SnapsTrick[];
  nameOf: (seat: number) => string;
  cardOf: (name: string) => SnapsCard;
}

export function FinishedTricks({ tricks, nameOf, cardOf }: FinishedProps) {
  if (tricks.length === 0) return null;
  return (
    <details class="snaps-before">
      <summary>{t("Tricks before this one")}</summary>
      <ol>
        {tricks.map(({ cards }, i) => (
          <li key={i}>
            {cards.map(({ card, seat, wins }) => (
              <span key={card} class={wins ? "wins" : ""}>
                <CardFace card={cardOf(card)} /> <small>{nameOf(seat)}</small>
              </span>
            ))}
          </li>
        ))}
      </ol>
    </details>
  );
}

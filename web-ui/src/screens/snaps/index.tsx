/** Snaps: the trick in the middle, the players round it, marriages, and a partner unknown until known. */

import { useEffect, useState } from "preact/hooks";
import type { MoveInfo, SnapsCard, SnapsPicture } from "../../wire_types";
import { t } from "../../words";
import { marked } from "../marked";
import type { ScreenProps } from "../screen";
import { BeliefTable, hundredths } from "./belief";
import { CardFace, SuitSign } from "./card";
import { Contract } from "./contract";
import { Player } from "./player";
import { FinishedTricks, Trick } from "./trick";
import "./style.css";

/** The belief about who was dealt the named card. */
const PARTNER = "partner";

function choiceText({ verb }: MoveInfo, card: SnapsCard): string {
  if (verb === "play") return t("Play it");
  return verb === "announce"
    ? t("Announce the marriage for {n}", { n: card.marriage })
    : t("Announce it for {n} and say dost", { n: card.marriage });
}

export function Snaps({ picture: given, seat, turn, moves, play, refuse, names, last, advised, belief }: ScreenProps) {
  const picture = given as unknown as SnapsPicture;
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => setChosen(null), [moves, seat]);
  const nameOf = (who: number): string => (who === seat ? t("You") : (names[who] ?? ""));
  const cards = new Map(picture.pack.map((card) => [card.name, card]));
  const cardOf = (name: string): SnapsCard => cards.get(name)!;
  const lastThings = last?.objects ?? [];
  const mine = picture.players[0]!;
  /** A marriage is about two cards; the first is the one that is led. */
  const movesOf = (card: string): MoveInfo[] => moves.filter((move) => move.objects[0] === card);
  const words = moves.filter((move) => move.objects.length === 0);
  const naming = moves.some((move) => move.verb === "name");

  const press = (card: string) => {
    const about = movesOf(card);
    if (about.length === 1) play(about[0]!.action);
    else if (about.length > 1) setChosen(chosen === card ? null : card);
    else refuse(card);
  };
  const cardButton = (card: SnapsCard, label: string, look: string) => {
    const about = movesOf(card.name);
    const looks = ["snaps-press", about.length > 0 ? "playable" : "", chosen === card.name ? "chosen" : "", look];
    return (
      <button
        key={card.name}
        type="button"
        class={`${looks.join(" ")} ${marked(card.name, advised, lastThings)}`}
        data-thing={card.name}
        data-action={about.length === 1 ? about[0]!.action : undefined}
        data-several={about.length > 1 ? "" : undefined}
        aria-label={label}
        aria-disabled={about.length === 0}
        title={`${card.words} (${card.code})`}
        onClick={() => press(card.name)}
      >
        <CardFace card={card} />
      </button>
    );
  };
  const namingButton = (card: SnapsCard) => {
    const own = mine.hand.includes(card.name);
    const label = own
      ? t("name the {card}, which you hold", { card: card.words })
      : t("name the {card}", { card: card.words });
    return cardButton(card, label, own ? "own" : "");
  };
  const suits = [...new Set(picture.pack.map((card) => card.suit))];

  return (
    <div class="snaps">
      <Contract picture={picture} seat={seat} nameOf={nameOf} cardOf={cardOf} />
      <div class="snaps-table">
        {picture.players.map((player) => (
          <Player
            key={player.seat}
            player={player}
            name={nameOf(player.seat)}
            own={player === mine}
            toMove={turn === player.seat}
            look={marked(player.name, advised, lastThings)}
            holds={picture.holders.length > 1 && PARTNER in belief ? hundredths(belief[PARTNER], player.name) : null}
            cardOf={cardOf}
          />
        ))}
        {naming ? (
          <div class="naming" role="group" aria-label={t("name a card")}>
            {suits.map((suit) => (
              <div key={suit}>
                <SuitSign suit={suit} />
                {picture.pack.filter((card) => card.suit === suit).map(namingButton)}
              </div>
            ))}
            <p class="caption">
              {t("Whoever holds the card you name is your secret partner. Yours are framed: name one and you play alone.")}
            </p>
          </div>
        ) : (
          <Trick
            picture={picture}
            advised={advised}
            last={lastThings}
            said={picture.phase === "over" ? "" : (last?.text ?? "")}
            cardOf={cardOf}
          />
        )}
      </div>
      {!naming && (
        <div class="snaps-hand" role="group" aria-label={t("your hand")}>
          {mine.hand.map((name) => cardButton(cardOf(name), cardOf(name).words, ""))}
        </div>
      )}
      <div class="choices">
        {chosen !== null &&
          movesOf(chosen).map((move) => (
            <button
              key={move.action}
              type="button"
              class="primary"
              data-action={move.action}
              onClick={() => play(move.action)}
            >
              {choiceText(move, cardOf(chosen))}
            </button>
          ))}
        {words.map(({ action, text }) => (
          <button
            key={action}
            type="button"
            class={advised.includes(text) ? "advised" : ""}
            data-action={action}
            onClick={() => play(action)}
          >
            {text}
          </button>
        ))}
      </div>
      <FinishedTricks tricks={picture.before} nameOf={nameOf} cardOf={cardOf} />
      <BeliefTable picture={picture} belief={belief} nameOf={nameOf} />
    </div>
  );
}

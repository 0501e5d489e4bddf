/** Hanabi: fireworks, tokens, hands with pips, hint arrows, and hands as their owners see them. */

import { useEffect, useState } from "preact/hooks";
import type { HanabiHand, HanabiPicture, MoveInfo } from "../../wire_types";
import { t, word } from "../../words";
import { marked } from "../marked";
import type { ScreenProps } from "../screen";
import { HeldCard } from "./card";
import { OpenTable } from "./table";
import "./style.css";

/** A hint names the player, then what it says of the cards. */
function choiceText({ verb, objects }: MoveInfo, picture: HanabiPicture): string {
  if (verb === "play") return t("Play it");
  if (verb === "discard") return t("Discard it");
  const what = objects[1] ?? "";
  const rank = picture.ranks.find(({ name }) => name === what);
  return t("Hint {what}", { what: rank ? t("rank {n}", { n: rank.rank }) : word(what) });
}

export function Hanabi({ picture: given, seat, turn, over, moves, play, names, last, advised, belief }: ScreenProps) {
  const picture = given as unknown as HanabiPicture;
  const [chosen, setChosen] = useState<string | null>(null);
  const [seenAs, setSeenAs] = useState<number | null>(null);
  useEffect(() => setChosen(null), [moves, seat]);
  const [mine, ...others] = picture.hands;
  // a card that was played has left its place to another one: the picture says where it lies now
  const pointed = last?.verb === "hint" ? last.objects : [];
  const choices = (card: string): MoveInfo[] => moves.filter((move) => move.objects.includes(card));

  const hand = ({ name, seat: owner, cards }: HanabiHand) => {
    const own = owner === seat;
    const who = own ? t("You") : (names[owner] ?? "");
    const asOwner = seenAs === owner;
    const picked = cards.find((card) => card.name === chosen);
    const looks = ["hand", turn === owner ? "to-move" : "", own ? "mine" : "", marked(name, advised, pointed)];
    return (
      <section key={owner} class={looks.join(" ")} data-seat={owner}>
        <header>
          <h3>{who}</h3>
          {cards.some((card) => card.face !== null && !card.known) && (
            <button
              type="button"
              class="quiet"
              data-key="e"
              aria-pressed={asOwner}
              onClick={() => setSeenAs(asOwner ? null : owner)}
            >
              {asOwner ? t("as you see it") : own ? t("as you saw it") : t("as they see it")}
            </button>
          )}
        </header>
        <div class="held-row">
          {cards.map((card) => (
            <HeldCard
              key={card.number}
              card={card}
              picture={picture}
              owner={own ? t("your hand") : who}
              asOwner={asOwner}
              chosen={card === picked}
              look={marked(card.name, advised, pointed)}
              chances={belief[card.name] ?? []}
              choose={
                choices(card.name).length > 0 ? () => setChosen(card === picked ? null : card.name) : null
              }
            />
          ))}
        </div>
        {picked && (
          <div class="choices" role="group" aria-label={t("what to do with this card")}>
            {choices(picked.name).map((move) => (
              <button
                key={move.action}
                type="button"
                class="primary"
                data-action={move.action}
                onClick={() => play(move.action)}
              >
                {choiceText(move, picture)}
              </button>
            ))}
          </div>
        )}
      </section>
    );
  };

  return (
    <div class="hanabi">
      <OpenTable picture={picture} over={over} />
      <div class="hands" style={{ "--others": others.length > 3 ? 2 : others.length }}>
        {others.map(hand)}
        {mine && hand(mine)}
      </div>
    </div>
  );
}

/** One card of a hand: its face if it may be seen, and under it what its owner knows. */

import type { ChanceInfo, HanabiCard, HanabiPicture } from "../../wire_types";
import { t, word } from "../../words";
import { Suit } from "./suit";

const LIKELIEST = 3;
const percent = (chance: number): string => `${Math.round(100 * chance)} %`;

/** What the owner of a card knows of it, in words. */
function knowledge(card: HanabiCard, picture: HanabiPicture): string {
  const colours = card.colours.map(word).join(t(" or "));
  const ranks = card.ranks.join(t(" or "));
  return `${card.colours.length === picture.fireworks.length ? t("any colour") : colours}, ${
    card.ranks.length === picture.ranks.length ? t("any rank") : ranks
  }`;
}

function Pips({ card, picture }: { card: HanabiCard; picture: HanabiPicture }) {
  return (
    <span class="pips" aria-hidden="true">
      <span class="colour-pips">
        {picture.fireworks.map(({ name }) => (
          <Suit key={name} colour={name} look={card.colours.includes(name) ? "" : "out"} />
        ))}
      </span>
      <span class="rank-pips">
        {picture.ranks.map(({ rank }) => (
          <span key={rank} class={card.ranks.includes(rank) ? "" : "out"}>
            {rank}
          </span>
        ))}
      </span>
    </span>
  );
}

/** What a hint of the last round has said of the card. */
function Arrow({ arrow, picture }: { arrow: string; picture: HanabiPicture }) {
  if (!arrow) return <span class="arrow" />;
  const rank = picture.ranks.find(({ name }) => name === arrow);
  return (
    <span class="arrow on" aria-hidden="true">
      {rank ? <b>{rank.rank}</b> : <Suit colour={arrow} />}
      <i />
    </span>
  );
}

/** The likeliest faces of a card that is not seen, and how likely it can be played. */
function Belief({ chances, playable }: { chances: ChanceInfo[]; playable: string[] }) {
  const able = chances.filter(({ what }) => playable.includes(what)).reduce((sum, { chance }) => sum + chance, 0);
  return (
    <span class="card-belief">
      {chances.slice(0, LIKELIEST).map(({ what, words, chance }) => (
        <span key={what} class="card-chance">
          <i style={{ width: `${100 * chance}%` }} />
          <span>{words}</span> <b>{percent(chance)}</b>
        </span>
      ))}
      <span class="card-playable" title={t("how likely it can be played")}>
        ✓ {percent(able)}
      </span>
    </span>
  );
}

/** The sign of a mark, and what it means. */
function badgeOf(mark: HanabiCard["mark"]): { sign: string; words: string } | null {
  if (mark === "critical") return { sign: "!", words: t("the last copy") };
  return mark === "playable" ? { sign: "✓", words: t("can be played") } : null;
}

interface HeldCardProps {
  card: HanabiCard;
  picture: HanabiPicture;
  /** Whose hand it is, in words. */
  owner: string;
  asOwner: boolean;
  chosen: boolean;
  look: string;
  chances: ChanceInfo[];
  choose: (() => void) | null;
}

export function HeldCard({ card, picture, owner, asOwner, chosen, look, chances, choose }: HeldCardProps) {
  const face = asOwner && !card.known ? null : card.face;
  const mark = face ? card.mark : "";
  const badge = badgeOf(mark);
  const words = [
    t("card {number} of {owner}: {what}", {
      number: card.number,
      owner,
      what: face ? face.words : knowledge(card, picture),
    }),
    ...(mark ? [word(mark)] : []),
    ...(card.hinted ? [t("hinted")] : []),
  ];
  const looks = [
    "hanabi-card",
    face ? `face suit-${face.colour}` : "back",
    mark ? `mark-${mark}` : "",
    card.hinted ? "touched" : "",
    chosen ? "chosen" : "",
    look,
  ];
  return (
    <span class="held">
      <Arrow arrow={card.arrow} picture={picture} />
      <button
        type="button"
        class={looks.join(" ")}
        data-thing={card.name}
        aria-label={words.join(", ")}
        aria-pressed={chosen}
        aria-disabled={!choose}
        onClick={() => choose?.()}
      >
        <span class={`big ${face ? "" : "unknown"}`} aria-hidden="true">
          {face ? (
            <>
              <b>{face.rank}</b>
              <Suit colour={face.colour} />
            </>
          ) : (
            "?"
          )}
        </span>
        {badge && (
          <span class={`badge ${mark}`} title={badge.words}>
            {badge.sign}
          </span>
        )}
        <Pips card={card} picture={picture} />
      </button>
      {chances.length > 0 && !card.known && <Belief chances={chances} playable={picture.playable} />}
    </span>
  );
}

/** What lies open before everybody: the fireworks, the score, the tokens, the deck and the discards. */

import type { HanabiPicture } from "../../wire_types";
import { count, t, word } from "../../words";
import { Suit } from "./suit";

function Fireworks({ picture }: { picture: HanabiPicture }) {
  const words = picture.fireworks.map(({ name, height }) => `${word(name)} ${height}`).join(", ");
  return (
    <div class="fireworks" role="img" aria-label={t("fireworks: {piles}", { piles: words })}>
      {picture.fireworks.map(({ name, height, top, last }) => (
        <span
          key={name}
          class={`pile suit-${name} ${height === 0 ? "empty" : ""} ${last ? "last" : ""}`}
          data-thing={top || name}
        >
          <b>{height || ""}</b>
          <Suit colour={name} />
        </span>
      ))}
    </div>
  );
}

function Tokens({ label, left, all, look }: { label: string; left: number; all: number; look: string }) {
  return (
    <span class="tokens" role="img" aria-label={t("{left} of {all} {label}", { left, all, label })}>
      <span class="tokens-name">{label}</span>
      {Array.from({ length: all }, (_, i) => (
        <i key={i} class={`${look} ${i < left ? "" : "gone"}`} />
      ))}
    </span>
  );
}

function Discarded({ picture }: { picture: HanabiPicture }) {
  return (
    <div class="discarded">
      <h3>{t("Discarded")}</h3>
      {picture.discarded.length === 0 && <span class="soft">{t("nothing yet")}</span>}
      {picture.discarded.map(({ name, face, needed, last }) => (
        <span
          key={name}
          class={`chip suit-${face.colour} ${needed ? "needed" : ""} ${last ? "last" : ""}`}
          title={face.words}
          data-thing={name}
        >
          {face.rank}
          <Suit colour={face.colour} />
        </span>
      ))}
    </div>
  );
}

function Deck({ picture, over }: { picture: HanabiPicture; over: boolean }) {
  if (over) return <span>{t("the game is over")}</span>;
  if (picture.turns_left === null) return <span>{t("deck {n}", { n: picture.deck })}</span>;
  const left = picture.turns_left;
  return (
    <span>{count(left, "the deck is empty: {n} turn left", "the deck is empty: {n} turns left")}</span>
  );
}

export function OpenTable({ picture, over }: { picture: HanabiPicture; over: boolean }) {
  return (
    <div class="hanabi-top">
      <Fireworks picture={picture} />
      <div class="facts">
        <span class="score">
          <b>{picture.score}</b> {t("of {perfect}", { perfect: picture.perfect })}
          {picture.reachable < picture.perfect && !over && (
            <span class="soft"> ({t("{n} still possible", { n: picture.reachable })})</span>
          )}
        </span>
        <Tokens label={t("hints")} left={picture.hints} all={picture.most_hints} look="hint-token" />
        <Tokens label={t("lives")} left={picture.lives} all={picture.most_lives} look="life-token" />
        <Deck picture={picture} over={over} />
      </div>
      <Discarded picture={picture} />
    </div>
  );
}

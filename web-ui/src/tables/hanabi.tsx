/** Hanabi: fireworks, tokens, hands with pips, hint arrows, critical marks, and hands as their owners see them. */

import { useEffect, useState } from "preact/hooks";
import {
  arrowsOf,
  COLOURS,
  colourOf,
  critical,
  DISCARD,
  facesOf,
  type Arrow,
  type Faces,
  type HanabiView,
  held,
  hintAction,
  NONE,
  PLAY,
  playable,
  rankOf,
  RANKS,
  unseenBy,
  useless,
} from "./hanabi_cards";
import { Suit } from "./hanabi_shapes";
import { nameOf, type TableProps } from "./table";

const cardWords = (card: number): string => `${COLOURS[colourOf(card)]} ${rankOf(card) + 1}`;

function facesWords(faces: Faces): string {
  if (faces.only !== NONE) return cardWords(faces.only);
  const colours = COLOURS.filter((_, i) => faces.colours[i]);
  const ranks = RANKS.filter((_, i) => faces.ranks[i]);
  return `${colours.length === 5 ? "any colour" : colours.join(" or ")}, ${ranks.length === 5 ? "any rank" : ranks.join(" or ")}`;
}

function Pips({ faces }: { faces: Faces }) {
  return (
    <span class="pips" aria-hidden="true">
      <span class="colour-pips">
        {faces.colours.map((may, colour) => (
          <Suit key={colour} colour={colour} look={may ? "" : "out"} />
        ))}
      </span>
      <span class="rank-pips">
        {faces.ranks.map((may, rank) => (
          <span key={rank} class={may ? "" : "out"}>
            {rank + 1}
          </span>
        ))}
      </span>
    </span>
  );
}

function ArrowOver({ arrow }: { arrow: Arrow | null }) {
  if (!arrow) return <span class="arrow" />;
  return (
    <span class="arrow on" aria-hidden="true">
      {arrow.kind === "colour" ? <Suit colour={arrow.value} /> : <b>{arrow.value + 1}</b>}
      <i />
    </span>
  );
}

interface CardProps {
  view: HanabiView;
  card: number;
  faces: Faces;
  touched: boolean;
  arrow: Arrow | null;
  label: string;
  chosen: boolean;
  choose: (() => void) | null;
}

/** One card of a hand: its face if it may be seen, and under it what its owner knows. */
function HeldCard({ view, card, faces, touched, arrow, label, chosen, choose }: CardProps) {
  const face = card !== NONE ? card : faces.only;
  const sure = face !== NONE;
  const marks = sure
    ? critical(view, face)
      ? "critical"
      : useless(view, face)
        ? "useless"
        : playable(view, face)
          ? "ready"
          : ""
    : "";
  const looks = [
    "hanabi-card",
    sure ? `face suit-${colourOf(face)}` : "back",
    touched ? "touched" : "",
    chosen ? "chosen" : "",
    marks,
  ];
  const words = `${label}: ${sure ? cardWords(face) : facesWords(faces)}${marks ? `, ${marks}` : ""}${touched ? ", hinted" : ""}`;
  return (
    <span class="held">
      <ArrowOver arrow={arrow} />
      <button
        type="button"
        class={looks.join(" ")}
        aria-label={words}
        aria-pressed={chosen}
        aria-disabled={!choose}
        onClick={() => choose?.()}
      >
        {sure ? (
          <span class="big" aria-hidden="true">
            <b>{rankOf(face) + 1}</b>
            <Suit colour={colourOf(face)} />
          </span>
        ) : (
          <span class="big unknown" aria-hidden="true">
            ?
          </span>
        )}
        {marks === "critical" && (
          <span class="badge" title="the last copy">
            !
          </span>
        )}
        {marks === "ready" && (
          <span class="badge ok" title="can be played">
            ✓
          </span>
        )}
        <Pips faces={faces} />
      </button>
    </span>
  );
}

function Fireworks({ view }: { view: HanabiView }) {
  return (
    <div
      class="fireworks"
      role="img"
      aria-label={`fireworks: ${COLOURS.map((name, i) => `${name} ${view.piles[i]}`).join(", ")}`}
    >
      {view.piles.map((height, colour) => (
        <span key={colour} class={`pile suit-${colour} ${height === 0 ? "empty" : ""}`}>
          <b>{height || ""}</b>
          <Suit colour={colour} />
        </span>
      ))}
    </div>
  );
}

function Tokens({ label, left, all, look }: { label: string; left: number; all: number; look: string }) {
  return (
    <span class="tokens" role="img" aria-label={`${left} of ${all} ${label}`}>
      <span class="tokens-name">{label}</span>
      {Array.from({ length: all }, (_, i) => (
        <i key={i} class={`${look} ${i < left ? "" : "gone"}`} />
      ))}
    </span>
  );
}

function Discarded({ view }: { view: HanabiView }) {
  const gone = view.discarded.flatMap((count, card) => Array<number>(count).fill(card));
  return (
    <div class="discarded">
      <h3>Discarded</h3>
      {gone.length === 0 && <span class="soft">nothing yet</span>}
      {gone.map((card, i) => (
        <span
          key={i}
          class={`chip suit-${colourOf(card)} ${useless(view, card) ? "" : "needed"}`}
          title={cardWords(card)}
        >
          {rankOf(card) + 1}
          <Suit colour={colourOf(card)} />
        </span>
      ))}
    </div>
  );
}

export function Hanabi({ view: raw, seat, turn, over, actions, play, names }: TableProps) {
  const view = raw as HanabiView;
  const [chosen, setChosen] = useState<[number, number] | null>(null);
  const [empathy, setEmpathy] = useState<number | null>(null);
  useEffect(() => setChosen(null), [view.moves_made, seat]);
  const legal = new Set(actions.map((move) => move.action));
  const arrows = arrowsOf(view);
  const left = seat >= 0 ? unseenBy(view, seat) : null;
  const score = view.piles.reduce((sum, height) => sum + height, 0);
  const order = Array.from({ length: view.players }, (_, i) => (i + Math.max(seat, 0)) % view.players);

  const choices = (owner: number, slot: number): { action: number; text: string }[] => {
    if (owner === seat)
      return [
        { action: PLAY + slot, text: "Play it" },
        { action: DISCARD + slot, text: "Discard it" },
      ].filter(({ action }) => legal.has(action));
    const card = view.hands[owner]![slot]!;
    return [
      { action: hintAction(owner, "colour", colourOf(card)), text: `Hint ${COLOURS[colourOf(card)]}` },
      { action: hintAction(owner, "rank", rankOf(card)), text: `Hint rank ${rankOf(card) + 1}` },
    ].filter(({ action }) => legal.has(action));
  };

  const hand = (owner: number) => {
    const mine = owner === seat;
    const asOwner = empathy === owner;
    return (
      <section key={owner} class={`hand ${turn === owner ? "to-move" : ""} ${mine ? "mine" : ""}`}>
        <header>
          <h3>
            {mine ? "You" : nameOf(names, owner)}{" "}
            {(mine || !nameOf(names, owner).endsWith(` ${owner}`)) && <span class="soft">seat {owner}</span>}
          </h3>
          {!mine && (
            <button
              type="button"
              class="quiet"
              data-key="e"
              aria-pressed={asOwner}
              onClick={() => setEmpathy(asOwner ? null : owner)}
            >
              {asOwner ? "as you see it" : "as they see it"}
            </button>
          )}
        </header>
        <div class="held-row">
          {Array.from({ length: held(view, owner) }, (_, slot) => {
            const picks = choices(owner, slot);
            const isChosen = chosen !== null && chosen[0] === owner && chosen[1] === slot;
            return (
              <HeldCard
                key={slot}
                view={view}
                card={asOwner ? NONE : view.hands[owner]![slot]!}
                faces={facesOf(view, owner, slot, mine ? left : null)}
                touched={view.touched[owner]![slot]! > 0}
                arrow={arrows[owner]![slot] ?? null}
                label={`card ${slot + 1} of ${mine ? "your hand" : nameOf(names, owner)}`}
                chosen={isChosen}
                choose={picks.length > 0 ? () => setChosen(isChosen ? null : [owner, slot]) : null}
              />
            );
          })}
        </div>
        {chosen !== null && chosen[0] === owner && (
          <div class="choices" role="group" aria-label="what to do with this card">
            {choices(owner, chosen[1]).map(({ action, text }) => (
              <button key={action} type="button" class="primary" data-action={action} onClick={() => play(action)}>
                {text}
              </button>
            ))}
          </div>
        )}
      </section>
    );
  };

  return (
    <div class="hanabi">
      <div class="hanabi-top">
        <Fireworks view={view} />
        <div class="facts">
          <span class="score">
            <b>{score}</b> of 25
          </span>
          <Tokens label="hints" left={view.hints} all={8} look="hint-token" />
          <Tokens label="lives" left={view.lives} all={3} look="life-token" />
          <span>
            {over ? (
              "the game is over"
            ) : view.turns_left === NONE ? (
              <>
                deck <b>{view.deck_left}</b>
              </>
            ) : (
              <>
                the deck is empty: <b>{view.turns_left}</b> turns left
              </>
            )}
          </span>
        </div>
        <Discarded view={view} />
      </div>
      <div class="hands" style={{ "--others": order.length === 5 ? 2 : order.length - 1 }}>
        {order.slice(1).map(hand)}
        {order.slice(0, 1).map(hand)}
      </div>
    </div>
  );
}

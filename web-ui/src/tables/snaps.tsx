/** Snaps: the trick in the middle, the players round it, marriages, and a partner unknown until known. */

import { useEffect, useState } from "preact/hooks";
import { CardFace, cardCode, cardsIn, cardWords, SUIT_NAMES, suitOf, SuitSign } from "./snaps_cards";
import { nameOf, type TableProps } from "./table";

interface View {
  direction: number;
  phase: number;
  chooser: number;
  named: number;
  doubled_by: number;
  redoubled_by: number;
  plays: number;
  winner: number;
  played: number[];
  played_by: number[];
  announced: number[];
  points: number[];
  bonus: number[];
  tricks: number[];
  hands: number[];
  holder: number;
}

const CHOOSING = 0;
const FINISHED = 4;
const WORDS = 72;
const PLACES = ["south", "west", "north", "east"];

/** The line of the screen that says who plays with whom, and whom it makes a possible or a certain partner. */
function partnership(screen: string, chooser: number): { text: string; maybe: number[]; sure: number[] } {
  const text = screen.split("\n").find((line) => /partner unknown|play against|plays alone/.test(line)) ?? "";
  const seats = [...text.matchAll(/seat (\d)/g)].map((match) => Number(match[1]));
  const pair = /seats (\d) and (\d) play/.exec(text);
  const sure = pair ? [Number(pair[1]), Number(pair[2])].filter((seat) => seat !== chooser) : [];
  return { text, maybe: text.startsWith("partner unknown") ? seats : [], sure };
}

export function Snaps({ view: raw, screen, seat, turn, over, actions, play, names, last }: TableProps) {
  const view = raw as View;
  const [chosen, setChosen] = useState<number | null>(null);
  useEffect(() => setChosen(null), [view.plays, view.phase, seat]);
  const me = Math.max(seat, 0);
  const cardMoves = actions.filter((move) => move.action < WORDS);
  const words = actions.filter((move) => move.action >= WORDS);
  const movesOf = (card: number) => cardMoves.filter((move) => move.action % 24 === card);
  const trump = view.named >= 0 ? suitOf(view.named) : -1;
  const partners = partnership(screen, view.chooser);

  const started = view.plays % 4;
  const first = started > 0 || view.plays === 0 ? view.plays - started : view.plays - 4;
  const trick = Array.from({ length: Math.min(4, view.plays - first) }, (_, i) => ({
    card: view.played[first + i]!,
    by: view.played_by[first + i]!,
  }));
  const announced = view.announced[Math.floor(first / 4)] ?? 0;
  const done = trick.length === 4 && started === 0;

  const press = (card: number) => {
    const moves = movesOf(card);
    if (moves.length === 1) play(moves[0]!.action);
    else if (moves.length > 1) setChosen(chosen === card ? null : card);
  };

  const place = (who: number): string => PLACES[((((who - me) * view.direction) % 4) + 4) % 4]!;
  const badges = (who: number): string[] => [
    ...(who === view.chooser ? ["chooser"] : []),
    ...(partners.sure.includes(who) ? ["partner"] : []),
    ...(partners.maybe.includes(who) ? ["partner?"] : []),
    ...(view.doubled_by === who ? ["kontra"] : []),
    ...(view.redoubled_by === who ? ["rekontra"] : []),
  ];
  const handSize = (who: number): number => 6 - view.played_by.filter((by, i) => i < view.plays && by === who).length;

  const player = (who: number) => (
    <div key={who} class={`snaps-player ${place(who)} ${turn === who ? "to-move" : ""}`}>
      <b>{who === seat ? "You" : nameOf(names, who)}</b>
      <span class="soft">
        {view.points[who]! + 0} points{view.bonus[who] ? ` + ${view.bonus[who]}` : ""}, {view.tricks[who]} trick
        {view.tricks[who] === 1 ? "" : "s"}
      </span>
      {badges(who).map((badge) => (
        <span key={badge} class={`role role-${badge.replace("?", "-maybe")}`}>
          {badge}
        </span>
      ))}
      {who !== me && (
        <span class="snaps-backs" aria-label={`${handSize(who)} cards`} role="img">
          {over && view.hands[who]
            ? cardsIn(view.hands[who]!).map((card) => <CardFace key={card} card={card} />)
            : Array.from({ length: handSize(who) }, (_, i) => <i key={i} />)}
        </span>
      )}
    </div>
  );

  const cardButton = (card: number) => {
    const moves = movesOf(card);
    const only = moves.length === 1 ? moves[0]!.action : undefined;
    return (
      <button
        key={card}
        type="button"
        class={`bare ${moves.length > 0 ? "playable" : ""} ${chosen === card ? "chosen" : ""}`}
        aria-label={cardWords(card)}
        aria-disabled={moves.length === 0}
        title={`${cardWords(card)} (${cardCode(card)})`}
        data-action={only}
        data-card={moves.length > 1 ? card : undefined}
        onClick={() => press(card)}
      >
        <CardFace card={card} trump={suitOf(card) === trump} />
      </button>
    );
  };

  const naming = view.phase === CHOOSING && actions.length > 0;
  return (
    <div class="snaps">
      <div class="contract">
        {view.named < 0 ? (
          <span>{view.chooser === seat ? "You name" : `${nameOf(names, view.chooser)} names`} the trump card.</span>
        ) : (
          <>
            <CardFace card={view.named} />
            <span>
              <b>{view.chooser === seat ? "You" : nameOf(names, view.chooser)}</b> named the {cardWords(view.named)}:{" "}
              <b>{SUIT_NAMES[trump]}</b> are trumps. <br />
              <span class="soft">{partners.text}</span>
            </span>
          </>
        )}
      </div>
      <div class="snaps-table">
        {[0, 1, 2, 3].map(player)}
        {naming ? (
          <div class="naming" role="group" aria-label="name a card">
            {SUIT_NAMES.map((name, suit) => (
              <div key={name}>
                <SuitSign suit={suit} />
                {Array.from({ length: 6 }, (_, i) => 6 * suit + 5 - i).map((card) => (
                  <button
                    key={card}
                    type="button"
                    class={`bare playable ${(view.hands[me]! >> card) & 1 ? "own" : ""}`}
                    data-action={movesOf(card)[0]?.action}
                    aria-label={`name the ${cardWords(card)}${(view.hands[me]! >> card) & 1 ? ", which you hold" : ""}`}
                    onClick={() => press(card)}
                  >
                    <CardFace card={card} />
                  </button>
                ))}
              </div>
            ))}
            <p class="caption">
              Whoever holds the card you name is your secret partner. Yours are framed: name one and you play alone.
            </p>
          </div>
        ) : (
          <div class={`trick ${done ? "done" : ""}`} aria-label="the trick">
            {trick.map(({ card, by }, i) => (
              <span key={i} class={`trick-card ${place(by)}`}>
                <CardFace card={card} trump={suitOf(card) === trump} />
                {i === 0 && announced > 0 && <span class="marriage">for {announced}</span>}
              </span>
            ))}
            {trick.length === 0 && <span class="soft">{view.phase === FINISHED ? "" : (last?.text ?? "")}</span>}
          </div>
        )}
      </div>
      <div class="snaps-hand" role="group" aria-label="your hand">
        {cardsIn(view.hands[me]!).map(cardButton)}
      </div>
      <div class="choices">
        {chosen !== null &&
          movesOf(chosen).map(({ action, text }) => (
            <button key={action} type="button" class="primary" data-action={action} onClick={() => play(action)}>
              {text}
            </button>
          ))}
        {words.map(({ action, text }) => (
          <button key={action} type="button" data-action={action} onClick={() => play(action)}>
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Dominion: the supply by cost, the cards in play, the hand, and the text of a card wherever the pointer rests. */

import CARDS from "./dominion_cards.json";
import { nameOf, type TableProps } from "./table";

interface Card {
  name: string;
  cost: number;
  kind: string;
  points: number;
  text: string;
}

interface View {
  players: number;
  current: number;
  phase: number;
  actions: number;
  buys: number;
  coins: number;
  steps: number;
  turns: number[];
  hand_sizes: number[];
  deck_sizes: number[];
  top_sizes: number[];
  discard_sizes: number[];
  piles: number[];
  supply: number[];
  in_play: number[];
  aside: number[];
  trash: number[];
  owned: number[][];
  hand: number[];
  discard: number[];
}

const TABLE = CARDS as Card[];
const BASIC = 7;
const BASIC_ORDER = [5, 4, 3, 2, 1, 0, 6];
const GARDENS = TABLE.findIndex((card) => card.name === "Gardens");
const FROM_SUPPLY = /^(buy|gain) /;

const cardsIn = (counts: number[]): { card: number; count: number }[] =>
  TABLE.map((_, card) => ({ card, count: counts[card] ?? 0 })).filter(({ count }) => count > 0);

function points(owned: number[]): number {
  const all = owned.reduce((sum, count) => sum + count, 0);
  const each = owned.reduce((sum, count, card) => sum + count * (TABLE[card]?.points ?? 0), 0);
  return each + (owned[GARDENS] ?? 0) * Math.floor(all / 10);
}

/** Whether the text of a move is about this card; `show Moat` is a yes, whatever its number. */
const named = (text: string, card: number): boolean => card >= 0 && text.endsWith(` ${TABLE[card]?.name}`);

interface TileProps {
  card: number;
  count?: number;
  countLabel?: string;
  verb?: string;
  action?: number;
  play: (action: number) => void;
  small?: boolean;
}

/** A card; its text appears while the pointer or the focus is on it. */
function Tile({ card, count, countLabel = "", verb = "", action, play, small = false }: TileProps) {
  const { name, cost, kind, text } = TABLE[card]!;
  const looks = [
    "tile",
    ...kind.split("-").map((word) => `kind-${word}`),
    small ? "small" : "",
    action !== undefined ? "playable" : "",
    count === 0 ? "gone" : "",
  ];
  const label = `${verb ? `${verb} ` : ""}${name}, costs ${cost}${count === undefined ? "" : `, ${count} ${countLabel}`}. ${text}`;
  return (
    <button
      type="button"
      class={looks.join(" ")}
      aria-label={label}
      aria-disabled={action === undefined}
      data-action={action}
      onClick={() => action !== undefined && play(action)}
    >
      <span class="tile-name">{name}</span>
      {!small && <span class="cost">{cost}</span>}
      {count !== undefined && <span class="count">{small ? `×${count}` : count}</span>}
      <span class="card-text" role="tooltip">
        <b>
          {name}, {kind.replace("-", " and ")}, costs {cost}
        </b>
        <br />
        {text}
      </span>
    </button>
  );
}

function Player({
  view,
  who,
  mine,
  name,
  toMove,
}: {
  view: View;
  who: number;
  mine: boolean;
  name: string;
  toMove: boolean;
}) {
  const deck = view.deck_sizes[who]! + view.top_sizes[who]!;
  return (
    <div class={`dominion-player ${toMove ? "to-move" : ""}`}>
      <b>{mine ? "You" : name}</b>
      <span class="victory">{points(view.owned[who]!)} points</span>
      <span class="soft">
        turn {view.turns[who]}, hand {view.hand_sizes[who]}, deck {deck}, discard {view.discard_sizes[who]}
      </span>
      <details>
        <summary>owns {view.owned[who]!.reduce((a, b) => a + b, 0)} cards</summary>
        <span class="owned">
          {cardsIn(view.owned[who]!)
            .map(({ card, count }) => `${count} ${TABLE[card]!.name}`)
            .join(", ")}
        </span>
      </details>
    </div>
  );
}

export function Dominion({ view: raw, screen, seat, turn, over, actions, play, names }: TableProps) {
  const view = raw as View;
  const buying = new Map(
    actions.filter((move) => FROM_SUPPLY.test(move.text)).map((move) => [move.action - 1, move]),
  );
  const using = new Map(
    actions
      .filter((move) => !FROM_SUPPLY.test(move.text) && named(move.text, move.action - 1))
      .map((move) => [move.action - 1, move]),
  );
  const verbOf = (text: string, card: number): string => text.replace(TABLE[card]!.name, "").trim();
  const elsewhere = actions.filter((move) => {
    const card = move.action - 1;
    return !named(move.text, card) || !(buying.has(card) || (view.hand[card] ?? 0) > 0);
  });
  const kingdom = view.piles.filter((card) => card >= BASIC).sort((a, b) => TABLE[a]!.cost - TABLE[b]!.cost || a - b);
  const status = screen.split("\n").at(-1) ?? "";
  const pile = (card: number) => (
    <Tile
      key={card}
      card={card}
      count={view.supply[card]}
      countLabel="left"
      verb={buying.has(card) ? verbOf(buying.get(card)!.text, card) : ""}
      action={buying.get(card)?.action}
      play={play}
    />
  );
  const order = Array.from({ length: view.players }, (_, i) => (i + Math.max(seat, 0)) % view.players);
  return (
    <div class="dominion">
      <div class="dominion-players">
        {order.map((who) => (
          <Player
            key={who}
            view={view}
            who={who}
            mine={who === seat}
            name={nameOf(names, who)}
            toMove={turn === who}
          />
        ))}
      </div>
      <div class="supply" role="group" aria-label="the supply">
        <div class="basic">{BASIC_ORDER.filter((card) => view.piles.includes(card)).map(pile)}</div>
        <div class="kingdom-side">
          <div class="kingdom">{kingdom.map(pile)}</div>
          <div class="play-area">
            <section aria-label="in play">
              <h3>In play{view.current === seat ? "" : `: ${nameOf(names, view.current)}`}</h3>
              <div class="tiles">
                {cardsIn(view.in_play).map(({ card, count }) => (
                  <Tile key={card} card={card} count={count > 1 ? count : undefined} play={play} small />
                ))}
                {cardsIn(view.aside).map(({ card }) => (
                  <Tile key={`a${card}`} card={card} verb="set aside:" play={play} small />
                ))}
              </div>
            </section>
            <div class="purse" role="status">
              {!over && (
                <>
                  <span>
                    <b>{view.actions}</b> action{view.actions === 1 ? "" : "s"}
                  </span>
                  <span>
                    <b>{view.buys}</b> buy{view.buys === 1 ? "" : "s"}
                  </span>
                  <span class="coins">
                    <b>{view.coins}</b> coin{view.coins === 1 ? "" : "s"}
                  </span>
                </>
              )}
            </div>
          </div>
        </div>
      </div>
      <p class="caption strong">{over || view.steps > 0 ? status : ""}</p>
      <section class="dominion-hand" aria-label="your hand">
        <div class="tiles">
          {cardsIn(view.hand).map(({ card, count }) => (
            <Tile
              key={card}
              card={card}
              count={count > 1 ? count : undefined}
              countLabel="in hand"
              verb={using.has(card) ? verbOf(using.get(card)!.text, card) : ""}
              action={using.get(card)?.action}
              play={play}
            />
          ))}
        </div>
        <div class="choices">
          {elsewhere.map(({ action, text }) => (
            <button key={action} type="button" class="primary" data-action={action} onClick={() => play(action)}>
              {text}
            </button>
          ))}
        </div>
      </section>
      {cardsIn(view.trash).length > 0 && (
        <p class="soft">
          Trash:{" "}
          {cardsIn(view.trash)
            .map(({ card, count }) => `${count} ${TABLE[card]!.name}`)
            .join(", ")}
        </p>
      )}
    </div>
  );
}

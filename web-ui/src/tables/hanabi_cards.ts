/** What can be read off a view of Hanabi: the possible faces of a card, critical cards, arrows of the latest hints. */

export interface HanabiView {
  players: number;
  hand_size: number;
  hints: number;
  lives: number;
  deck_left: number;
  turns_left: number;
  mover: number;
  moves_made: number;
  piles: number[];
  discarded: number[];
  hands: number[][];
  colours: number[][];
  ranks: number[][];
  touched: number[][];
  log_actor: number[];
  log_action: number[];
  log_touched: number[];
}

export const COLOURS = ["red", "yellow", "green", "blue", "white"];
export const RANKS = [1, 2, 3, 4, 5];
export const NONE = -1;
export const PLAY = 0;
export const DISCARD = 5;
export const HINT = 10;
const COPIES = [3, 2, 2, 2, 1];
const SLOTS = 5;

export interface Arrow {
  kind: "colour" | "rank";
  value: number;
  from: number;
}

export const colourOf = (card: number): number => Math.floor(card / 5);
export const rankOf = (card: number): number => card % 5;
export const held = (view: HanabiView, seat: number): number =>
  view.colours[seat]!.filter((mask) => mask !== 0).length;
export const hintAction = (target: number, kind: "colour" | "rank", value: number): number =>
  HINT + 10 * target + (kind === "rank" ? 5 : 0) + value;

/** The highest rank, counted from 0, that a pile can no longer pass. */
function highest(view: HanabiView, colour: number): number {
  let rank = view.piles[colour]!;
  while (rank < 5 && view.discarded[5 * colour + rank]! < COPIES[rank]!) rank++;
  return rank;
}

export const playable = (view: HanabiView, card: number): boolean => view.piles[colourOf(card)] === rankOf(card);
export const useless = (view: HanabiView, card: number): boolean =>
  rankOf(card) < view.piles[colourOf(card)]! || rankOf(card) >= highest(view, colourOf(card));
/** The last copy of a card that is still needed. */
export const critical = (view: HanabiView, card: number): boolean =>
  !useless(view, card) && view.discarded[card] === COPIES[rankOf(card)]! - 1;

/** How many copies of each card this seat does not see anywhere: they lie in the deck or in its own hand. */
export function unseenBy(view: HanabiView, seat: number): number[] {
  const left = Array.from({ length: 25 }, (_, card) => {
    const onPile = rankOf(card) < view.piles[colourOf(card)]! ? 1 : 0;
    return COPIES[rankOf(card)]! - view.discarded[card]! - onPile;
  });
  view.hands.forEach((hand, owner) => {
    if (owner === seat) return;
    for (const card of hand) if (card !== NONE) left[card]!--;
  });
  return left;
}

export interface Faces {
  colours: boolean[];
  ranks: boolean[];
  count: number;
  only: number;
}

/** What a card may be for its owner: by hints, and by what is left where the counts are known. */
export function facesOf(view: HanabiView, seat: number, slot: number, left: number[] | null): Faces {
  const colours = COLOURS.map(() => false);
  const ranks = RANKS.map(() => false);
  let count = 0;
  let only = NONE;
  for (let card = 0; card < 25; card++) {
    const byHints = (view.colours[seat]![slot]! >> colourOf(card)) & (view.ranks[seat]![slot]! >> rankOf(card)) & 1;
    if (!byHints || (left && left[card]! <= 0)) continue;
    colours[colourOf(card)] = true;
    ranks[rankOf(card)] = true;
    only = card;
    count++;
  }
  return { colours, ranks, count, only: count === 1 ? only : NONE };
}

/** The hints of the last round, as arrows over the cards that they touched, followed as cards move up. */
export function arrowsOf(view: HanabiView): (Arrow | null)[][] {
  const arrows = Array.from({ length: view.players }, () => Array<Arrow | null>(SLOTS).fill(null));
  for (let move = Math.max(0, view.moves_made - view.players); move < view.moves_made; move++) {
    const action = view.log_action[move]!;
    const actor = view.log_actor[move]!;
    if (action < HINT) {
      const mine = arrows[actor]!;
      mine.splice(action % SLOTS, 1);
      mine.push(null);
      continue;
    }
    const target = Math.floor((action - HINT) / 10);
    const kind = Math.floor((action - HINT) / 5) % 2 === 0 ? "colour" : "rank";
    for (let slot = 0; slot < SLOTS; slot++)
      if ((view.log_touched[move]! >> slot) & 1)
        arrows[target]![slot] = { kind, value: (action - HINT) % 5, from: actor };
  }
  return arrows;
}

/** Kuhn and Leduc poker: two cards, perhaps an open one, and the pot. */

import { nameOf, type TableProps } from "./table";

interface View {
  card: number;
  shown: number;
  open?: number;
  dealt: number;
  pot?: number;
  paid?: [number, number];
}

const RANKS = "JQK";
const SUITS = ["♠", "♥"];

function PokerCard({ card, suited, label }: { card: number; suited: boolean; label: string }) {
  const known = card >= 0;
  const rank = known ? RANKS[suited ? Math.floor(card / 2) : card] : "";
  const suit = known && suited ? SUITS[card % 2] : "";
  return (
    <figure class="poker-seat">
      <div
        class={`poker-card ${known ? "" : "back"} ${suit === "♥" ? "red" : ""}`}
        role="img"
        aria-label={known ? `${rank}${suit}` : "hidden card"}
      >
        {rank}
        <small>{suit}</small>
      </div>
      <figcaption>{label}</figcaption>
    </figure>
  );
}

export function Poker({ view, seat, actions, play, names }: TableProps) {
  const { card, shown, open, pot, paid } = view as View;
  const suited = open !== undefined;
  const me = seat < 0 ? 0 : seat;
  const chips = pot ?? (paid ? paid[0] + paid[1] : 0);
  return (
    <div class="poker">
      <PokerCard card={shown} suited={suited} label={nameOf(names, 1 - me)} />
      <div class="pot">
        {suited && open >= 0 && <PokerCard card={open} suited={true} label="open" />}
        <span>
          pot <b>{chips}</b>
        </span>
      </div>
      <PokerCard card={card} suited={suited} label="you" />
      <div class="choices">
        {actions.map(({ action, text }) => (
          <button key={action} type="button" class="primary" data-action={action} onClick={() => play(action)}>
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}

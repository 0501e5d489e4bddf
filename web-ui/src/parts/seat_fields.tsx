/** Who sits where: me, a friend who comes by link, or an agent. */

import type { GameInfo, SeatWish } from "../wire";
import { AgentField } from "./agent_field";

interface SeatFieldsProps {
  game: GameInfo;
  seats: SeatWish[];
  change: (seats: SeatWish[]) => void;
}

const WHO: [SeatWish["who"], string][] = [
  ["me", "me"],
  ["agent", "computer"],
  ["open", "a friend, by link"],
];

export function SeatFields({ game, seats, change }: SeatFieldsProps) {
  const set = (index: number, seat: SeatWish) => change(seats.map((one, i) => (i === index ? seat : one)));
  return (
    <ol class="seat-fields" start={0}>
      {seats.map((seat, index) => (
        <li key={index}>
          <span class="seat-number">seat {index}</span>
          <select
            aria-label={`who sits in seat ${index}`}
            value={seat.who}
            onChange={(event) => {
              const who = event.currentTarget.value as SeatWish["who"];
              set(index, who === "agent" ? { who, agent: seat.agent ?? game.champion } : { who });
            }}
          >
            {WHO.map(([who, words]) => (
              <option key={who} value={who}>
                {words}
              </option>
            ))}
          </select>
          {seat.who === "agent" && (
            <AgentField
              game={game}
              label={`agent in seat ${index}`}
              text={seat.agent ?? game.champion}
              change={(agent) => set(index, { who: "agent", agent })}
            />
          )}
        </li>
      ))}
    </ol>
  );
}

/** Me in the first seat, the game's own champion in the others. */
export function usualSeats(game: GameInfo, count: number, mine = 0): SeatWish[] {
  return Array.from({ length: count }, (_, seat) =>
    seat === mine ? { who: "me" } : { who: "agent", agent: game.champion },
  );
}

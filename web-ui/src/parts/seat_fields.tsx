/** Who sits where: me, a friend who comes by link, or a computer player by name; the exact agent is one click away. */

import { useState } from "preact/hooks";
import { t } from "../words";
import type { GameInfo, OpponentInfo, SeatInfo, SeatBody } from "../wire_types";
import { AgentField } from "./agent_field";

interface SeatFieldsProps {
  game: GameInfo;
  seats: SeatBody[];
  /** Whether other people may be invited. */
  friends?: boolean;
  change: (seats: SeatBody[]) => void;
}

interface SeatFieldProps {
  game: GameInfo;
  seat: SeatBody;
  number: number;
  friends: boolean;
  set: (seat: SeatBody) => void;
}

/** The value that stands for an agent of one's own choice. */
const EXACTLY = "agent:";

const choiceOf = (game: GameInfo, seat: SeatBody): string => {
  if (seat.who !== "agent") return seat.who;
  const found = game.opponents.findIndex((one) => one.agent === seat.agent);
  return found < 0 ? EXACTLY : `opponent:${found}`;
};

function SeatField({ game, seat, number, friends, set }: SeatFieldProps) {
  const [exact, setExact] = useState(false);
  const value = choiceOf(game, seat);
  const opponent = game.opponents.find((one) => one.agent === seat.agent);
  const shown = exact || value === EXACTLY;
  return (
    <li>
      <span class="seat-number">{t("player {n}", { n: number + 1 })}</span>
      <select
        aria-label={t("who is player {n}", { n: number + 1 })}
        value={shown && seat.who === "agent" ? EXACTLY : value}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          setExact(chosen === EXACTLY);
          if (chosen === "me" || chosen === "open") set({ who: chosen });
          else if (chosen === EXACTLY) set({ who: "agent", agent: seat.agent ?? game.champion });
          else set({ who: "agent", agent: game.opponents[Number(chosen.split(":")[1])]!.agent });
        }}
      >
        <option value="me">{t("me")}</option>
        {friends && <option value="open">{t("a friend, by link")}</option>}
        <optgroup label={t("computer")}>
          {game.opponents.map((one, i) => (
            <option key={one.agent} value={`opponent:${i}`}>
              {one.name}
            </option>
          ))}
          <option value={EXACTLY}>{t("an agent of my choice…")}</option>
        </optgroup>
      </select>
      {seat.who === "agent" && opponent && !shown && <small class="soft">{opponent.about}</small>}
      {seat.who === "agent" && shown && (
        <AgentField
          game={game}
          label={t("agent of player {n}", { n: number + 1 })}
          text={seat.agent ?? game.champion}
          change={(agent) => set({ who: "agent", agent })}
        />
      )}
    </li>
  );
}

export function SeatFields({ game, seats, friends = true, change }: SeatFieldsProps) {
  return (
    <ol class="seat-fields">
      {seats.map((seat, index) => (
        <SeatField
          key={index}
          game={game}
          seat={seat}
          number={index}
          friends={friends}
          set={(one) => change(seats.map((other, i) => (i === index ? one : other)))}
        />
      ))}
    </ol>
  );
}

/** Me in the first seat, somebody whom a learner can beat in the others. */
export function usualSeats(game: GameInfo, count: number, mine = 0): SeatBody[] {
  return Array.from({ length: count }, (_, seat) =>
    seat === mine ? { who: "me" } : { who: "agent", agent: game.usual },
  );
}

/** The level above the one that I have just beaten, if it is one of them and not the last. */
export function nextLevel(game: GameInfo, seats: SeatInfo[], me: number, payoffs: number[]): OpponentInfo | null {
  const others = seats.filter((seat) => seat.seat !== me);
  const agent = others[0]?.agent;
  const won = payoffs[me] === Math.max(...payoffs) && payoffs[me]! > Math.min(...payoffs);
  if (game.utility === "cooperative" || !won || !others.every((seat) => seat.kind === "agent" && seat.agent === agent))
    return null;
  const level = game.opponents.findIndex((one) => one.agent === agent);
  return level < 0 ? null : (game.opponents[level + 1] ?? null);
}

/** Who sits at the table. One's own name can be changed in place. */

import { useState } from "preact/hooks";
import { keepName } from "../memory";
import type { SeatInfo } from "../wire";

interface SeatsProps {
  seats: SeatInfo[];
  names: string[];
  me: number;
  turn: number;
  rename: (name: string) => void;
}

export function Seats({ seats, names, me, turn, rename }: SeatsProps) {
  const [editing, setEditing] = useState(false);
  const save = (name: string) => {
    setEditing(false);
    const short = name.trim().slice(0, 32);
    if (!short) return;
    keepName(short);
    rename(short);
  };
  return (
    <ul class="seats" aria-label="players">
      {seats.map(({ seat, kind, connected }) => (
        <li
          key={seat}
          class={`${turn === seat ? "to-move" : ""} ${kind !== "agent" && kind !== "record" && !connected ? "away" : ""}`}
        >
          <span class="seat-sign" title={`seat ${seat}`}>
            {seat}
          </span>
          {seat === me && editing ? (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                save(new FormData(event.currentTarget).get("name") as string);
              }}
            >
              <input
                name="name"
                aria-label="my name"
                maxLength={32}
                defaultValue={names[seat]}
                autofocus
                onBlur={(event) => save(event.currentTarget.value)}
              />
            </form>
          ) : seat === me ? (
            <button type="button" class="quiet" title="change my name" onClick={() => setEditing(true)}>
              {names[seat]} (you)
            </button>
          ) : (
            <span>{names[seat]}</span>
          )}
          {kind === "agent" && <span class="soft">agent</span>}
          {kind !== "agent" && kind !== "record" && !connected && <span class="soft">away</span>}
        </li>
      ))}
    </ul>
  );
}

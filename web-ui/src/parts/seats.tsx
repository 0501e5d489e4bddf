/** Who sits at the table. One's own name can be changed in place. */

import { useState } from "preact/hooks";
import { keepName } from "../memory";
import { t } from "../words";
import type { SeatInfo } from "../wire_types";

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
    <ul class="seats" aria-label={t("players")}>
      {seats.map(({ seat, kind, connected, agent }) => (
        <li
          key={seat}
          class={`${turn === seat ? "to-move" : ""} ${kind !== "agent" && kind !== "record" && !connected ? "away" : ""}`}
        >
          <span class={`seat-sign sign-of-${seat}`} aria-hidden="true" />
          {seat === me && editing ? (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                save(new FormData(event.currentTarget).get("name") as string);
              }}
            >
              <input
                name="name"
                aria-label={t("my name")}
                maxLength={32}
                defaultValue={names[seat]}
                autofocus
                onBlur={(event) => save(event.currentTarget.value)}
              />
            </form>
          ) : seat === me ? (
            <button type="button" class="quiet" title={t("change my name")} onClick={() => setEditing(true)}>
              {t("{name} (you)", { name: names[seat] ?? "" })}
            </button>
          ) : (
            <span title={agent ?? undefined}>{names[seat]}</span>
          )}
          {kind === "agent" && <span class="soft">{t("computer")}</span>}
          {kind !== "agent" && kind !== "record" && !connected && <span class="soft">{t("away")}</span>}
        </li>
      ))}
    </ul>
  );
}

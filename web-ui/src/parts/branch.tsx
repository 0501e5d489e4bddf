/** Play on from any moment, at a table of its own; the old game stays as it was. */

import { useState } from "preact/hooks";
import { keepBranch, keepInvitations, keepOrigin, keepToken } from "../memory";
import { go } from "../route";
import { ask, type Refused } from "../wire";
import type { TableInfo, GameInfo, NewTableInfo, SeatInfo, SeatBody } from "../wire_types";
import { t } from "../words";
import { Dialog } from "./dialog";
import { SeatFields } from "./seat_fields";

interface BranchProps {
  description: TableInfo;
  game: GameInfo;
  seats: SeatInfo[];
  me: number;
  ply: number;
  turn: number;
  close: () => void;
}

function usual(game: GameInfo, seats: SeatInfo[], me: number, turn: number): SeatBody[] {
  const mine = me >= 0 ? me : Math.max(turn, 0);
  return seats.map((seat) =>
    seat.seat === mine ? { who: "me" } : { who: "agent", agent: seat.agent || game.champion },
  );
}

export function BranchDialog({ description, game, seats, me, ply, turn, close }: BranchProps) {
  const [wishes, setWishes] = useState(() => usual(game, seats, me, turn));
  const [error, setError] = useState("");
  const start = async () => {
    try {
      const made = await ask<NewTableInfo>("POST", `/api/tables/${description.table}/branch`, { ply, seats: wishes });
      if (made.token) keepToken(made.table, made.token);
      keepInvitations(made.table, made.invite);
      keepOrigin(made.table, { table: description.table, ply });
      keepBranch(description.table, { table: made.table, ply });
      close();
      go(`/t/${made.table}`);
    } catch (reason) {
      setError((reason as Refused).message);
    }
  };
  return (
    <Dialog title={t("Play on from move {ply}", { ply })} close={close}>
      <p class="soft">{t("A new table with the first {ply} moves. This game stays as it is; a link leads back.", { ply })}</p>
      <SeatFields game={game} seats={wishes} friends={!game.hidden && !game.chance} change={setWishes} />
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <button type="button" class="primary big" onClick={() => void start()}>
        {t("Play on")}
      </button>
    </Dialog>
  );
}

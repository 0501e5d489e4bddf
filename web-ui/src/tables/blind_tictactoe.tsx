/** Blind tic-tac-toe: my marks, those of the other that I ran into, and how many more lie somewhere. */

import { NineCells } from "./three_in_a_row";
import { SIGN_NAMES } from "./marks";
import type { TableProps } from "./table";

interface View {
  mine: number;
  found: number;
  moves: number;
}

const count = (mask: number): number => mask.toString(2).replaceAll("0", "").length;

export function BlindTicTacToe({ view, seat, actions, play, last }: TableProps) {
  const { mine, found, moves } = view as View;
  const marks: [number, number] = seat === 1 ? [found, mine] : [mine, found];
  const hidden = moves - count(mine) - count(found);
  return (
    <div class="stack">
      <NineCells marks={marks} actions={actions} play={play} lastCell={last?.seat === seat ? last.text : ""} />
      <p class="caption">
        You are <b>{SIGN_NAMES[seat] ?? "X"}</b>.{" "}
        {hidden === 0
          ? "You know every mark of the other."
          : `${hidden} mark${hidden === 1 ? "" : "s"} of the other lie${hidden === 1 ? "s" : ""} where you cannot see.`}
      </p>
    </div>
  );
}

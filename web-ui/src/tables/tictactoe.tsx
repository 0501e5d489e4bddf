/** Tic-tac-toe. */

import { NineCells } from "./three_in_a_row";
import type { TableProps } from "./table";

export function TicTacToe({ view, actions, play, last }: TableProps) {
  const { marks } = view as { marks: [number, number] };
  return <NineCells marks={marks} actions={actions} play={play} lastCell={last?.text ?? ""} />;
}

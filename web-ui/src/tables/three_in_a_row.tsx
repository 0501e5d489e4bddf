/** The board of nine cells, shared by tic-tac-toe and its blind sister. */

import type { TableProps } from "./table";
import { Grid } from "./grid";
import { SIGN_NAMES, signOf } from "./marks";

const LINES = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const COLUMNS = ["a", "b", "c"];
const ROWS = ["3", "2", "1"];

export interface NineProps extends Pick<TableProps, "actions" | "play"> {
  marks: [number, number];
  lastCell: string;
}

export function NineCells({ marks, actions, play, lastCell }: NineProps) {
  const legal = new Set(actions.map((move) => move.action));
  const line = LINES.find((cells) => marks.some((mask) => (mask & cells) === cells)) ?? 0;
  const cells = Array.from({ length: 9 }, (_, cell) => {
    const owner = marks.findIndex((mask) => (mask >> cell) & 1);
    const name = COLUMNS[cell % 3]! + ROWS[Math.floor(cell / 3)]!;
    const look = [(line >> cell) & 1 ? "winning" : "", name === lastCell ? "last" : ""].join(" ");
    return {
      label: `${name}, ${owner < 0 ? "empty" : SIGN_NAMES[owner]}`,
      mark: owner < 0 ? undefined : signOf(owner),
      look,
      action: legal.has(cell) ? cell : undefined,
    };
  });
  return (
    <Grid label="board" columns={3} cells={cells} play={play} look="nine" columnNames={COLUMNS} rowNames={ROWS} />
  );
}

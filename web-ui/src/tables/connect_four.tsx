/** Connect four: a click anywhere in a column drops a disc. */

import { Grid } from "./grid";
import { Disc } from "./marks";
import { bits, type TableProps } from "./table";

const COLUMNS = 7;
const ROWS = 6;
const STRIDE = ROWS + 1;
const DIRECTIONS = [1, STRIDE, STRIDE - 1, STRIDE + 1];
const COLOURS = ["yellow", "blue"];

function winning(board: boolean[]): Set<number> {
  const found = new Set<number>();
  for (let cell = 0; cell < board.length; cell++)
    for (const step of DIRECTIONS) {
      const line = [0, 1, 2, 3].map((i) => cell + i * step);
      if (line.every((one) => board[one])) line.forEach((one) => found.add(one));
    }
  return found;
}

export function ConnectFour({ view, actions, play, last }: TableProps) {
  const { discs } = view as { discs: [number | string, number | string] };
  const boards = discs.map((mask) => bits(mask, COLUMNS * STRIDE));
  const lines = boards.map(winning);
  const legal = new Set(actions.map((move) => move.action));
  const cells = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
    const column = index % COLUMNS;
    const bit = STRIDE * column + ROWS - 1 - Math.floor(index / COLUMNS);
    const owner = boards.findIndex((board) => board[bit]);
    const above = boards.some((board) => board[bit + 1]);
    const isLast = last?.text === String(column + 1) && owner >= 0 && owner === last.seat && !above;
    return {
      label: `column ${column + 1}, row ${(bit % STRIDE) + 1}, ${owner < 0 ? "empty" : COLOURS[owner]}`,
      mark: owner < 0 ? <span class="hole" /> : <Disc seat={owner} />,
      look: `${lines.some((line) => line.has(bit)) ? "winning" : ""} ${isLast ? "last" : ""} column-${column}`,
      action: legal.has(column) ? column : undefined,
    };
  });
  const names = Array.from({ length: COLUMNS }, (_, column) => String(column + 1));
  return <Grid label="board" columns={COLUMNS} cells={cells} play={play} look="four" columnNames={names} />;
}

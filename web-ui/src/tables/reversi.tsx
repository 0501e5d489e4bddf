/** Reversi: dots show where one may move. */

import { Grid } from "./grid";
import { bits, nameOf, type TableProps } from "./table";

const LETTERS = [..."abcdefgh"];
const NUMBERS = [..."12345678"];
const PASS = 64;
const COLOURS = ["black", "white"];

export function Reversi({ view, actions, play, last, names, turn }: TableProps) {
  const { discs } = view as { discs: [number | string, number | string] };
  const boards = discs.map((mask) => bits(mask, 64));
  const legal = new Set(actions.map((move) => move.action));
  const cells = Array.from({ length: 64 }, (_, cell) => {
    const owner = boards.findIndex((board) => board[cell]);
    const name = LETTERS[cell % 8]! + NUMBERS[Math.floor(cell / 8)]!;
    const playable = legal.has(cell);
    return {
      label: `${name}, ${owner < 0 ? "empty" : COLOURS[owner]}`,
      mark: owner >= 0 ? <span class={`stone stone-${owner}`} /> : playable ? <span class="dot" /> : undefined,
      look: name === last?.text ? "last" : "",
      action: playable ? cell : undefined,
    };
  });
  const counts = boards.map((board) => board.filter(Boolean).length);
  return (
    <div class="stack">
      <Grid
        label="board"
        columns={8}
        cells={cells}
        play={play}
        look="eight"
        columnNames={LETTERS}
        rowNames={NUMBERS}
      />
      <div class="tally">
        {counts.map((count, seat) => (
          <span key={seat} class={turn === seat ? "to-move" : ""}>
            <span class={`stone stone-${seat}`} aria-hidden="true" /> {nameOf(names, seat)} <b>{count}</b>
          </span>
        ))}
        {legal.has(PASS) && (
          <button type="button" class="primary" data-action={PASS} onClick={() => play(PASS)}>
            Pass: nothing can be turned
          </button>
        )}
      </div>
    </div>
  );
}

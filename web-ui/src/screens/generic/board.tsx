/** A board of cells. Every cell is a button; the arrow keys walk over it while it has the focus. */

import { useRef } from "preact/hooks";

import type { Board, Cell, ChanceInfo } from "../../wire_types";
import { Shape } from "./shapes";
import { meaning, type Pressing } from "./pressing";
import type { MoveInfo } from "../../wire_types";

interface BoardProps {
  board: Board;
  moves: MoveInfo[];
  pressing: Pressing;
  last: string[];
  advised: string[];
  belief: { [thing: string]: ChanceInfo[] };
}

const STEPS: { [key: string]: [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const sum = (chances: ChanceInfo[]): number => chances.reduce((all, { chance }) => all + chance, 0);

export function BoardBlock({ board, moves, pressing, last, advised, belief }: BoardProps) {
  const box = useRef<HTMLDivElement>(null);
  const { columns, cells } = board;
  const playable = cells.map((cell) => meaning(moves, cell.name, pressing.chosen, pressing.verb));
  const entry = Math.max(
    0,
    playable.findIndex((what) => what !== null),
  );
  const walk = (event: KeyboardEvent, index: number) => {
    const step = STEPS[event.key];
    if (!step) return;
    const column = (index % columns) + step[0];
    const target = index + step[0] + step[1] * columns;
    if (column < 0 || column >= columns || target < 0 || target >= cells.length) return;
    event.preventDefault();
    event.stopPropagation();
    box.current?.querySelectorAll<HTMLButtonElement>("button")[target]?.focus();
  };
  const look = (cell: Cell, index: number): string =>
    [
      "cell",
      cell.mark ? `has-${cell.mark}` : "free",
      cell.name ? "" : "unused",
      cell.line ? "winning" : "",
      playable[index] ? "playable" : "",
      pressing.chosen === cell.name ? "chosen" : "",
      last.includes(cell.name) ? "last" : "",
      advised.includes(cell.name) ? "advised" : "",
    ].join(" ");
  return (
    <div class={`board look-${board.look}`} style={{ "--columns": columns }}>
      {board.column_names.length > 0 && (
        <div class={`column-names ${board.row_names.length > 0 ? "beside" : ""}`} aria-hidden="true">
          {board.column_names.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </div>
      )}
      <div class="board-middle">
        {board.row_names.length > 0 && (
          <div class="row-names" aria-hidden="true">
            {board.row_names.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </div>
        )}
        <div class="cells" role="group" aria-label={board.title} ref={box}>
          {cells.map((cell, index) => {
            const what = playable[index];
            const heat = cell.name in belief ? sum(belief[cell.name]!) : 0;
            return (
              <button
                key={index}
                type="button"
                class={look(cell, index)}
                aria-label={`${cell.words}${heat > 0 ? `, ${Math.round(100 * heat)} %` : ""}`}
                aria-disabled={!what}
                data-action={what && what !== "choose" ? what.action : undefined}
                data-thing={`${cell.name}/${index}`}
                data-name={cell.name}
                tabIndex={index === entry ? 0 : -1}
                style={heat > 0 ? { "--heat": heat } : undefined}
                onClick={(event) => {
                  if (event.detail > 0) event.currentTarget.blur(); // after the mouse, arrow keys mean time again
                  pressing.press(cell.name);
                }}
                onKeyDown={(event) => walk(event, index)}
              >
                <Shape name={cell.mark} owner={cell.owner} />
                {heat > 0 && <span class="heat">{Math.round(100 * heat)}</span>}
              </button>
            );
          })}
        </div>
      </div>
    </div>
  );
}

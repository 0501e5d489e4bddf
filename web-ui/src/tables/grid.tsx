/** A board of cells. Every cell is a button; the arrow keys walk over it while it has the focus. */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

export interface Cell {
  label: string;
  mark?: ComponentChildren;
  look?: string;
  action?: number;
}

interface GridProps {
  label: string;
  columns: number;
  cells: Cell[];
  play: (action: number) => void;
  look: string;
  columnNames?: string[];
  rowNames?: string[];
}

const STEPS: { [key: string]: [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function Grid({ label, columns, cells, play, look, columnNames, rowNames }: GridProps) {
  const board = useRef<HTMLDivElement>(null);
  const entry = Math.max(
    0,
    cells.findIndex((cell) => cell.action !== undefined),
  );

  const walk = (event: KeyboardEvent, index: number) => {
    const step = STEPS[event.key];
    if (!step) return;
    const column = (index % columns) + step[0];
    const target = index + step[0] + step[1] * columns;
    if (column < 0 || column >= columns || target < 0 || target >= cells.length) return;
    event.preventDefault();
    event.stopPropagation();
    board.current?.querySelectorAll<HTMLButtonElement>("button")[target]?.focus();
  };

  return (
    <div class={`board ${look}`} style={{ "--columns": columns }}>
      {columnNames && (
        <div class="column-names" aria-hidden="true">
          {columnNames.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </div>
      )}
      <div class="board-middle">
        {rowNames && (
          <div class="row-names" aria-hidden="true">
            {rowNames.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </div>
        )}
        <div class="cells" role="group" aria-label={label} ref={board}>
          {cells.map((cell, index) => {
            const action = cell.action;
            return (
              <button
                key={index}
                type="button"
                class={`cell ${cell.look ?? ""} ${action !== undefined ? "playable" : ""}`}
                aria-label={cell.label}
                aria-disabled={action === undefined}
                data-action={action}
                tabIndex={index === entry ? 0 : -1}
                onClick={(event) => {
                  if (event.detail > 0) event.currentTarget.blur(); // after the mouse, arrow keys mean time again
                  if (action !== undefined) play(action);
                }}
                onKeyDown={(event) => walk(event, index)}
              >
                {cell.mark}
              </button>
            );
          })}
        </div>
      </div>
    </div>
  );
}

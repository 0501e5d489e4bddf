/** Battleships: my sea beside the other's. Ships are placed and shots fired by clicking a cell. */

import { useState } from "preact/hooks";
import { Grid, type Cell } from "./grid";
import { type TableProps, nameOf } from "./table";

interface View {
  width: number;
  ships: number;
  placed: [number, number];
  marks: [number[], number[]];
  places: number[];
}

const SHIPS = ["carrier", "battleship", "cruiser", "submarine", "destroyer"];
const LENGTHS = [5, 4, 3, 3, 2];
const LETTERS = [..."abcdefghij"];
const MISS = 1;
const HIT = 2;
const SUNK = 3;

function cellsOf(place: number, ship: number, width: number): number[] {
  const down = place >= width * width;
  const start = down ? place - width * width : place;
  return Array.from({ length: LENGTHS[ship]! }, (_, i) => start + i * (down ? width : 1));
}

const cellName = (cell: number, width: number): string => `${LETTERS[cell % width]}${Math.floor(cell / width) + 1}`;

function answer(mark: number): string {
  return mark === MISS ? "miss" : mark === HIT ? "hit" : mark >= SUNK ? `${SHIPS[mark - SUNK]}, sunk` : "";
}

function peg(mark: number) {
  if (mark === 0) return undefined;
  return (
    <span class={mark === MISS ? "peg miss" : mark === HIT ? "peg hit" : "peg sunk"}>{mark === MISS ? "" : "×"}</span>
  );
}

export function Battleship({ view, seat, turn, actions, play, names, last }: TableProps) {
  const [down, setDown] = useState(false);
  const { width, ships, placed, marks, places } = view as View;
  const me = seat < 0 ? 0 : seat;
  const legal = new Set(actions.map((move) => move.action));
  const placing = placed[1] < ships;
  const mine = new Map<number, number>();
  places.forEach((place, ship) => place >= 0 && cellsOf(place, ship, width).forEach((cell) => mine.set(cell, ship)));
  const columns = LETTERS.slice(0, width);
  const rows = Array.from({ length: width }, (_, row) => String(row + 1));
  const lastCell = last?.text.split(":")[0];

  const sea = (owner: number, own: boolean): Cell[] =>
    Array.from({ length: width * width }, (_, cell) => {
      const mark = marks[owner]![cell]!;
      const ship = own ? mine.get(cell) : mark >= SUNK ? mark - SUNK : undefined;
      const action = own ? (placing ? cell + (down ? width * width : 0) : -1) : placing ? -1 : cell;
      const name = cellName(cell, width);
      const fresh = last && last.seat === 1 - owner && name === lastCell;
      const what = answer(mark) || (ship === undefined ? (own ? "water" : "unknown") : SHIPS[ship]);
      return {
        label: `${own ? "my sea" : "the other's sea"} ${name}, ${what}`,
        mark: peg(mark),
        look: `${ship === undefined ? "water" : "ship"} ${mark >= SUNK ? "down" : ""} ${fresh ? "last" : ""}`,
        action: legal.has(action) ? action : undefined,
      };
    });

  const next = SHIPS.length - ships + placed[me]!;
  const afloat = (owner: number) =>
    SHIPS.map((name, ship) => ({ name, ship }))
      .slice(SHIPS.length - ships)
      .map(({ name, ship }) => {
        const lost = marks[owner]!.includes(SUNK + ship);
        return (
          <li key={name} class={lost ? "lost" : ""}>
            <span class="hull" style={{ "--length": LENGTHS[ship] }} aria-hidden="true" /> {name}
            {lost && <span class="unseen">, sunk</span>}
          </li>
        );
      });
  return (
    <div class="seas">
      <section>
        <h3>Your fleet</h3>
        <Grid
          label="your sea"
          columns={width}
          cells={sea(me, true)}
          play={play}
          look="sea own"
          columnNames={columns}
          rowNames={rows}
        />
        {placing && turn === me && actions.length > 0 ? (
          <p class="caption">
            Place the <b>{SHIPS[next]}</b> ({LENGTHS[next]} cells), its top left end first.{" "}
            <button type="button" aria-pressed={down} onClick={() => setDown(!down)}>
              {down ? "lies down ↓" : "lies across →"}
            </button>
          </p>
        ) : (
          <ul class="fleet">{afloat(me)}</ul>
        )}
      </section>
      <section>
        <h3>{nameOf(names, 1 - me)}</h3>
        <Grid
          label="the other's sea"
          columns={width}
          cells={sea(1 - me, false)}
          play={play}
          look="sea theirs"
          columnNames={columns}
          rowNames={rows}
        />
        <ul class="fleet">{afloat(1 - me)}</ul>
      </section>
    </div>
  );
}

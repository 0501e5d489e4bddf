/** Backgammon: the board from one's own side, home at the bottom right. Press a checker, then where it goes. */

import { useState } from "preact/hooks";
import { pressable } from "./pressing";
import { nameOf, type TableProps } from "./table";

interface View {
  checkers: [number[], number[]];
  dice: [number, number];
  unused: [number, number];
  mover: number;
}

const WIDE = 46;
const BAR_WIDE = 44;
const LEFT = 12;
const TOP = 26;
const TALL = 430;
const BAR = 25;
const OFF = 0;
const PASS = 150;
const RADIUS = 19;
const TRAY = LEFT + 12 * WIDE + BAR_WIDE + 14;

const columnOf = (point: number): number => (point <= 12 ? 12 - point : point - 13);
const xOf = (point: number): number => {
  if (point === BAR) return LEFT + 6 * WIDE + BAR_WIDE / 2;
  const column = columnOf(point);
  return LEFT + column * WIDE + (column >= 6 ? BAR_WIDE : 0) + WIDE / 2;
};
const isLow = (point: number): boolean => point <= 12;

function Checkers({ point, count, seat, low }: { point: number; count: number; seat: number; low: boolean }) {
  const shown = Math.min(count, 5);
  const circles = Array.from({ length: shown }, (_, i) => {
    const y = low ? TOP + TALL - RADIUS - 2 - i * (2 * RADIUS) : TOP + RADIUS + 2 + i * (2 * RADIUS);
    return (
      <g key={i}>
        <circle cx={xOf(point)} cy={y} r={RADIUS - 1} class={`checker checker-${seat}`} />
        <circle cx={xOf(point)} cy={y} r={RADIUS - 7} class={`checker-ring checker-ring-${seat}`} />
        {i === shown - 1 && count > 5 && (
          <text x={xOf(point)} y={y + 5} class={`checker-count checker-count-${seat}`}>
            {count}
          </text>
        )}
      </g>
    );
  });
  return <>{circles}</>;
}

function Die({ value, x, spent }: { value: number; x: number; spent: boolean }) {
  const spots: { [face: number]: [number, number][] } = {
    1: [[0, 0]],
    2: [
      [-1, -1],
      [1, 1],
    ],
    3: [
      [-1, -1],
      [0, 0],
      [1, 1],
    ],
    4: [
      [-1, -1],
      [1, -1],
      [-1, 1],
      [1, 1],
    ],
    5: [
      [-1, -1],
      [1, -1],
      [0, 0],
      [-1, 1],
      [1, 1],
    ],
    6: [
      [-1, -1],
      [1, -1],
      [-1, 0],
      [1, 0],
      [-1, 1],
      [1, 1],
    ],
  };
  return (
    <g transform={`translate(${x} ${TOP + TALL / 2})`} class={spent ? "die spent" : "die"}>
      <rect x="-17" y="-17" width="34" height="34" rx="6" />
      {(spots[value] ?? []).map(([dx, dy], i) => (
        <circle key={i} cx={dx * 9} cy={dy * 9} r="3.4" />
      ))}
    </g>
  );
}

export function Backgammon({ view, seat, turn, actions, play, names }: TableProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { checkers, dice, unused, mover } = view as View;
  const me = seat < 0 ? 0 : seat;
  const mine = checkers[me]!;
  const theirs = checkers[1 - me]!;
  const moves = actions
    .filter((move) => move.action !== PASS)
    .map(({ action, text }) => {
      const from = Math.floor(action / 6) + 1;
      return { action, text, from, to: Math.max(OFF, from - (action % 6) - 1) };
    });
  const source = moves.some((move) => move.from === chosen) ? chosen : null;
  const fromPlace = (place: number) => moves.filter((move) => move.from === place);
  const toPlace = (place: number) => moves.find((move) => move.from === source && move.to === place);

  const press = (place: number) => {
    const arriving = toPlace(place);
    const leaving = fromPlace(place);
    setChosen(null);
    if (arriving) play(arriving.action);
    else if (leaving.length === 1) play(leaving[0]!.action);
    else if (leaving.length > 1 && place !== source) setChosen(place);
  };
  const touch = (place: number, name: string) => {
    const arriving = toPlace(place);
    const leaving = fromPlace(place);
    if (!arriving && leaving.length === 0) return {};
    const only = arriving ?? (leaving.length === 1 ? leaving[0] : undefined);
    const label = arriving ? `move to ${name}` : `move a checker from ${name}`;
    return { ...pressable(label, () => press(place), only?.action), "data-place": place };
  };
  const look = (place: number): string =>
    toPlace(place)
      ? "target"
      : place === source
        ? "chosen"
        : fromPlace(place).length > 0 && source === null
          ? "source"
          : "";

  const points = Array.from({ length: 24 }, (_, i) => i + 1).map((point) => {
    const low = isLow(point);
    const x = xOf(point);
    const base = low ? TOP + TALL : TOP;
    const tip = low ? TOP + TALL - 180 : TOP + 180;
    const [count, owner] = mine[point]! > 0 ? [mine[point]!, me] : [theirs[25 - point]!, 1 - me];
    return (
      <g key={point} class={`point ${look(point)}`} {...touch(point, `point ${point}`)}>
        <rect x={x - WIDE / 2} y={low ? TOP + TALL / 2 : TOP} width={WIDE} height={TALL / 2} class="reach" />
        <path
          d={`M${x - WIDE / 2} ${base}L${x} ${tip}L${x + WIDE / 2} ${base}Z`}
          class={point % 2 ? "odd" : "even"}
        />
        <text x={x} y={low ? TOP + TALL + 18 : TOP - 8} class="point-name">
          {point}
        </text>
        <Checkers point={point} count={count} seat={owner} low={low} />
      </g>
    );
  });
  const pips = (places: number[]): number => places.reduce((sum, count, place) => sum + count * place, 0);
  const left = LEFT + 12 * WIDE + BAR_WIDE;
  return (
    <div class="stack">
      <svg viewBox={`0 0 ${TRAY + 66} ${TALL + 56}`} class="backgammon" role="group" aria-label="backgammon board">
        <rect x="2" y="2" width={TRAY + 62} height={TALL + 52} rx="10" class="frame" />
        <rect x={LEFT} y={TOP} width={left - LEFT} height={TALL} class="field" />
        <rect x={LEFT + 6 * WIDE} y={TOP} width={BAR_WIDE} height={TALL} class="middle" />
        {points}
        <g class={`point ${look(BAR)}`} {...touch(BAR, "the bar")}>
          <rect x={LEFT + 6 * WIDE} y={TOP + TALL / 2} width={BAR_WIDE} height={TALL / 2} class="reach" />
          <Checkers point={BAR} count={mine[BAR]!} seat={me} low={true} />
        </g>
        <Checkers point={BAR} count={theirs[BAR]!} seat={1 - me} low={false} />
        <g class={`point ${look(OFF)}`} {...touch(OFF, "off the board")}>
          <rect x={TRAY} y={TOP + TALL / 2 + 8} width="54" height={TALL / 2 - 8} rx="6" class="tray reach" />
          {Array.from({ length: mine[OFF]! }, (_, i) => (
            <rect
              key={i}
              x={TRAY + 6}
              y={TOP + TALL - 14 - i * 12.5}
              width="42"
              height="10"
              rx="2"
              class={`checker checker-${me}`}
            />
          ))}
        </g>
        <rect x={TRAY} y={TOP} width="54" height={TALL / 2 - 8} rx="6" class="tray" />
        {Array.from({ length: theirs[OFF]! }, (_, i) => (
          <rect
            key={i}
            x={TRAY + 6}
            y={TOP + 4 + i * 12.5}
            width="42"
            height="10"
            rx="2"
            class={`checker checker-${1 - me}`}
          />
        ))}
        {dice[0] > 0 && (
          <g class="dice">
            {(dice[0] === dice[1] ? [0, 1, 2, 3] : [0, 1]).map((i) => {
              const double = dice[0] === dice[1];
              const half = mover === me ? LEFT + 9 * WIDE + BAR_WIDE : LEFT + 3 * WIDE;
              const x = half + (double ? (i - 1.5) * 42 : (i - 0.5) * 46);
              return (
                <Die
                  key={i}
                  value={double ? dice[0] : dice[i]!}
                  x={x}
                  spent={double ? i >= unused[0] : unused[i] === 0}
                />
              );
            })}
          </g>
        )}
      </svg>
      <div class="tally">
        {[me, 1 - me].map((who) => (
          <span key={who} class={turn === who ? "to-move" : ""}>
            <span class={`token checker-${who}`} aria-hidden="true" /> {nameOf(names, who)}{" "}
            <b>{pips(checkers[who]!)}</b> pips
          </span>
        ))}
        {actions.some((move) => move.action === PASS) && (
          <button type="button" class="primary" data-action={PASS} onClick={() => play(PASS)}>
            Pass: no move is possible
          </button>
        )}
      </div>
    </div>
  );
}

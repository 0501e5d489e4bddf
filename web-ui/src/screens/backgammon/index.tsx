/** Backgammon: the board from one's own side, home at the bottom right. Press a checker, then where it goes. */

import { count, t } from "../../words";
import type { BackgammonPicture, Die as DieInfo } from "../../wire_types";
import { meaning, pressable, usePressing } from "../generic/pressing";
import type { ScreenProps } from "../screen";
import "./style.css";

const WIDE = 46;
const BAR_WIDE = 44;
const LEFT = 12;
const TOP = 26;
const TALL = 430;
const BAR = "bar";
const OFF = "off";
/** The other's, in the upper half. */
const THEIR_BAR = "their bar";
const THEIR_OFF = "their off";
const RADIUS = 19;
const TRAY = LEFT + 12 * WIDE + BAR_WIDE + 14;

const columnOf = (point: number): number => (point <= 12 ? 12 - point : point - 13);
const xOf = (place: string): number => {
  if (place === BAR) return LEFT + 6 * WIDE + BAR_WIDE / 2;
  const column = columnOf(Number(place));
  return LEFT + column * WIDE + (column >= 6 ? BAR_WIDE : 0) + WIDE / 2;
};
const isLow = (place: string): boolean => Number(place) <= 12;

function Checkers({ place, size, seat, low }: { place: string; size: number; seat: number; low: boolean }) {
  const shown = Math.min(size, 5);
  const circles = Array.from({ length: shown }, (_, i) => {
    const y = low ? TOP + TALL - RADIUS - 2 - i * (2 * RADIUS) : TOP + RADIUS + 2 + i * (2 * RADIUS);
    return (
      <g key={i}>
        <circle cx={xOf(place)} cy={y} r={RADIUS - 1} class={`checker checker-${seat}`} />
        <circle cx={xOf(place)} cy={y} r={RADIUS - 7} class={`checker-ring checker-ring-${seat}`} />
        {i === shown - 1 && size > 5 && (
          <text x={xOf(place)} y={y + 5} class={`checker-count checker-count-${seat}`}>
            {size}
          </text>
        )}
      </g>
    );
  });
  return <>{circles}</>;
}

function Die({ die, x }: { die: DieInfo; x: number }) {
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
    <g transform={`translate(${x} ${TOP + TALL / 2})`} class={die.spent ? "die spent" : "die"}>
      <rect x="-17" y="-17" width="34" height="34" rx="6" />
      {(spots[die.value] ?? []).map(([dx, dy], i) => (
        <circle key={i} cx={dx * 9} cy={dy * 9} r="3.4" />
      ))}
    </g>
  );
}

export function Backgammon({ picture, seat, turn, moves, play, names, last, advised }: ScreenProps) {
  const { stacks, dice, thrown_by, pips } = picture as unknown as BackgammonPicture;
  const pressing = usePressing(moves, play);
  const me = seat < 0 ? 0 : seat;
  const held = (place: string, owner: number): number =>
    stacks.find((stack) => stack.name === place && stack.owner === owner)?.count ?? 0;
  /** A move names first where it begins, then where it ends. */
  const leaving = (place: string) => moves.filter((move) => move.objects[0] === place);
  const arriving = (place: string) =>
    moves.find((move) => move.objects[0] === pressing.chosen && move.objects[1] === place);

  const press = (place: string) => {
    const there = arriving(place);
    if (there) play(there.action);
    else if (leaving(place).length > 0) pressing.press(place);
  };
  const touch = (place: string, name: string) => {
    const there = arriving(place);
    const from = leaving(place);
    if (!there && from.length === 0) return {};
    const what = there ?? meaning(from, place, null, "");
    const label = there ? t("move to {place}", { place: name }) : t("move a checker from {place}", { place: name });
    const action = what && what !== "choose" ? what.action : undefined;
    return { ...pressable(label, () => press(place), action), "data-place": place };
  };
  const look = (place: string): string =>
    [
      arriving(place)
        ? "target"
        : place === pressing.chosen
          ? "chosen"
          : leaving(place).length > 0 && pressing.chosen === null
            ? "source"
            : "",
      last?.objects.includes(place) ? "last" : "",
      advised.includes(place) ? "advised" : "",
    ].join(" ");

  const points = Array.from({ length: 24 }, (_, i) => String(i + 1)).map((place) => {
    const low = isLow(place);
    const x = xOf(place);
    const base = low ? TOP + TALL : TOP;
    const tip = low ? TOP + TALL - 180 : TOP + 180;
    return (
      <g key={place} class={`point ${look(place)}`} {...touch(place, t("point {place}", { place }))}>
        <rect x={x - WIDE / 2} y={low ? TOP + TALL / 2 : TOP} width={WIDE} height={TALL / 2} class="reach" />
        <path
          d={`M${x - WIDE / 2} ${base}L${x} ${tip}L${x + WIDE / 2} ${base}Z`}
          class={Number(place) % 2 ? "odd" : "even"}
        />
        <text x={x} y={low ? TOP + TALL + 18 : TOP - 8} class="point-name">
          {place}
        </text>
        {[0, 1].map((owner) => (
          <Checkers key={owner} place={place} size={held(place, owner)} seat={owner} low={low} />
        ))}
      </g>
    );
  });
  const left = LEFT + 12 * WIDE + BAR_WIDE;
  const others = moves.filter((move) => move.objects.length === 0);
  return (
    <div class="stack">
      <svg
        viewBox={`0 0 ${TRAY + 66} ${TALL + 56}`}
        class="backgammon"
        role="group"
        aria-label={t("backgammon board")}
      >
        <rect x="2" y="2" width={TRAY + 62} height={TALL + 52} rx="10" class="frame" />
        <rect x={LEFT} y={TOP} width={left - LEFT} height={TALL} class="field" />
        <rect x={LEFT + 6 * WIDE} y={TOP} width={BAR_WIDE} height={TALL} class="middle" />
        {points}
        <g class={`point ${look(BAR)}`} {...touch(BAR, t("the bar"))}>
          <rect x={LEFT + 6 * WIDE} y={TOP + TALL / 2} width={BAR_WIDE} height={TALL / 2} class="reach" />
          <Checkers place={BAR} size={held(BAR, me)} seat={me} low={true} />
        </g>
        <g class={`point ${look(THEIR_BAR)}`}>
          <rect x={LEFT + 6 * WIDE} y={TOP} width={BAR_WIDE} height={TALL / 2} class="reach" />
          <Checkers place={BAR} size={held(THEIR_BAR, 1 - me)} seat={1 - me} low={false} />
        </g>
        <g class={`point ${look(OFF)}`} {...touch(OFF, t("off the board"))}>
          <rect x={TRAY} y={TOP + TALL / 2 + 8} width="54" height={TALL / 2 - 8} rx="6" class="tray reach" />
          {Array.from({ length: held(OFF, me) }, (_, i) => (
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
        <g class={`point ${look(THEIR_OFF)}`}>
          <rect x={TRAY} y={TOP} width="54" height={TALL / 2 - 8} rx="6" class="tray reach" />
          {Array.from({ length: held(THEIR_OFF, 1 - me) }, (_, i) => (
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
        </g>
        <g class="dice">
          {dice.map((die, i) => {
            const half = thrown_by === me ? LEFT + 9 * WIDE + BAR_WIDE : LEFT + 3 * WIDE;
            return <Die key={i} die={die} x={half + (i - (dice.length - 1) / 2) * 44} />;
          })}
        </g>
      </svg>
      <div class="tally">
        {[me, 1 - me].map((who) => (
          <span key={who} class={turn === who ? "to-move" : ""} data-seat={who}>
            <span class={`token checker-${who}`} aria-hidden="true" /> {who === seat ? t("You") : names[who]}{" "}
            <b>{pips[who]}</b> {count(pips[who] ?? 0, "pip", "pips")}
          </span>
        ))}
        {others.map(({ action, verb_words: verb }) => (
          <button key={action} type="button" class="primary" data-action={action} onClick={() => play(action)}>
            {verb}
          </button>
        ))}
      </div>
    </div>
  );
}

/** The curves of an experiment in one picture: lines over steps, with their intervals, that can be taken away as SVG. */

import { useRef } from "preact/hooks";
import type { CurveInfo, CurvePoint } from "../lab_wire";
import { numeral, t } from "../words";
import { saveFigure } from "./figure";

const WIDE = 640;
const TALL = 260;
const LEFT = 58;
const RIGHT = 30;
const TOP = 14;
const BOTTOM = 40;
const MOST_NAMED = 8;

/** Round numbers that divide a range into about so many parts. */
export function ticks(low: number, high: number, about: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= 0.9 * rough) ?? 10 * power;
  const found: number[] = [];
  for (let tick = Math.ceil(low / step); tick * step <= high + step * 1e-9; tick++)
    found.push(Number((tick * step).toPrecision(12)));
  return found;
}

/** The range of all values, intervals included; never empty. */
export function range(numbers: number[]): [number, number] {
  const low = Math.min(...numbers);
  const high = Math.max(...numbers);
  if (low < high) return [low, high];
  const half = Math.abs(low) / 10 || 1;
  return [low - half, high + half];
}

const shortNumber = (value: number): string => numeral(value, { maximumSignificantDigits: 4 });

function line(points: CurvePoint[], x: (step: number) => number, y: (value: number) => number): string {
  return points.map(([step, value], i) => `${i ? "L" : "M"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}

/** The band between the ends of the intervals, where there are some. */
function band(points: CurvePoint[], x: (step: number) => number, y: (value: number) => number): string {
  const known = points.filter((point) => point[2] !== null && point[3] !== null);
  if (known.length < 2) return "";
  const there = known.map(([step, , , high]) => `${x(step).toFixed(1)} ${y(high!).toFixed(1)}`);
  const back = known.reverse().map(([step, , low]) => `${x(step).toFixed(1)} ${y(low!).toFixed(1)}`);
  return `M${there.join("L")}L${back.join("L")}Z`;
}

export function Curves({ curves, name }: { curves: CurveInfo[]; name: string }) {
  const drawing = useRef<SVGSVGElement>(null);
  const shown = curves.filter((curve) => curve.points.length > 0);
  if (shown.length === 0) return null;
  const across = shown[0]!.across;
  const upwards = shown[0]!.upwards;
  const points = shown.flatMap((curve) => curve.points);
  const [first, last] = range(points.map(([step]) => step));
  const [low, high] = range(points.flatMap(([, value, from, to]) => [value, from ?? value, to ?? value]));
  const x = (step: number): number => LEFT + ((WIDE - LEFT - RIGHT) * (step - first)) / (last - first);
  const y = (value: number): number => TALL - BOTTOM - ((TALL - TOP - BOTTOM) * (value - low)) / (high - low);
  const ends = shown.map((curve) => `${curve.name}: ${shortNumber(curve.points.at(-1)![1])}`).join(", ");
  return (
    <figure class="curves">
      <svg
        ref={drawing}
        viewBox={`0 0 ${WIDE} ${TALL}`}
        role="img"
        aria-label={t("{upwards} by {across}; {ends}", { upwards, across, ends })}
      >
        {ticks(low, high, 5).map((tick) => (
          <g key={tick}>
            <line class="rule" x1={LEFT} x2={WIDE - RIGHT} y1={y(tick)} y2={y(tick)} />
            <text class="tick up" x={LEFT - 6} y={y(tick) + 4}>
              {shortNumber(tick)}
            </text>
          </g>
        ))}
        {ticks(first, last, 6).map((tick) => (
          <text key={tick} class="tick" x={x(tick)} y={TALL - BOTTOM + 16}>
            {shortNumber(tick)}
          </text>
        ))}
        <text class="axis-name" x={(LEFT + WIDE - RIGHT) / 2} y={TALL - 6}>
          {across}
        </text>
        <text class="axis-name" transform={`translate(12 ${(TOP + TALL - BOTTOM) / 2}) rotate(-90)`}>
          {upwards}
        </text>
        {shown.map((curve, index) => (
          <g key={curve.name} class={`curve hue-${index % 6}`}>
            <path class="band" d={band(curve.points, x, y)} />
            <path class="line" d={line(curve.points, x, y)} />
            {curve.points.length === 1 && (
              <circle cx={x(curve.points[0]![0])} cy={y(curve.points[0]![1])} r="3.5" class="dot" />
            )}
          </g>
        ))}
      </svg>
      <figcaption>
        {shown.length > 1 && (
          <ul class="legend">
            {shown.slice(0, MOST_NAMED).map((curve, index) => (
              <li key={curve.name} class={`hue-${index % 6}`}>
                <span aria-hidden="true" class="key" />
                {curve.name}
              </li>
            ))}
          </ul>
        )}
        <button type="button" class="quiet" onClick={() => drawing.current && saveFigure(drawing.current, name)}>
          {t("Figure as SVG")}
        </button>
      </figcaption>
    </figure>
  );
}

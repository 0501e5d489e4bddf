/** A map of named places: the darker, the likelier what is feared there; a press on a place goes there. */

import { t } from "../../words";
import type { Mark, Place, Places } from "../../wire_types";
import { pressable, type Pressing } from "./pressing";
import { SignPath } from "./shapes";

const WIDE = 680;
const TALL = 480;
const MARGIN = 70;
const NAME = 24;
const RADIUS = 52;

const xOf = (place: Place): number => MARGIN + place.x * (WIDE - 2 * MARGIN);
const yOf = (place: Place): number => MARGIN + NAME + place.y * (TALL - 2 * MARGIN - NAME);
const percent = (chance: number): string => `${Math.round(100 * chance)} %`;

function Marks({ marks }: { marks: Mark[] }) {
  const uncertain = marks.filter((mark) => mark.chance < 1 || mark.words.includes("%"));
  const certain = marks.filter((mark) => !uncertain.includes(mark));
  return (
    <>
      {uncertain.map((mark, i) => (
        <g key={mark.sign} transform={`translate(0 ${30 * (i - (uncertain.length - 1) / 2)})`}>
          <SignPath name={mark.sign} x={-38} y={-12} />
          <text x="-8" y="1" class="chance">
            {percent(mark.chance)}
          </text>
        </g>
      ))}
      {certain.map((mark, i) => (
        <g key={mark.sign} class="certain" data-thing={mark.sign}>
          <circle cx={42 - 34 * i} cy="-38" r="18" class="ground" />
          <SignPath name={mark.sign} x={30 - 34 * i} y={-50} />
        </g>
      ))}
    </>
  );
}

interface MapProps {
  map: Places;
  pressing: Pressing;
  last: string[];
  advised: string[];
  called: (name: string) => string;
}

export function MapBlock({ map, pressing, last, advised, called }: MapProps) {
  const by = new Map(map.places.map((place) => [place.name, place]));
  return (
    <svg viewBox={`0 0 ${WIDE} ${TALL}`} class="map" role="group" aria-label={map.title}>
      {map.roads.map(([from, to]) => {
        const [a, b] = [by.get(from), by.get(to)];
        return a && b ? (
          <line key={`${from} ${to}`} x1={xOf(a)} y1={yOf(a)} x2={xOf(b)} y2={yOf(b)} class="road" />
        ) : null;
      })}
      {map.places.map((place) => {
        const moves = pressing.movesOf(place.name);
        const words = place.words;
        const label = moves.length > 0 ? t("go to {place}", { place: words }) : words;
        const looks = [
          "place",
          moves.length > 0 ? "reachable" : "",
          last.includes(place.name) ? "last" : "",
          advised.includes(place.name) ? "advised" : "",
          place.shade > 0.4 ? "dark" : "",
        ];
        return (
          <g
            key={place.name}
            class={looks.join(" ")}
            transform={`translate(${xOf(place)} ${yOf(place)})`}
            {...pressable(label, moves.length > 0 ? () => pressing.press(place.name) : null, moves[0]?.action)}
          >
            <circle r={RADIUS} class="ground" />
            <circle r={RADIUS} class="shade" fill-opacity={place.shade} />
            <circle r={RADIUS} class="rim" />
            <text y={-RADIUS - 10} class="place-name">
              {called(place.name)}
            </text>
            <Marks marks={place.marks} />
          </g>
        );
      })}
    </svg>
  );
}

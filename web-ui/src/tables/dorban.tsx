/** Dorban: the map of five towns. Shading says how likely the vampire is in each; a press on a town goes there. */

import { Plain } from "./plain";
import { pressable } from "./pressing";
import type { TableProps } from "./table";

const PLACES: { [town: string]: [number, number] } = {
  Gdansk: [110, 90],
  Warszawa: [350, 150],
  Krakow: [560, 300],
  Poznan: [170, 280],
  Wroclaw: [340, 390],
};
const ROADS = [
  ["Warszawa", "Krakow"],
  ["Warszawa", "Gdansk"],
  ["Warszawa", "Poznan"],
  ["Krakow", "Wroclaw"],
  ["Wroclaw", "Poznan"],
] as const;
const TOWNS = Object.keys(PLACES);

const SIGNS = {
  vampire:
    "M12 7 10 4 8.500 7C6 5 3 5 0 8c3 0 4 2 4 5 2-1 3 0 4 3 1-2 2.500-2 4 0 1.500-2 3-2 4 0 1-3 2-4 4-3 0-3 1-5 4-5-3-3-6-3-8.500-1L14 4Z",
  pregor: "M12 2 21 5V11C21 17 17 20 12 23 7 20 3 17 3 11V5Z",
  dorban:
    "M20 2 9.500 13 7 10.500 5.500 12 8 14.500 3 19.500 4.500 21 9.500 16 12 18.500 13.500 17 11 14.500 22 4V2Z",
};

function Sign({ who, x, y }: { who: keyof typeof SIGNS; x: number; y: number }) {
  return <path d={SIGNS[who]} class={`sign sign-${who}`} transform={`translate(${x} ${y})`} />;
}

function Legend({ who, words }: { who: keyof typeof SIGNS; words: string }) {
  return (
    <span class="legend">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <Sign who={who} x={0} y={0} />
      </svg>
      {words}
    </span>
  );
}

function Chance({ who, chance, y }: { who: keyof typeof SIGNS; chance: string; y: number }) {
  return (
    <g transform={`translate(0 ${y})`}>
      <Sign who={who} x={-38} y={-12} />
      <text x="-8" y="1" class="chance">
        {chance}
      </text>
    </g>
  );
}

interface Known {
  here: string;
  sentence: string;
  vampire: { [town: string]: number };
  pregor: { [town: string]: number };
  rest: string[];
}

/** Read the map off the screen: chances stand under the name of their town. */
function read(screen: string): Known | null {
  const lines = screen.split("\n");
  const sentence = lines.find((line) => line.startsWith("Dorban is in ")) ?? "";
  const here = TOWNS.find((town) => sentence.startsWith(`Dorban is in ${town}`));
  if (!here) return null;
  const chances = { vampire: {} as Known["vampire"], Pregor: {} as Known["pregor"] };
  let columns: [string, number][] = [];
  const rest: string[] = [];
  for (const line of lines) {
    const towns = TOWNS.flatMap((town): [string, number][] => {
      const at = line.toLowerCase().indexOf(town.toLowerCase());
      return at < 0 || line === sentence ? [] : [[town, at]];
    });
    if (towns.length > 0) columns = towns;
    const found = [...line.matchAll(/(vampire|Pregor) (\d+)%/g)];
    for (const match of found) {
      const nearest = [...columns].sort((a, b) => Math.abs(a[1] - match.index) - Math.abs(b[1] - match.index))[0];
      if (nearest) chances[match[1] as "vampire" | "Pregor"][nearest[0]] = Number(match[2]) / 100;
    }
    if (towns.length === 0 && found.length === 0 && /[a-z]/.test(line) && line !== sentence) rest.push(line);
  }
  return { here, sentence, vampire: chances.vampire, pregor: chances.Pregor, rest };
}

export function Dorban(props: TableProps) {
  const { screen, actions, play } = props;
  const known = read(screen);
  if (!known) return <Plain {...props} />;
  const others = actions.filter((move) => !move.text.startsWith("goto_"));
  const percent = (chance: number): string => `${Math.round(100 * chance)} %`;
  return (
    <div class="stack dorban">
      <p class="caption strong">{known.sentence}</p>
      <svg viewBox="0 0 680 470" role="group" aria-label="map of the five towns">
        {ROADS.map(([from, to]) => (
          <line
            key={from + to}
            x1={PLACES[from]![0]}
            y1={PLACES[from]![1]}
            x2={PLACES[to]![0]}
            y2={PLACES[to]![1]}
            class="road"
          />
        ))}
        {TOWNS.map((town) => {
          const [x, y] = PLACES[town]!;
          const vampire = known.vampire[town] ?? 0;
          const pregor = known.pregor[town] ?? 0;
          const move = actions.find((one) => one.text === `goto_${town}`);
          const words = `${town}: vampire ${percent(vampire)}, Pregor ${percent(pregor)}${town === known.here ? ", Dorban is here" : ""}`;
          const press = move
            ? pressable(`go to ${words}`, () => play(move.action), move.action)
            : { "aria-label": words, role: "img" as const };
          return (
            <g
              key={town}
              class={`town ${move ? "reachable" : ""} ${town === known.here ? "here" : ""}`}
              transform={`translate(${x} ${y})`}
              {...press}
            >
              <circle r="52" class="ground" />
              <circle r="52" class="danger" fill-opacity={0.85 * vampire} />
              <circle r="52" class="rim" />
              <text y="-62" class="town-name">
                {town}
              </text>
              <g class={vampire > 0.45 ? "on-dark" : ""}>
                {vampire > 0 && <Chance who="vampire" chance={percent(vampire)} y={pregor > 0 ? -14 : 0} />}
                {pregor > 0 && <Chance who="pregor" chance={percent(pregor)} y={vampire > 0 ? 16 : 0} />}
              </g>
              {town === known.here && (
                <g class="dorban-here">
                  <circle cx="42" cy="-38" r="18" class="ground" />
                  <Sign who="dorban" x={30} y={-50} />
                </g>
              )}
            </g>
          );
        })}
      </svg>
      <p class="caption">
        <Legend who="dorban" words="Dorban" />
        <Legend who="vampire" words="the vampire" />
        <Legend who="pregor" words="Pregor" />
        <br />
        <span class="soft">{known.rest.join(" · ")}</span>
      </p>
      {others.length > 0 && (
        <div class="choices">
          {others.map(({ action, text }) => (
            <button key={action} type="button" class="primary" data-action={action} onClick={() => play(action)}>
              {text.replaceAll("_", " ")}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

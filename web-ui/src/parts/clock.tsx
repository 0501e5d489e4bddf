/** The cursor over the plies of a game, with play and pause, and how long each move is seen. */

import { useState } from "preact/hooks";
import { keepPace, pace } from "../memory";
import { t } from "../words";
import { Sign } from "./sign";

interface ClockProps {
  ply: number;
  last: number;
  live: boolean;
  playing: boolean;
  look: (ply: number | null) => void;
  replay: (on: boolean) => void;
}

const PACES = [0, 400, 900, 2000];
const paceWords = (): string[] => [t("at once"), t("fast"), t("unhurried"), t("slow")];

export function Clock({ ply, last, live, playing, look, replay }: ClockProps) {
  const [chosen, setChosen] = useState(pace());
  const words = paceWords();
  return (
    <div class="clock" role="group" aria-label={t("time")}>
      <button type="button" aria-label={t("to the beginning")} title="Home" disabled={ply === 0} onClick={() => look(0)}>
        <Sign name="first" />
      </button>
      <button type="button" aria-label={t("one move back")} title="←" disabled={ply === 0} onClick={() => look(ply - 1)}>
        <Sign name="back" />
      </button>
      <button
        type="button"
        aria-label={playing ? t("pause") : t("play the game again")}
        title="p"
        disabled={last === 0}
        onClick={() => replay(!playing)}
      >
        <Sign name={playing ? "pause" : "play"} />
      </button>
      <input
        type="range"
        min="0"
        max={last}
        value={ply}
        aria-label={t("move")}
        aria-valuetext={t("{ply} of {last}", { ply, last })}
        onInput={(event) => look(Number(event.currentTarget.value))}
      />
      <output>
        {ply} / {last}
      </output>
      <button type="button" aria-label={t("one move on")} title="→" disabled={live} onClick={() => look(ply + 1)}>
        <Sign name="on" />
      </button>
      <button type="button" aria-label={t("to the present")} title="End" disabled={live} onClick={() => look(null)}>
        <Sign name="last" />
      </button>
      <select
        aria-label={t("pace")}
        title={t("how long each move of others is seen")}
        value={String(chosen)}
        onChange={(event) => {
          const wanted = Number(event.currentTarget.value);
          setChosen(wanted);
          keepPace(wanted);
        }}
      >
        {PACES.map((milliseconds, i) => (
          <option key={milliseconds} value={String(milliseconds)}>
            {words[i]}
          </option>
        ))}
      </select>
    </div>
  );
}

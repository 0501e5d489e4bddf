/** The cursor over the plies of a game. */

import { Sign } from "./sign";

interface ClockProps {
  ply: number;
  last: number;
  live: boolean;
  look: (ply: number | null) => void;
}

export function Clock({ ply, last, live, look }: ClockProps) {
  return (
    <div class="clock" role="group" aria-label="time">
      <button type="button" aria-label="to the beginning" title="Home" disabled={ply === 0} onClick={() => look(0)}>
        <Sign name="first" />
      </button>
      <button type="button" aria-label="one move back" title="←" disabled={ply === 0} onClick={() => look(ply - 1)}>
        <Sign name="back" />
      </button>
      <input
        type="range"
        min="0"
        max={last}
        value={ply}
        aria-label="move"
        aria-valuetext={`${ply} of ${last}`}
        onInput={(event) => look(Number(event.currentTarget.value))}
      />
      <output>
        {ply} / {last}
      </output>
      <button type="button" aria-label="one move on" title="→" disabled={live} onClick={() => look(ply + 1)}>
        <Sign name="on" />
      </button>
      <button type="button" aria-label="to the present" title="End" disabled={live} onClick={() => look(null)}>
        <Sign name="last" />
      </button>
    </div>
  );
}

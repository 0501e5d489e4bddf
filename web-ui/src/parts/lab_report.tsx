/** An experiment: how far it is, what came of it, and what can be done with that. */

import { useState } from "preact/hooks";
import { KIND_WORDS, seatsOf } from "../lab_draft";
import type { Experiment } from "../lab_wire";
import { keepToken } from "../memory";
import { go } from "../route";
import { ask, type Refused } from "../wire";
import type { GameInfo, Made } from "../wire_types";
import { Curves } from "./curves";
import { Histogram, ResultTable } from "./results";

export const STATE_WORDS = {
  waiting: "waiting for its turn",
  running: "running",
  done: "done",
  failed: "failed",
  stopped: "stopped",
};

interface ReportProps {
  experiment: Experiment;
  /** Left out: the server offers that game no more. */
  game: GameInfo | undefined;
  stop: () => void;
  again: () => void;
  match: () => void;
  fail: (text: string) => void;
}

/** What everybody got; once, if all got the same. */
function results(payoffs: number[]): string {
  const texts = payoffs.map((payoff) => String(Number(payoff.toFixed(2))).replace("-", "−"));
  return new Set(texts).size === 1 ? texts[0]! : texts.join(" / ");
}

/** A table with what was found in all seats but mine; where one plays alone, it is watched. */
async function playWith(experiment: Experiment, game: GameInfo): Promise<void> {
  const seats = seatsOf(game, experiment.order.options);
  const others = Array.from({ length: Math.max(1, seats - 1) }, () => ({ who: "agent", agent: experiment.agent }));
  const order = {
    game: game.name,
    options: experiment.order.options,
    seats: seats > 1 ? [{ who: "me" }, ...others] : others,
  };
  const made = await ask<Made>("POST", "/api/tables", order);
  if (made.token) keepToken(made.table, made.token);
  go(`/t/${made.table}`);
}

function Downloads({ experiment }: { experiment: Experiment }) {
  const place = `/api/lab/jobs/${experiment.job}`;
  return (
    <p class="records">
      {experiment.files.map(({ name, size }) => (
        <a key={name} class="button" href={`${place}/files/${name}`} download>
          {name} ({Math.ceil(size / 1024)} KB)
        </a>
      ))}
      <a class="button" href={`${place}/experiment.json`} download>
        All as JSON
      </a>
      {experiment.result && (
        <a class="button" href={`${place}/table.csv`} download>
          Table as CSV
        </a>
      )}
      {experiment.curves.length > 0 && (
        <a class="button" href={`${place}/curves.csv`} download>
          Curves as CSV
        </a>
      )}
    </p>
  );
}

export function LabReport({ experiment, game, stop, again, match, fail }: ReportProps) {
  const [busy, setBusy] = useState(false);
  const running = experiment.state === "running" || experiment.state === "waiting";
  const counted = experiment.total !== null && experiment.done > 0;
  const play = async () => {
    setBusy(true);
    fail("");
    try {
      await playWith(experiment, game!);
    } catch (reason) {
      fail((reason as Refused).message);
      setBusy(false);
    }
  };
  return (
    <section class="panel" aria-label="the experiment">
      <header>
        <h2 aria-live="polite">
          {experiment.title}, {KIND_WORDS[experiment.kind]}: {STATE_WORDS[experiment.state]}
        </h2>
        {running ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          game && (
            <button type="button" onClick={again}>
              Run again…
            </button>
          )
        )}
      </header>
      {experiment.error && <p class="error">{experiment.error}</p>}
      {running && <progress max={experiment.total ?? 1} value={experiment.done} aria-label="progress" />}
      {running && (
        <p class="soft">
          {counted
            ? `${experiment.done.toLocaleString("en-GB")} of ${experiment.total!.toLocaleString("en-GB")} ${experiment.unit}`
            : experiment.state === "running"
              ? "getting ready"
              : ""}
        </p>
      )}
      <ResultTable experiment={experiment} />
      <Curves curves={experiment.curves} name={`${experiment.kind}-${experiment.job}`} />
      {experiment.histogram && (
        <Histogram data={experiment.histogram} name={`${experiment.kind}-${experiment.job}`} />
      )}
      {experiment.agent && game && (
        <>
          <h3>What was found plays</h3>
          <p class="records">
            <button type="button" class="primary" disabled={busy} onClick={() => void play()}>
              {seatsOf(game, experiment.order.options) > 1 ? "Play with it" : "Watch it play"}
            </button>
            <button type="button" onClick={match}>
              A match with it…
            </button>
          </p>
        </>
      )}
      {experiment.records.length > 0 && (
        <>
          <h3>Its games</h3>
          <p class="records">
            {experiment.records.map(({ table, payoffs }, index) => (
              <a key={table} class="button" href={`/t/${table}`}>
                game {index + 1}
                {payoffs ? `: ${results(payoffs)}` : ""}
              </a>
            ))}
          </p>
        </>
      )}
      {!running && (
        <>
          <h3>Take it away</h3>
          <Downloads experiment={experiment} />
        </>
      )}
    </section>
  );
}

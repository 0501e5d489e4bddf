/** An experiment: how far it is, what came of it, and what can be done with that. */

import { useState } from "preact/hooks";
import { seatsOf } from "../lab_draft";
import type { Experiment, State } from "../lab_wire";
import { keepToken } from "../memory";
import { go } from "../route";
import { ask, type Refused } from "../wire";
import type { GameInfo, NewTableInfo } from "../wire_types";
import { numeral, t } from "../words";
import { Curves } from "./curves";
import { Histogram, ResultTable, rounded } from "./results";

export const stateWords = (): { [state in State]: string } => ({
  waiting: t("waiting for its turn"),
  running: t("running"),
  done: t("done"),
  failed: t("failed"),
  stopped: t("stopped"),
});

interface ReportProps {
  experiment: Experiment;
  /** Left out: the server offers that game no more. */
  game: GameInfo | undefined;
  /** Nothing where it is somebody else's. */
  stop: (() => void) | null;
  again: () => void;
  match: () => void;
  fail: (text: string) => void;
}

/** What everybody got; once, if all got the same. */
function results(payoffs: number[]): string {
  const texts = payoffs.map((payoff) => rounded(payoff, 2));
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
  const made = await ask<NewTableInfo>("POST", "/api/tables", order);
  if (made.token) keepToken(made.table, made.token);
  go(`/t/${made.table}`);
}

function Downloads({ experiment }: { experiment: Experiment }) {
  const place = `/api/lab/jobs/${experiment.job}`;
  return (
    <p class="records">
      {experiment.files.map(({ name, size }) => (
        <a key={name} class="button" href={`${place}/files/${name}`} download>
          {t("{name} ({size} KB)", { name, size: numeral(Math.ceil(size / 1024)) })}
        </a>
      ))}
      <a class="button" href={`${place}/experiment.json`} download>
        {t("All as JSON")}
      </a>
      {experiment.result && (
        <a class="button" href={`${place}/table.csv`} download>
          {t("Table as CSV")}
        </a>
      )}
      {experiment.curves.length > 0 && (
        <a class="button" href={`${place}/curves.csv`} download>
          {t("Curves as CSV")}
        </a>
      )}
    </p>
  );
}

/** How far it is. */
function progress({ state, done, total, unit }: Experiment): string {
  if (total !== null && done > 0)
    return t("{done} of {total} {unit}", { done: numeral(done), total: numeral(total), unit: unit });
  return state === "running" ? t("getting ready") : "";
}

export function LabReport({ experiment, game, stop, again, match, fail }: ReportProps) {
  const [busy, setBusy] = useState(false);
  const running = experiment.state === "running" || experiment.state === "waiting";
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
    <section class="panel" aria-label={t("the experiment")} data-job={experiment.job}>
      <header>
        <h2 aria-live="polite">
          {experiment.title}, {experiment.work}: {stateWords()[experiment.state]}
        </h2>
        {running ? (
          stop && (
            <button type="button" onClick={stop}>
              {t("Stop")}
            </button>
          )
        ) : (
          game && (
            <button type="button" onClick={again}>
              {t("Run again…")}
            </button>
          )
        )}
      </header>
      {experiment.error && <p class="error">{experiment.error}</p>}
      {running && <progress max={experiment.total ?? 1} value={experiment.done} aria-label={t("progress")} />}
      {running && <p class="soft">{progress(experiment)}</p>}
      <ResultTable experiment={experiment} />
      <Curves curves={experiment.curves} name={`${experiment.kind}-${experiment.job}`} />
      {experiment.histogram && (
        <Histogram data={experiment.histogram} name={`${experiment.kind}-${experiment.job}`} />
      )}
      {experiment.agent && game && (
        <>
          <h3>{t("What was found plays")}</h3>
          <p class="records">
            <button type="button" class="primary" disabled={busy} onClick={() => void play()}>
              {seatsOf(game, experiment.order.options) > 1 ? t("Play with it") : t("Watch it play")}
            </button>
            <button type="button" onClick={match}>
              {t("A match with it…")}
            </button>
          </p>
        </>
      )}
      {experiment.records.length > 0 && (
        <>
          <h3>{t("Its games")}</h3>
          <p class="records">
            {experiment.records.map(({ table, payoffs }, index) => (
              <a key={table} class="button" href={`/t/${table}`}>
                {payoffs
                  ? t("game {n}: {results}", { n: index + 1, results: results(payoffs) })
                  : t("game {n}", { n: index + 1 })}
              </a>
            ))}
          </p>
        </>
      )}
      {!running && (
        <>
          <h3>{t("Take it away")}</h3>
          <Downloads experiment={experiment} />
        </>
      )}
    </section>
  );
}

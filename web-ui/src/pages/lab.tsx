/** The laboratory: start an experiment, watch its curves, use what came of it, open past ones again. */

import { useEffect, useState } from "preact/hooks";
import { draftOf, matchWith, newDraft, type Draft } from "../lab_draft";
import type { Experiment, ExperimentSummary } from "../lab_wire";
import { experiments } from "../memory";
import { LabForm } from "../parts/lab_form";
import { LabList } from "../parts/lab_list";
import { LabReport } from "../parts/lab_report";
import { go } from "../route";
import { ask, type Refused } from "../wire";
import type { GameInfo, KindForm } from "../wire_types";
import { t } from "../words";

const EVERY = 500;
const FIRST_GAME = "hanabi";

const chosenJob = (): string | null => new URLSearchParams(location.search).get("job");

/** The experiment of the address, followed as it changes. */
function useJob(): string | null {
  const [job, setJob] = useState(chosenJob);
  useEffect(() => {
    const follow = () => setJob(chosenJob());
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  return job;
}

const settled = (experiment: Experiment): boolean =>
  experiment.state !== "running" && experiment.state !== "waiting";

/** Those that are listed for everybody, and those begun here that are not. */
async function allExperiments(): Promise<ExperimentSummary[]> {
  const listed = await ask<ExperimentSummary[]>("GET", "/api/lab/jobs");
  const missing = experiments().filter(({ job }) => !listed.some((one) => one.job === job));
  const mine = await Promise.all(
    missing.map(({ job }) => ask<Experiment>("GET", `/api/lab/jobs/${job}`).catch(() => null)),
  );
  return [...listed, ...mine.filter((one) => one !== null)].sort((a, b) => b.when - a.when);
}

const tokenOf = (job: string): string | undefined => experiments().find((one) => one.job === job)?.token;
/** Begun here, or seen at the server's own machine. */
const mayStop = (job: string): boolean =>
  tokenOf(job) !== undefined || ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
const stop = (job: string): Promise<unknown> =>
  ask("DELETE", `/api/lab/jobs/${job}`, { token: tokenOf(job) ?? null });

export function Lab({ games }: { games: GameInfo[] }) {
  const job = useJob();
  const [experiment, setExperiment] = useState<Experiment | null>(null);
  const [past, setPast] = useState<ExperimentSummary[]>([]);
  const [error, setError] = useState("");
  const [forms, setForms] = useState<KindForm[]>([]);
  const [draft, setDraft] = useState<Draft | null>(null);
  const formOf = (kind: string): KindForm => forms.find((one) => one.kind === kind) ?? forms[0]!;
  const fail = (reason: unknown) => setError((reason as Refused).message);
  const list = () => void allExperiments().then(setPast, fail);

  useEffect(() => {
    ask<KindForm[]>("GET", "/api/lab/forms").then((found) => {
      const game = games.find((one) => one.name === FIRST_GAME) ?? games[0]!;
      setForms(found);
      setDraft(newDraft(game, found.find((one) => one.kind === "match")!, null));
    }, fail);
  }, []);

  useEffect(() => {
    setExperiment(null);
    setError("");
    list();
    if (!job) return;
    let timer = 0;
    let gone = false;
    const look = async () => {
      try {
        const found = await ask<Experiment>("GET", `/api/lab/jobs/${job}`);
        if (gone) return;
        setExperiment(found);
        if (settled(found)) list();
        else timer = window.setTimeout(look, EVERY);
      } catch (reason) {
        if (!gone) fail(reason);
      }
    };
    void look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [job]);

  const game = experiment ? games.find((one) => one.name === experiment.game) : undefined;
  const fill = (next: Draft) => {
    setDraft(next);
    document.getElementById("lab-game")?.focus();
  };
  return (
    <main class="lab">
      <h1>{t("The laboratory")}</h1>
      {draft ? (
        <LabForm
          games={games}
          forms={forms}
          draft={draft}
          change={setDraft}
          started={(fresh) => go(`/lab?job=${fresh}`)}
          fail={setError}
        />
      ) : (
        <section class="panel lab-form" aria-busy="true" />
      )}
      <div class="lobby-setup">
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {experiment ? (
          <LabReport
            key={experiment.job}
            experiment={experiment}
            game={game}
            stop={mayStop(experiment.job) ? () => void stop(experiment.job).catch(fail) : null}
            again={() => fill(draftOf(experiment, game!, formOf(experiment.kind)))}
            match={() => fill(matchWith(experiment, game!, formOf("match")))}
            fail={setError}
          />
        ) : (
          !job && (
            <section class="panel">
              <h2>{t("Fair comparisons, and agents that get better")}</h2>
              <p>
                {t(
                  "Choose a game and what to do with it. The same seed gives the same result; the numbers come with their 95 % intervals while the work goes on. What was learned, tuned or evolved can be played with at once.",
                )}
              </p>
            </section>
          )
        )}
        <LabList experiments={past} chosen={job} />
      </div>
    </main>
  );
}

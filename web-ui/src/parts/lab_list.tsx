/** All experiments that the server keeps, the latest first. */

import { useState } from "preact/hooks";
import type { ExperimentSummary } from "../lab_wire";
import { count, dayAndTime, t } from "../words";
import { stateWords } from "./lab_report";

const FIRST = 10;

export function LabList({ experiments, chosen }: { experiments: ExperimentSummary[]; chosen: string | null }) {
  const [all, setAll] = useState(false);
  if (experiments.length === 0) return null;
  const shown = all ? experiments : experiments.slice(0, FIRST);
  return (
    <section class="panel" aria-label={t("past experiments")}>
      <h2>{t("Experiments")}</h2>
      <ul class="experiments">
        {shown.map((one) => (
          <li key={one.job}>
            <a href={`/lab?job=${one.job}`} aria-current={one.job === chosen ? "true" : undefined}>
              {one.title}, {one.work}
            </a>
            <span class="soft">
              {dayAndTime(one.when * 1000)}
              {one.state !== "done" && `, ${stateWords()[one.state]}`}
            </span>
            {one.headline && <small>{one.headline}</small>}
          </li>
        ))}
      </ul>
      {shown.length < experiments.length && (
        <div class="row">
          <button type="button" onClick={() => setAll(true)}>
            {count(experiments.length, "Show all {n}", "Show all {n}")}
          </button>
        </div>
      )}
    </section>
  );
}

/** All experiments that the server keeps, the latest first. */

import { useState } from "preact/hooks";
import { KIND_WORDS } from "../lab_draft";
import type { ExperimentSummary } from "../lab_wire";
import { STATE_WORDS } from "./lab_report";

const FIRST = 10;

function time(when: number): string {
  return new Date(when * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

export function LabList({ experiments, chosen }: { experiments: ExperimentSummary[]; chosen: string | null }) {
  const [all, setAll] = useState(false);
  if (experiments.length === 0) return null;
  const shown = all ? experiments : experiments.slice(0, FIRST);
  return (
    <section class="panel" aria-label="past experiments">
      <h2>Experiments</h2>
      <ul class="experiments">
        {shown.map((one) => (
          <li key={one.job}>
            <a href={`/lab?job=${one.job}`} aria-current={one.job === chosen ? "true" : undefined}>
              {one.title}, {KIND_WORDS[one.kind]}
            </a>
            <span class="soft">
              {time(one.when)}
              {one.state !== "done" && `, ${STATE_WORDS[one.state]}`}
            </span>
            {one.headline && <small>{one.headline}</small>}
          </li>
        ))}
      </ul>
      {shown.length < experiments.length && (
        <div class="row">
          <button type="button" onClick={() => setAll(true)}>
            Show all {experiments.length}
          </button>
        </div>
      )}
    </section>
  );
}

/** The test bench: everything that is hidden, and what each agent believes of it, at the moment looked at. */

import { useEffect } from "preact/hooks";
import { t } from "../words";

interface BenchProps {
  bench: { ply: number; text: string } | null;
  ply: number;
  open: (ply: number) => void;
}

export function Bench({ bench, ply, open }: BenchProps) {
  useEffect(() => open(ply), [ply, open]);
  return (
    <section class="panel bench" aria-label={t("the open table")} aria-busy={bench?.ply !== ply}>
      <h2>{t("The open table")}</h2>
      {bench ? <pre class={`screen ${bench.ply === ply ? "" : "stale"}`}>{bench.text}</pre> : <p class="soft">{t("Loading…")}</p>}
    </section>
  );
}

/** A series of deals between the same players: the running score. */

import { count, t } from "../words";
import type { GameInfo } from "../wire_types";

interface SeriesProps {
  /** What each earlier deal paid, by seat. */
  series: number[][];
  /** What this one paid, once it is over. */
  payoffs: number[] | null;
  names: string[];
  game: GameInfo | null;
}

const round = (value: number): number => Number(value.toFixed(2));

export function Series({ series, payoffs, names, game }: SeriesProps) {
  const results = payoffs ? [...series, payoffs] : series;
  if (series.length === 0) return null;
  const together = game?.utility === "cooperative" || names.length === 1;
  const totals = names.map((_, seat) => results.reduce((sum, result) => sum + (result[seat] ?? 0), 0));
  return (
    <p class="series" role="status" aria-label={t("the series")}>
      <b>{count(results.length, "{n} deal", "{n} deals")}</b>
      {together ? (
        <>
          <span>{t("on average {mean}", { mean: round(totals[0]! / results.length) })}</span>
          <span class="soft">{results.map((result) => round(result[0] ?? 0)).join(", ")}</span>
        </>
      ) : (
        names.map((name, seat) => (
          <span key={seat}>
            {name} <b>{totals[seat]! > 0 ? `+${round(totals[seat]!)}` : round(totals[seat]!)}</b>
          </span>
        ))
      )}
    </p>
  );
}

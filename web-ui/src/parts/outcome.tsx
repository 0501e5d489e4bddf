/** How the game ended. */

import type { OpponentInfo } from "../wire_types";
import { count, t } from "../words";

interface OutcomeProps {
  payoffs: number[];
  names: string[];
  me: number;
  utility: string;
  /** Why it ended so, in words. */
  reason: string;
  /** Whom one may try next. */
  level: OpponentInfo | null;
  climb: (level: OpponentInfo) => void;
}

const written = (payoff: number): string => `${payoff > 0 ? "+" : ""}${Number(payoff.toFixed(2))}`;

export function Outcome({ payoffs, names, me, utility, reason, level, climb }: OutcomeProps) {
  const best = Math.max(...payoffs);
  const drawn = payoffs.every((payoff) => payoff === best);
  const together = utility === "cooperative" || payoffs.length === 1;
  const verdict = together
    ? count(Number((payoffs[0] ?? 0).toFixed(2)), "{n} point", "{n} points")
    : me >= 0
      ? drawn
        ? t("A draw")
        : payoffs[me] === best
          ? t("You won")
          : t("You lost")
      : drawn
        ? t("A draw")
        : t("{names} won", { names: payoffs.flatMap((payoff, seat) => (payoff === best ? [names[seat]] : [])).join(", ") });
  const look = together || drawn ? "" : me >= 0 ? (payoffs[me] === best ? "won" : "lost") : "";
  return (
    <p class={`outcome ${look}`} role="status">
      <b>{verdict}</b>
      {!together && (
        <span class="soft">{payoffs.map((payoff, seat) => `${names[seat]} ${written(payoff)}`).join(", ")}</span>
      )}
      {reason && <span class="soft">{reason}</span>}
      {level && (
        <button type="button" class="primary" title={level.about} onClick={() => climb(level)}>
          {t("Play against the next level: {name}", { name: level.name })}
        </button>
      )}
    </p>
  );
}

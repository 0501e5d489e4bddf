/** Why: an agent's decision. Ranked moves with values as bars, its belief, its reasons, and "why not this move?" */

import { useEffect, useRef } from "preact/hooks";
import type { Answer } from "../sitting/state";
import { count, numeral, t } from "../words";
import type { AlternativeInfo, DecisionInfo, EntryInfo, OpponentInfo } from "../wire_types";
import { Sign } from "./sign";

interface WhyProps {
  answer: Answer | null;
  waiting: boolean;
  /** The move that was asked about and who made it, where it was another's than the agent's who answers. */
  played: { name: string; entry: EntryInfo } | null;
  /** The move that was asked about. */
  asked: number | null;
  ask: (action: number | null) => void;
  /** Ask for the drawn tree of a small search. */
  draw: (ply: number, agent: string) => void;
  /** Others who can be asked the same. */
  advisers: OpponentInfo[];
  askAgain: (agent: string) => void;
  close: () => void;
}

/** How much work an answer took, in words. */
function counted(what: string, number: number): string {
  const n = numeral(number);
  if (what === "nodes") return count(number, "{n} node", "{n} nodes", { n });
  if (what === "worlds") return count(number, "{n} world", "{n} worlds", { n });
  if (what === "simulations") return count(number, "{n} simulation", "{n} simulations", { n });
  if (what === "iterations") return count(number, "{n} iteration", "{n} iterations", { n });
  if (what === "beliefs") return count(number, "{n} belief", "{n} beliefs", { n });
  return what === "depth" ? t("depth {n}", { n }) : `${n} ${what}`;
}

const MOST = 14;
/** The searches whose tree can be drawn. */
const SEARCHES = new Set(["minimax", "alphabeta", "expectiminimax", "maxn"]);

/** Best first, or likeliest first where nothing is said of payoffs; those without either last. */
const ranked = (all: AlternativeInfo[]): AlternativeInfo[] =>
  [...all].sort(
    (a, b) =>
      Number(a.value === null) - Number(b.value === null) ||
      (b.value ?? 0) - (a.value ?? 0) ||
      (b.chance ?? -1) - (a.chance ?? -1),
  );

const percent = (chance: number): string =>
  `${(100 * chance).toFixed(chance > 0.0995 || chance === 0 ? 0 : 1)} %`;

export const signed = (value: number): string => {
  const digits = Math.abs(value) >= 100 ? 1 : Math.abs(value) >= 10 ? 2 : 3;
  return (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(digits);
};

/** A bar from zero, to the left for losses. */
function Bar({ value, low, high }: { value: number; low: number; high: number }) {
  const span = high - low || 1;
  const zero = ((0 - low) / span) * 100;
  const end = ((value - low) / span) * 100;
  return (
    <span class="bar" aria-hidden="true">
      <i
        class={value < 0 ? "minus" : "plus"}
        style={{ left: `${Math.min(zero, end)}%`, width: `${Math.max(1, Math.abs(end - zero))}%` }}
      />
    </span>
  );
}

/** What the decision says about one move that was not played. */
function WhyNot({ decision, action }: { decision: DecisionInfo; action: number }) {
  const other = decision.alternatives.find((one) => one.action === action);
  if (action === decision.action) return <p class="why-not">{t("That is the very move.")}</p>;
  if (!other)
    return <p class="why-not">{t("The agent did not weigh this move: it acts by rules, and an earlier one decided.")}</p>;
  const best = decision.value ?? decision.alternatives.find((one) => one.action === decision.action)?.value ?? null;
  const less = best !== null && other.value !== null ? best - other.value : null;
  const chosen = decision.alternatives.find((one) => one.action === decision.action)?.chance ?? null;
  return (
    <div class="why-not">
      <p>
        {less === null
          ? other.chance !== null && chosen !== null
            ? t("{move} has a chance of {chance}, {best} one of {other}.", {
                move: other.text,
                chance: percent(other.chance),
                best: decision.text,
                other: percent(chosen),
              })
            : t("{move} was given no value.", { move: other.text })
          : Math.abs(less) < 1e-9
            ? t("{move} is worth {value}, as much as the move chosen.", {
                move: other.text,
                value: signed(other.value!),
              })
            : t("{move} is worth {value}, {less} less than {best}.", {
                move: other.text,
                value: signed(other.value!),
                less: signed(less).replace("+", ""),
                best: decision.text,
              })}
      </p>
      {other.note && <p>{other.note}</p>}
      {other.line.length > 0 && !other.note.includes(other.line.slice(0, 3).join(" ")) && (
        <p>{t("Expected then: {line}", { line: other.line.join(" ") })}</p>
      )}
    </div>
  );
}

export function Why({ answer, waiting, played, asked, ask, draw, advisers, askAgain, close }: WhyProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.scrollIntoView({ block: "nearest" }), [answer]);
  if (waiting)
    return (
      <section class="panel why" aria-label={t("why")} aria-busy="true">
        <h2>{t("Why")}</h2>
        <p class="soft">{t("Thinking it over…")}</p>
      </section>
    );
  if (!answer) return null;
  const { decision, agent } = answer;
  const base = agent.split(":")[0]!;
  const values = decision.alternatives.flatMap((one) => (one.value === null ? [] : [one.value]));
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const order = ranked(decision.alternatives);
  const shown = order.slice(0, MOST);
  const said = decision.alternatives.some((one) => one.value !== null || one.chance !== null || one.note);
  const counts = Object.entries(decision.counts).map(([what, number]) => counted(what, number));
  return (
    <section class="panel why" aria-label={t("why")}>
      <header>
        <h2 ref={head}>{answer.asked === "advice" ? t("A hint") : t("Why")}</h2>
        <button type="button" class="quiet" aria-label={t("close the explanation")} onClick={close}>
          <Sign name="close" />
        </button>
      </header>
      <p class="verdict">
        {played && (
          <>
            {t("{name} at move {ply}: {move}.", {
              name: played.name,
              ply: answer.ply + 1,
              move: played.entry.text,
            })}{" "}
          </>
        )}
        {answer.asked === "advice" || played ? t("{agent} suggests:", { agent }) : t("{agent} chose:", { agent })}{" "}
        <b>{decision.text}</b>
        {decision.value !== null && <> ({signed(decision.value)})</>}{" "}
        {!played && <span class="soft">{t("at move {ply}", { ply: answer.ply + 1 })}</span>}
      </p>
      {decision.reasons.length > 0 && (
        <ul class="reasons">
          {decision.reasons.map((reason, i) => (
            <li key={i}>{reason}</li>
          ))}
        </ul>
      )}
      {decision.line.length > 0 && (
        <p>
          <span class="soft">{t("Expected line:")}</span> {decision.line.join(" ")}
        </p>
      )}
      {asked !== null && <WhyNot decision={decision} action={asked} />}
      {said && (
        <>
          <h3>{t("Moves")}</h3>
          <ol
            class="ranking"
            style={{ "--text": `${Math.min(17, Math.max(3, ...shown.map((one) => one.text.length + 2)))}ch` }}
          >
            {shown.map((one) => (
              <li key={one.action}>
                <button
                  type="button"
                  class={one.action === decision.action ? "best" : ""}
                  aria-pressed={asked === one.action}
                  onClick={() => ask(asked === one.action ? null : one.action)}
                >
                  <span class="rank-text">{one.text}</span>
                  {one.value !== null ? (
                    <Bar value={one.value} low={low} high={high} />
                  ) : one.chance !== null ? (
                    <Bar value={one.chance} low={0} high={1} />
                  ) : (
                    <span class="rank-note">{one.note}</span>
                  )}
                  <span class="rank-value">
                    {one.value !== null && signed(one.value)}
                    {one.chance !== null && ` ${percent(one.chance)}`}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          {order.length > MOST && <p class="soft">{count(order.length - MOST, "and {n} more", "and {n} more")}</p>}
        </>
      )}
      {decision.belief.length > 0 && (
        <>
          <h3>{t("Belief")}</h3>
          <ul class="belief">
            {decision.belief.map(({ what, probability }, i) => (
              <li key={i}>
                <span>{what}</span>
                <span class="bar" aria-hidden="true">
                  <i class="plus" style={{ left: 0, width: `${100 * Math.min(1, probability)}%` }} />
                </span>
                <b>{percent(probability)}</b>
              </li>
            ))}
          </ul>
        </>
      )}
      {counts.length > 0 && <p class="soft">{counts.join(", ")}</p>}
      {advisers.length > 0 && (
        <label class="row">
          {t("Ask another:")}
          <select value={agent} onChange={(event) => askAgain(event.currentTarget.value)}>
            {!advisers.some((one) => one.agent === agent) && <option value={agent}>{agent}</option>}
            {advisers.map((one) => (
              <option key={one.agent} value={one.agent}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {SEARCHES.has(base) && (
        <p class="row">
          {t("Draw its tree, so deep:")}
          {[1, 2, 3, 4].map((depth) => (
            <button key={depth} type="button" onClick={() => draw(answer.ply, `${base}:depth=${depth}`)}>
              {depth}
            </button>
          ))}
        </p>
      )}
    </section>
  );
}

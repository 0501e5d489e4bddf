/** Results of the laboratory as tables and pictures. */

import { useRef } from "preact/hooks";
import type {
  EvolutionReport,
  Experiment,
  HistogramInfo,
  Interval as Span,
  MatchReport,
  OtherReport,
  PrecalculationReport,
  TournamentReport,
  TrainingReport,
  TuningReport,
} from "../lab_wire";
import { count, numeral, t, word } from "../words";
import { saveFigure } from "./figure";

const fixed = (value: number | null, digits = 3): string =>
  value === null ? "·" : numeral(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
/** Without zeros at the end. */
export const rounded = (value: number, digits: number): string => numeral(Number(value.toFixed(digits)));
const known = (span: Span | null | undefined): span is [number, number] =>
  !!span && span[0] !== null && span[1] !== null;
const between = (span: Span | null | undefined): string =>
  known(span) ? t("{low} to {high}", { low: fixed(span[0]), high: fixed(span[1]) }) : "·";

/** What came of an experiment, as far as it has come. */
export function ResultTable({ experiment }: { experiment: Experiment }) {
  const { kind, result } = experiment;
  if (!result) return null;
  switch (kind) {
    case "match":
      return <MatchTable experiment={experiment} result={result as MatchReport} />;
    case "tournament":
      return <CrossTable experiment={experiment} result={result as TournamentReport} />;
    case "train":
      return <Trained result={result as TrainingReport} />;
    case "tune":
      return <Tuned result={result as TuningReport} />;
    case "evolve":
      return <Evolved result={result as EvolutionReport} />;
    case "precalculate":
      return <Precalculated result={result as PrecalculationReport} />;
    default:
      return <Others result={result as OtherReport} />;
  }
}

/** The result of a kind of work that has no table of its own here. */
function Others({ result }: { result: OtherReport }) {
  return (
    <table class="summary">
      <tbody>
        {Object.entries(result.values).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{word(name)}</th>
            <td>{typeof value === "number" ? rounded(value, 4) : String(value ?? "·")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A mean with its interval on the scale that all share. */
function Interval({
  mean,
  span,
  low,
  high,
}: {
  mean: number | null;
  span: Span | null;
  low: number;
  high: number;
}) {
  if (mean === null) return null;
  const x = (value: number): number => 4 + (136 * (value - low)) / (high - low || 1);
  return (
    <svg
      viewBox="0 0 144 18"
      role="img"
      aria-label={
        known(span) ? t("from {low} to {high}", { low: fixed(span[0]), high: fixed(span[1]) }) : fixed(mean)
      }
    >
      <line x1="0" x2="144" y1="9" y2="9" class="axis" />
      {low < 0 && high > 0 && <line x1={x(0)} x2={x(0)} y1="2" y2="16" class="axis" />}
      {known(span) && <line x1={x(span[0])} x2={x(span[1])} y1="9" y2="9" class="span" />}
      <circle cx={x(mean)} cy="9" r="4" class="mean" />
    </svg>
  );
}

function MatchTable({ experiment, result }: { experiment: Experiment; result: MatchReport }) {
  const ends = result.seats.flatMap((seat) => [...seat.ci95, seat.mean]).filter((end) => end !== null);
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const best = experiment.histogram?.best.map((payoff) => rounded(payoff, 2)) ?? [];
  const pace = Math.round(result.games_per_second);
  const words = experiment.opponents ? [t("won"), t("drawn"), t("lost")] : [t("spread"), t("best")];
  const facts = [
    count(result.games, "{n} game", "{n} games", { n: numeral(result.games) }),
    t("{moves} moves each", { moves: fixed(result.moves.mean, 1) }),
    ...(result.games_per_second > 0 ? [count(pace, "{n} game a second", "{n} games a second", { n: numeral(pace) })] : []),
    ...Object.entries(result.metrics).map(([name, { mean }]) => `${word(name)} ${fixed(mean, 2)}`),
  ];
  return (
    <div class="scroll">
      <table class="figures">
        <thead>
          <tr>
            <th>{t("agent")}</th>
            <th>{experiment.opponents ? t("mean") : t("mean score")}</th>
            <th>{t("95 % interval")}</th>
            <th aria-label={t("interval as a picture")} />
            {words.map((word) => (
              <th key={word}>{word}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {result.seats.map((seat, index) => (
            <tr key={index}>
              <td>
                {seat.seat === null ? "" : `${seat.seat}: `}
                {seat.agent}
              </td>
              <td>{fixed(seat.mean)}</td>
              <td>{between(seat.ci95)}</td>
              <td class="interval">
                <Interval mean={seat.mean} span={seat.ci95} low={low} high={high} />
              </td>
              {(experiment.opponents
                ? [seat.wins, seat.ties, seat.losses]
                : [fixed(seat.sd), best[index] ?? "·"]
              ).map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">{facts.join(", ")}</p>
    </div>
  );
}

function CrossTable({ experiment, result }: { experiment: Experiment; result: TournamentReport }) {
  const order = result.agents
    .map((_, index) => index)
    .sort((a, b) => {
      const worth = (index: number): number => result.agents[index]!.rating ?? result.agents[index]!.mean ?? -1e9;
      return worth(b) - worth(a);
    });
  const played = { n: numeral(result.played) };
  return (
    <div class="scroll">
      <table class="figures">
        <thead>
          <tr>
            <th>{t("agent")}</th>
            {experiment.opponents && <th>{t("rating")}</th>}
            <th>{experiment.opponents ? t("mean") : t("mean score")}</th>
            {order.map((_, place) => (
              <th key={place}>{place + 1}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.map((row, place) => {
            const agent = result.agents[row]!;
            const margin =
              agent.rating !== null && known(agent.rating95)
                ? ` ± ${Math.round(agent.rating95[1] - agent.rating)}`
                : "";
            return (
              <tr key={row}>
                <td>
                  {place + 1}. {agent.agent}
                </td>
                {experiment.opponents && (
                  <td>{agent.rating === null ? "·" : `${Math.round(agent.rating)}${margin}`}</td>
                )}
                <td>{fixed(agent.mean)}</td>
                {order.map((column) => {
                  const cell = result.cross[row]?.[column];
                  const half = cell && known(cell.ci95) ? ` ± ${fixed(cell.ci95[1] - cell.mean, 2)}` : "";
                  return <td key={column}>{cell ? `${fixed(cell.mean, 2)}${half}` : "·"}</td>;
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="soft">
        {experiment.opponents
          ? count(
              result.played,
              "{n} game. A cell is the mean of the row against the column.",
              "{n} games. A cell is the mean of the row against the column.",
              played,
            )
          : count(
              result.played,
              "{n} game. A cell is the mean of the row together with the column.",
              "{n} games. A cell is the mean of the row together with the column.",
              played,
            )}
      </p>
    </div>
  );
}

/** Names and values, one below the other. */
function Facts({ rows }: { rows: [string, string][] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Trained({ result }: { result: TrainingReport }) {
  const { games, mean, opponent } = result;
  const measured = opponent ? t("mean payoff against {opponent}", { opponent }) : t("mean score on new deals");
  const learned = { n: numeral(games), seconds: fixed(result.seconds, 0) };
  const interval = between(result.ci95);
  return (
    <>
      <Facts
        rows={[
          [t("learned from"), count(games, "{n} game in {seconds} s", "{n} games in {seconds} s", learned)],
          [measured, t("{mean} (95 % interval {interval})", { mean: fixed(mean), interval })],
          [t("spread of a game"), fixed(result.sd)],
        ]}
      />
      {result.remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
    </>
  );
}

function Tuned({ result }: { result: TuningReport }) {
  const tried = count(
    result.evaluations,
    "{n} point of {games} games, {seconds} s",
    "{n} points of {games} games, {seconds} s",
    { n: numeral(result.evaluations), games: numeral(result.games), seconds: fixed(result.seconds, 0) },
  );
  return (
    <>
      <Facts
        rows={[
          [t("tried"), tried],
          [t("before, on new deals"), fixed(result.before)],
          [t("after, on new deals"), fixed(result.after)],
          [t("spread of a game"), fixed(result.sd)],
        ]}
      />
      <pre class="agent-text">{result.text}</pre>
    </>
  );
}

function Evolved({ result }: { result: EvolutionReport }) {
  return (
    <>
      <div class="scroll">
        <table class="figures">
          <thead>
            <tr>
              <th>{t("the winner against")}</th>
              <th>{t("games")}</th>
              <th>{t("won or shared")}</th>
              <th>{t("95 % interval")}</th>
              <th>{t("won alone")}</th>
            </tr>
          </thead>
          <tbody>
            {result.tests.map((test) => (
              <tr key={test.opponent}>
                <td>{test.opponent}</td>
                <td>{numeral(test.games)}</td>
                <td>{fixed(test.wins)}</td>
                <td>{between(test.ci95)}</td>
                <td>{fixed(test.sole_wins)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <pre class="agent-text">{result.genome}</pre>
    </>
  );
}

function Precalculated({ result }: { result: PrecalculationReport }) {
  const states = count(
    result.too_complex,
    "{states}, {n} of them too complex for a grid",
    "{states}, {n} of them too complex for a grid",
    { states: numeral(result.visible_states), n: numeral(result.too_complex) },
  );
  const beliefs = { n: numeral(result.beliefs), seconds: fixed(result.seconds, 1) };
  return (
    <Facts
      rows={[
        [t("steps ahead, granularity"), `${result.depth}, ${result.granularity}`],
        [t("visible states"), states],
        [t("beliefs"), t("{n} in {seconds} s", beliefs)],
        [t("file"), count(result.bytes, "{n} byte", "{n} bytes", { n: numeral(result.bytes) })],
      ]}
    />
  );
}

const TALL = 130;
const STEP = 34;

/** The payoffs of one agent. */
function Bars({ counts, labels, title, name }: { counts: number[]; labels: number[]; title: string; name: string }) {
  const drawing = useRef<SVGSVGElement>(null);
  const most = Math.max(1, ...counts);
  const bars = counts.length;
  const label = (i: number): string => numeral(Number(labels[i]!.toFixed(1)), { useGrouping: false }); // bars are narrow
  return (
    <figure>
      <h3>{title}</h3>
      <svg
        ref={drawing}
        viewBox={`0 0 ${bars * STEP} ${TALL + 36}`}
        class="histogram"
        style={{ maxWidth: `${bars * STEP}px` }}
        role="img"
        aria-label={counts.map((many, i) => `${label(i)}: ${many}`).join(", ")}
      >
        <line x1="0" x2={bars * STEP} y1={TALL + 16} y2={TALL + 16} />
        {counts.map((many, i) => {
          const height = (TALL * many) / most;
          return (
            <g key={i}>
              <rect x={i * STEP + 3} y={TALL + 16 - height} width={STEP - 6} height={height} rx="2" />
              {many > 0 && (
                <text x={i * STEP + STEP / 2} y={TALL + 11 - height}>
                  {many}
                </text>
              )}
              <text x={i * STEP + STEP / 2} y={TALL + 31}>
                {label(i)}
              </text>
            </g>
          );
        })}
      </svg>
      <button type="button" class="quiet" onClick={() => drawing.current && saveFigure(drawing.current, name)}>
        {t("Figure as SVG")}
      </button>
    </figure>
  );
}

export function Histogram({ data, name }: { data: HistogramInfo; name: string }) {
  const edges = data.edges ?? [];
  const labels = data.values ?? edges.slice(0, -1).map((edge, i) => (edge + edges[i + 1]!) / 2);
  const same = new Set(data.counts.map((counts) => counts.join())).size === 1;
  const shown = same ? data.counts.slice(0, 1) : data.counts;
  return (
    <div class="histograms">
      {shown.map((counts, index) => (
        <Bars
          key={index}
          counts={counts}
          labels={labels}
          title={same ? t("Payoffs of everybody") : t("Payoffs of {agent}", { agent: data.agents[index]! })}
          name={`${name}-payoffs-${index + 1}`}
        />
      ))}
    </div>
  );
}

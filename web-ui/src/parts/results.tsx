/** Results of the laboratory as tables and pictures. */

import { useRef } from "preact/hooks";
import type {
  EvolutionReport,
  Experiment,
  HistogramInfo,
  Interval as Span,
  MatchReport,
  PrecalculationReport,
  TournamentReport,
  TrainingReport,
  TuningReport,
} from "../lab_wire";
import { saveFigure } from "./figure";

const fixed = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined ? "·" : value.toFixed(digits).replace("-", "−");
const whole = (value: number): string => value.toLocaleString("en-GB");
const known = (span: Span | null | undefined): span is [number, number] =>
  !!span && span[0] !== null && span[1] !== null;
const between = (span: Span | null | undefined): string =>
  known(span) ? `${fixed(span[0])} to ${fixed(span[1])}` : "·";

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
  }
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
      aria-label={known(span) ? `from ${between(span)}` : fixed(mean)}
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
  const best = experiment.histogram?.best ?? [];
  const words = experiment.opponents ? ["won", "drawn", "lost"] : ["spread", "best"];
  return (
    <div class="scroll">
      <table class="figures">
        <thead>
          <tr>
            <th>agent</th>
            <th>{experiment.opponents ? "mean" : "mean score"}</th>
            <th>95 % interval</th>
            <th aria-label="interval as a picture" />
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
                : [fixed(seat.sd), fixed(best[index], 2).replace(/\.?0+$/, "")]
              ).map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">
        {whole(result.games)} games, {fixed(result.moves.mean, 1)} moves each
        {result.games_per_second > 0 && `, ${whole(Math.round(result.games_per_second))} games a second`}
        {Object.entries(result.metrics).map(([name, { mean }]) => `, ${name.replaceAll("_", " ")} ${fixed(mean, 2)}`)}
      </p>
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
  return (
    <div class="scroll">
      <table class="figures">
        <thead>
          <tr>
            <th>agent</th>
            {experiment.opponents && <th>rating</th>}
            <th>{experiment.opponents ? "mean" : "mean score"}</th>
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
        {whole(result.played)} games. A cell is the mean of the row {experiment.opponents ? "against" : "together with"}{" "}
        the column.
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
  const measured = result.opponent ? `mean payoff against ${result.opponent}` : "mean score on new deals";
  return (
    <>
      <Facts
        rows={[
          ["learned from", `${whole(result.games)} games in ${fixed(result.seconds, 0)} s`],
          [measured, `${fixed(result.mean)} (95 % interval ${between(result.ci95)})`],
          ["spread of a game", fixed(result.sd)],
        ]}
      />
      {result.remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
    </>
  );
}

function Tuned({ result }: { result: TuningReport }) {
  return (
    <>
      <Facts
        rows={[
          ["tried", `${whole(result.evaluations)} points of ${whole(result.games)} games, ${fixed(result.seconds, 0)} s`],
          ["before, on new deals", fixed(result.before)],
          ["after, on new deals", fixed(result.after)],
          ["spread of a game", fixed(result.sd)],
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
              <th>the winner against</th>
              <th>games</th>
              <th>won or shared</th>
              <th>95 % interval</th>
              <th>won alone</th>
            </tr>
          </thead>
          <tbody>
            {result.tests.map((test) => (
              <tr key={test.opponent}>
                <td>{test.opponent}</td>
                <td>{whole(test.games)}</td>
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
  return (
    <Facts
      rows={[
        ["steps ahead, granularity", `${result.depth}, ${result.granularity}`],
        ["visible states", `${whole(result.visible_states)}, ${whole(result.too_complex)} of them too complex for a grid`],
        ["beliefs", `${whole(result.beliefs)} in ${fixed(result.seconds, 1)} s`],
        ["file", `${whole(result.bytes)} bytes`],
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
  return (
    <figure>
      <h3>{title}</h3>
      <svg
        ref={drawing}
        viewBox={`0 0 ${bars * STEP} ${TALL + 36}`}
        class="histogram"
        style={{ maxWidth: `${bars * STEP}px` }}
        role="img"
        aria-label={counts.map((count, i) => `${labels[i]}: ${count}`).join(", ")}
      >
        <line x1="0" x2={bars * STEP} y1={TALL + 16} y2={TALL + 16} />
        {counts.map((count, i) => {
          const height = (TALL * count) / most;
          return (
            <g key={i}>
              <rect x={i * STEP + 3} y={TALL + 16 - height} width={STEP - 6} height={height} rx="2" />
              {count > 0 && (
                <text x={i * STEP + STEP / 2} y={TALL + 11 - height}>
                  {count}
                </text>
              )}
              <text x={i * STEP + STEP / 2} y={TALL + 31}>
                {String(Number(labels[i]!.toFixed(1))).replace("-", "−")}
              </text>
            </g>
          );
        })}
      </svg>
      <button type="button" class="quiet" onClick={() => drawing.current && saveFigure(drawing.current, name)}>
        Figure as SVG
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
          title={`Payoffs of ${same ? "everybody" : data.agents[index]}`}
          name={`${name}-payoffs-${index + 1}`}
        />
      ))}
    </div>
  );
}

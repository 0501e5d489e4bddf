/** Results of the laboratory as tables and pictures. */

export interface SeatResult {
  seat: number | null;
  agent: string;
  mean: number | null;
  sd: number | null;
  ci95: [number, number] | null;
  wins: number;
  ties: number;
  losses: number;
}

interface Spread {
  mean: number | null;
  sd: number | null;
}

export interface MatchResult {
  games: number;
  games_per_second: number;
  seats: SeatResult[];
  moves: Spread;
  metrics: { [name: string]: Spread };
}

interface Cell {
  games: number;
  mean: number;
  ci95: [number, number] | null;
}

export interface TournamentResult {
  played: number;
  agents: ({ agent: string; rating?: number; rating95?: [number, number] } & Partial<Cell>)[];
  cross: (Cell | null)[][];
}

export interface HistogramData {
  agents: string[];
  values?: number[];
  edges?: number[];
  counts: number[][];
}

const fixed = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined ? "·" : value.toFixed(digits).replace("-", "−");

/** A mean with its interval on the scale that all share. */
function Interval({
  mean,
  span,
  low,
  high,
}: {
  mean: number | null;
  span: [number, number] | null;
  low: number;
  high: number;
}) {
  if (mean === null) return null;
  const x = (value: number): number => 4 + (136 * (value - low)) / (high - low || 1);
  return (
    <svg
      viewBox="0 0 144 18"
      role="img"
      aria-label={span ? `from ${fixed(span[0])} to ${fixed(span[1])}` : fixed(mean)}
    >
      <line x1="0" x2="144" y1="9" y2="9" class="axis" />
      {low < 0 && high > 0 && <line x1={x(0)} x2={x(0)} y1="2" y2="16" class="axis" />}
      {span && <line x1={x(span[0])} x2={x(span[1])} y1="9" y2="9" class="span" />}
      <circle cx={x(mean)} cy="9" r="4" class="mean" />
    </svg>
  );
}

export function MatchTable({ result }: { result: MatchResult }) {
  const ends = result.seats.flatMap((seat) => [...(seat.ci95 ?? []), ...(seat.mean === null ? [] : [seat.mean])]);
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  return (
    <div class="scroll">
      <table class="figures">
        <thead>
          <tr>
            <th>agent</th>
            <th>mean</th>
            <th>95 % interval</th>
            <th aria-label="interval as a picture" />
            <th>won</th>
            <th>drawn</th>
            <th>lost</th>
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
              <td>{seat.ci95 ? `${fixed(seat.ci95[0])} to ${fixed(seat.ci95[1])}` : "·"}</td>
              <td class="interval">
                <Interval mean={seat.mean} span={seat.ci95} low={low} high={high} />
              </td>
              <td>{seat.wins}</td>
              <td>{seat.ties}</td>
              <td>{seat.losses}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">
        {result.games.toLocaleString("en-GB")} games, {fixed(result.moves.mean, 1)} moves each
        {result.games_per_second > 0 &&
          `, ${Math.round(result.games_per_second).toLocaleString("en-GB")} games a second`}
        {Object.entries(result.metrics).map(([name, { mean }]) => `, ${name.replaceAll("_", " ")} ${fixed(mean, 2)}`)}
      </p>
    </div>
  );
}

export function CrossTable({ result }: { result: TournamentResult }) {
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
            <th>rating</th>
            <th>mean</th>
            {order.map((_, place) => (
              <th key={place}>{place + 1}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.map((row, place) => {
            const agent = result.agents[row]!;
            const margin =
              agent.rating !== undefined && agent.rating95
                ? ` ± ${Math.round(agent.rating95[1] - agent.rating)}`
                : "";
            return (
              <tr key={row}>
                <td>
                  {place + 1}. {agent.agent}
                </td>
                <td>{agent.rating === undefined ? "·" : `${Math.round(agent.rating)}${margin}`}</td>
                <td>{fixed(agent.mean)}</td>
                {order.map((column) => {
                  const cell = result.cross[row]?.[column];
                  const half = cell?.ci95 ? ` ± ${fixed(cell.ci95[1] - cell.mean, 2)}` : "";
                  return <td key={column}>{cell ? `${fixed(cell.mean, 2)}${half}` : "·"}</td>;
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="soft">
        {result.played.toLocaleString("en-GB")} games. A cell is the mean payoff of the row against the column.
      </p>
    </div>
  );
}

const TALL = 130;
const STEP = 34;

export function Histogram({ data }: { data: HistogramData }) {
  const bars = data.values?.length ?? (data.edges?.length ?? 1) - 1;
  const labels = data.values ?? (data.edges ?? []).slice(0, -1).map((edge, i) => (edge + data.edges![i + 1]!) / 2);
  const same = new Set(data.counts.map((counts) => counts.join())).size === 1;
  const shown = same ? data.counts.slice(0, 1) : data.counts;
  return (
    <div class="histograms">
      {shown.map((counts, index) => {
        const most = Math.max(1, ...counts);
        return (
          <figure key={index}>
            <h3>Payoffs of {same ? "everybody" : data.agents[index]}</h3>
            <svg
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
          </figure>
        );
      })}
    </div>
  );
}

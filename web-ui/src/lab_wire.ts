/** What the laboratory sends (`web/lab_wire.py`), and what is asked of it. */

import type { Json } from "./wire_types";

export type Interval = [number | null, number | null];
export type Kind = "match" | "tournament" | "train" | "tune" | "evolve" | "precalculate";
export type State = "waiting" | "running" | "done" | "failed" | "stopped";

export interface SpreadInfo {
  mean: number | null;
  sd: number | null;
}

export interface SeatResult extends SpreadInfo {
  seat: number | null;
  agent: string;
  ci95: Interval;
  wins: number;
  ties: number;
  losses: number;
}

export interface MatchReport {
  games: number;
  games_per_second: number;
  seats: SeatResult[];
  moves: SpreadInfo;
  metrics: { [name: string]: SpreadInfo };
}

export interface CrossCell {
  games: number;
  mean: number;
  ci95: Interval;
}

export interface TournamentAgent extends Partial<SpreadInfo> {
  agent: string;
  games: number;
  ci95: Interval | null;
  rating: number | null;
  rating95: Interval | null;
}

export interface TournamentReport {
  played: number;
  agents: TournamentAgent[];
  cross: (CrossCell | null)[][];
}

export interface TrainingReport {
  learner: string;
  players: number;
  games: number;
  seconds: number;
  opponent: string;
  mean: number;
  sd: number;
  ci95: Interval;
  remarks: string[];
}

export interface TuningReport {
  agent: string;
  evaluations: number;
  games: number;
  seconds: number;
  before: number;
  after: number;
  sd: number;
  text: string;
}

export interface OpponentTest {
  opponent: string;
  games: number;
  wins: number;
  ci95: Interval;
  sole_wins: number;
  sole_ci95: Interval;
}

export interface EvolutionReport {
  model: string;
  generations: number;
  seconds: number;
  genome: string;
  tests: OpponentTest[];
  command: string;
}

export interface PrecalculationReport {
  world: string;
  depth: number;
  granularity: number;
  visible_states: number;
  too_complex: number;
  beliefs: number;
  seconds: number;
  bytes: number;
}

export type Report =
  | MatchReport
  | TournamentReport
  | TrainingReport
  | TuningReport
  | EvolutionReport
  | PrecalculationReport;

export interface HistogramInfo {
  agents: string[];
  values: number[] | null;
  edges: number[] | null;
  counts: number[][];
  best: number[];
}

/** Step, value, and the ends of its interval. */
export type CurvePoint = [number, number, number | null, number | null];

export interface CurveInfo {
  name: string;
  across: string;
  upwards: string;
  points: CurvePoint[];
}

export interface ExperimentSummary {
  job: string;
  kind: Kind;
  game: string;
  title: string;
  /** Seconds since 1970. */
  when: number;
  state: State;
  headline: string;
}

/** An order as it is sent, and as it comes back with the experiment; which fields it has depends on the kind. */
export type LabOrder = { game: string; options: { [name: string]: Json } } & { [name: string]: Json };

export interface Experiment extends ExperimentSummary {
  order: LabOrder;
  done: number;
  total: number | null;
  unit: string;
  error: string;
  opponents: boolean;
  result: Report | null;
  histogram: HistogramInfo | null;
  curves: CurveInfo[];
  records: { table: string; agents: string[] | null; payoffs: number[] | null }[];
  files: { name: string; size: number }[];
  agent: string;
}

export interface LearnerInfo {
  name: string;
  summary: string;
  games: number;
  step: number;
  opponent: string;
  teacher: string | null;
}

export interface ModelInfo {
  name: string;
  summary: string;
  settings: { [name: string]: string[] };
  polishable: boolean;
}

export interface LabInfo {
  game: string;
  kinds: Kind[];
  learners: LearnerInfo[];
  models: ModelInfo[];
  tunable: { agent: string; parameters: string[] }[];
  opponent: string;
}

export interface Exhibit {
  name: string;
  title: string;
  kind: "picture" | "report" | "text" | "table";
  href: string;
  size: number;
}

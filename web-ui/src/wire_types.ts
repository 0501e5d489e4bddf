/** What travels between the page and the server. Written by tools/page_types.py: do not change it here. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface AdviceRequest {
  type: "advice";
  table: string;
  agent?: string | null;
}

/** Somebody who can play a game. */
export interface AgentInfo {
  name: string;
  summary: string;
  cheats: boolean;
  example: string;
  parameters: { [name: string]: SettingInfo };
}

/** What an agent thinks of a move. */
export interface AlternativeInfo {
  action: number;
  text: string;
  value: number | null;
  note: string;
  line: string[];
  chance: number | null;
}

/** Something that is counted or has a value. */
export interface Amount {
  what: string;
  amount: string;
  owner: number | null;
}

/** A list of them. */
export interface Amounts {
  kind: "amounts";
  title: string;
  amounts: Amount[];
}

/** The board from a seat's side. */
export interface BackgammonPicture {
  seat: number;
  stacks: Stack[];
  dice: Die[];
  thrown_by: number;
  pips: number[];
}

export interface BeliefInfo {
  what: string;
  probability: number;
}

/** What the hidden things may be: shares of the worlds that agree with everything a seat knows. */
export interface BeliefMessage {
  type: "belief";
  table: string;
  ply: number;
  worlds: number;
  things: ThingInfo[];
}

/** What may be hidden here? Asked by whoever may see the moment. */
export interface BeliefRequest {
  type: "belief";
  table: string;
  ply: number;
  seat?: number | null;
}

export type Block = Board | Cards | Chances | Places | Amounts | MoveTree | PlainText | Note;

/** Rows of cells, the uppermost first. */
export interface Board {
  kind: "board";
  title: string;
  look: "paper" | "table" | "sea" | "rack" | "chequered";
  columns: number;
  column_names: string[];
  row_names: string[];
  cells: Cell[];
}

/** A new table that begins with the first plies of another one. */
export interface BranchBody {
  ply: number;
  seats?: SeatBody[] | null;
  open?: boolean;
  delay?: number;
}

/** A card, or its back. */
export interface Card {
  name: string;
  words: string;
  face: string;
  suit: string;
  red: boolean;
  back: boolean;
}

/** Cards that lie together. */
export interface Cards {
  kind: "cards";
  title: string;
  owner: number | null;
  cards: Card[];
}

/** One cell of a board. */
export interface Cell {
  name: string;
  words: string;
  mark: string;
  owner: number | null;
  line: boolean;
}

/** How likely something is. */
export interface ChanceBar {
  what: string;
  chance: number;
}

/** How likely a hidden thing is something. */
export interface ChanceInfo {
  /** As the picture names it. */
  what: string;
  words: string;
  chance: number;
}

/** A belief: bars. */
export interface Chances {
  kind: "chances";
  title: string;
  chances: ChanceBar[];
}

/** What a node shows from now on. */
export interface Change {
  node: number;
  look: "ahead" | "open" | "done" | "cut" | "more";
  value: string;
  note: string;
}

/** A text that somebody writes. */
export interface CheckBody {
  kind: "svarog" | "pomdp" | "tree" | "menu" | "record" | "hanab.live";
  text: string;
}

/** The result of checking a text: what is wrong with it, and what it describes. */
export interface CheckInfo {
  findings: FindingInfo[];
  features: FeatureInfo[];
}

export interface CrossCell {
  games: number;
  mean: number;
  sd: number | null;
  ci95: [number | null, number | null];
}

/** One line of the picture of an experiment. */
export interface CurveInfo {
  name: string;
  across: string;
  upwards: string;
  /** Step, value, and the ends of its 95 % interval where there is one. */
  points: ([number, number, number | null, number | null])[];
}

/** A move that an agent chose, with its reasons. */
export interface DecisionInfo {
  action: number;
  text: string;
  value: number | null;
  alternatives: AlternativeInfo[];
  belief: BeliefInfo[];
  reasons: string[];
  line: string[];
  counts: { [name: string]: number };
}

/** The answer to a question about a move. */
export interface DecisionMessage {
  type: "decision";
  table: string;
  ply: number;
  agent: string;
  asked: "advice" | "why";
  decision: DecisionInfo;
  /** The move was drawn at random, as part of the opening. */
  drawn: boolean;
}

export interface Die {
  value: number;
  spent: boolean;
}

/** The table from a seat's side. */
export interface DominionPicture {
  piles: DominionPile[];
  players: DominionPlayer[];
  current: number;
  phase: "actions" | "buying";
  actions: number;
  buys: number;
  coins: number;
  in_play: DominionThing[];
  aside: DominionThing[];
  trash: DominionThing[];
  asked: number | null;
  question: DominionQuestion | null;
}

/** A pile of the supply, and what there is to know about its card. */
export interface DominionPile {
  name: string;
  cost: number;
  kinds: string[];
  words: string[];
  text: string;
  left: number;
  basic: boolean;
}

/** Somebody at the table. */
export interface DominionPlayer {
  name: string;
  seat: number;
  points: number;
  turns: number;
  hand_size: number;
  deck_size: number;
  discard_size: number;
  hand: DominionThing[];
  tops: DominionThing[];
  discard: DominionThing[];
  deck: { [name: string]: number };
  owned: { [name: string]: number };
}

/** What is asked, and what it is about. */
export interface DominionQuestion {
  by: string;
  target: number;
  top: string;
  count: number;
  text: string;
}

/** Cards of one kind that lie together; `card` is the name of their pile, or nothing where they are not known. */
export interface DominionThing {
  name: string;
  card: string;
  count: number;
}

/** A ply, as far as its reader was told of it. */
export interface EntryInfo {
  ply: number;
  seat: number;
  text: string;
  news: string[];
  verb: string;
  /** The move in words, where its text is a bare name or made for programs; else empty. */
  words: string;
  objects: string[];
}

/** Why a request over HTTP was refused. */
export interface ErrorInfo {
  error: string;
}

/** What could not be done, and why. */
export interface ErrorMessage {
  type: "error";
  table: string | null;
  text: string;
  /** Whether the agent to move has given up and can be asked once more. */
  again: boolean;
}

export interface EvolutionReport {
  game: string;
  options: { [name: string]: Json };
  model: string;
  opponent: string;
  seed: number;
  generations: number;
  seconds: number;
  genome: string;
  wins: number;
  ci95: [number | null, number | null];
  tests: OpponentTest[];
  command: string;
  output: string;
}

/** A text to begin with. */
export interface ExampleInfo {
  kind: "svarog" | "pomdp" | "tree" | "menu" | "record" | "hanab.live";
  name: string;
  text: string;
}

/** A figure or a report of the gallery. */
export interface Exhibit {
  name: string;
  title: string;
  kind: "picture" | "report" | "text" | "table";
  href: string;
  size: number;
}

/** An experiment with all that is known of it. */
export interface ExperimentInfo {
  job: string;
  kind: string;
  /** What is done, in words. */
  work: string;
  game: string;
  title: string;
  /** When it was ordered, in seconds since 1970. */
  when: number;
  state: "waiting" | "running" | "done" | "failed" | "stopped";
  /** What came of it, in a few words. */
  headline: string;
  /** As it was asked for, so that the same can be asked for again. */
  order: { [name: string]: Json };
  done: number;
  total: number | null;
  unit: string;
  error: string;
  /** Whether somebody can win and lose; elsewhere only the score counts. */
  opponents: boolean;
  result: MatchReport | TournamentReport | TrainingReport | TuningReport | EvolutionReport | PrecalculationReport | OtherReport | null;
  histogram: HistogramInfo | null;
  curves: CurveInfo[];
  records: KeptTable[];
  files: KeptFile[];
  /** Who plays as the experiment has found, as text; empty if nobody does. */
  agent: string;
}

/** An experiment in the list of all. */
export interface ExperimentSummary {
  job: string;
  kind: string;
  /** What is done, in words. */
  work: string;
  game: string;
  title: string;
  /** When it was ordered, in seconds since 1970. */
  when: number;
  state: "waiting" | "running" | "done" | "failed" | "stopped";
  /** What came of it, in a few words. */
  headline: string;
}

/** Something that a sound text describes: its players, its states, a variable with its values. */
export interface FeatureInfo {
  what: string;
  text: string;
}

/** Something questionable in a text, at a line and a column counted from 1. */
export interface FindingInfo {
  line: number;
  column: number;
  severity: "error" | "warning";
  message: string;
}

/** A field of the form for a kind of experiments. */
export interface FormField {
  name: string;
  label: string;
  /** number, choice, agent, agents, line_up, opponents, learner, teacher, model or tunable. */
  input: string;
  /** What the form proposes. */
  usual: string | number | null;
  choices: [string, string][];
}

/** A moment of a game, as one viewer sees it. */
export interface FrameMessage {
  type: "frame";
  table: string;
  ply: number;
  /** The seat whose knowledge is shown; None for somebody who only watches. */
  seat: number | null;
  /** The seat to move; -1 when the game is over, -2 where chance moves. */
  turn: number;
  /** What to draw; None where nothing may be seen. */
  picture: { [name: string]: Json } | null;
  /** What things of the picture are called, by their names there, where that is not the name itself. */
  words: { [name: string]: string };
  /** The legal moves, for the seat that is to move; empty for others. */
  actions: MoveInfo[];
  over: boolean;
  payoffs: number[] | null;
  /** Why the game ended as it did. */
  reason: string;
  last: EntryInfo | null;
  /** Whether this answers a request to see the past, or what another seat sees. */
  past: boolean;
  /** The open table of the test bench, where it was asked for. */
  open_text: string;
}

/** A game of the lobby. */
export interface GameInfo {
  name: string;
  title: string;
  about: string;
  players: [number, number];
  hidden: boolean;
  /** Whether the server can say how likely each hidden thing is what (`belief`). */
  shares: boolean;
  chance: boolean;
  utility: string;
  options: { [name: string]: SettingInfo };
  agents: AgentInfo[];
  champion: string;
  /** Whom people meet unless they choose somebody. */
  usual: string;
  opponents: OpponentInfo[];
  /** What a world of one's own calls things, by language: English words and what takes their place. */
  words: { [name: string]: { [name: string]: string } };
}

/** How to play a game, as Markdown. */
export interface GuideInfo {
  text: string;
}

/** A card in a hand. */
export interface HanabiCard {
  name: string;
  number: number;
  face: HanabiFace | null;
  known: boolean;
  mark: "critical" | "useless" | "playable" | "";
  colours: string[];
  ranks: number[];
  hinted: boolean;
  arrow: string;
}

/** A card that is out of the game. */
export interface HanabiDiscard {
  name: string;
  face: HanabiFace;
  needed: boolean;
  last: boolean;
}

/** What a card is. */
export interface HanabiFace {
  name: string;
  words: string;
  colour: string;
  rank: number;
}

/** The pile of a colour, which is its name. */
export interface HanabiFirework {
  name: string;
  height: number;
  top: string;
  last: boolean;
}

/** The cards of a player, the oldest first. */
export interface HanabiHand {
  name: string;
  seat: number;
  cards: HanabiCard[];
}

/** The table from a seat's side. */
export interface HanabiPicture {
  fireworks: HanabiFirework[];
  ranks: HanabiRank[];
  score: number;
  reachable: number;
  perfect: number;
  hints: number;
  most_hints: number;
  lives: number;
  most_lives: number;
  deck: number;
  turns_left: number | null;
  discarded: HanabiDiscard[];
  hands: HanabiHand[];
  playable: string[];
}

export interface HanabiRank {
  name: string;
  rank: number;
}

/** How often each payoff came, for each agent: single values, or bars between edges. */
export interface HistogramInfo {
  agents: string[];
  values: number[] | null;
  edges: number[] | null;
  counts: number[][];
  /** The highest payoff of each agent. */
  best: number[];
}

/** A seat that waits for somebody. */
export interface InvitationInfo {
  seat: number;
  token: string;
  link: string;
}

export interface JoinRequest {
  type: "join";
  table: string;
  token?: string | null;
}

/** A file that the experiment has written. */
export interface KeptFile {
  name: string;
  size: number;
}

/** A game of the experiment that can be opened as a table. */
export interface KeptTable {
  table: string;
  agents: string[] | null;
  payoffs: number[] | null;
}

/** The form for a kind of experiments. */
export interface KindForm {
  kind: string;
  title: string;
  fields: FormField[];
}

/** What the laboratory can do with a game, besides matches and tournaments. */
export interface LabInfo {
  game: string;
  kinds: string[];
  learners: LearnerInfo[];
  models: ModelInfo[];
  tunable: TunableInfo[];
  /** Against whom genomes are measured unless somebody else is named. */
  opponent: string;
}

export interface LearnerInfo {
  name: string;
  summary: string;
  /** As many as it thinks right. */
  games: number;
  step: number;
  opponent: string;
  teacher: string | null;
}

export interface LeaveRequest {
  type: "leave";
  table: string;
}

/** The log from a ply on; it replaces everything that was sent from there on. */
export interface LogMessage {
  type: "log";
  table: string;
  from: number;
  entries: EntryInfo[];
}

export interface LookRequest {
  type: "look";
  table: string;
  ply: number;
  seat?: number | null;
  open?: boolean;
}

/** Somebody, or something, who may be in a place. */
export interface Mark {
  sign: string;
  words: string;
  chance: number;
}

/** What `hiddenhand match --json` prints. */
export interface MatchReport {
  game: string;
  version: number;
  options: { [name: string]: Json };
  games: number;
  seed: number;
  seating: string;
  opening: number;
  seconds: number;
  games_per_second: number;
  seats: SeatResult[];
  moves: SpreadInfo;
  metrics: { [name: string]: SpreadInfo };
}

export interface ModelInfo {
  name: string;
  summary: string;
  /** The choices of each setting. */
  settings: { [name: string]: string[] };
  polishable: boolean;
}

/** A legal move. Its objects are the names of the things in the picture that it is about. */
export interface MoveInfo {
  action: number;
  text: string;
  /** What is done, the same in all languages. */
  verb: string;
  /** What is done, in words. */
  verb_words: string;
  /** The move in words, where its text is a bare name or made for programs; else empty. */
  words: string;
  objects: string[];
}

/** A tree of moves. */
export interface MoveTree {
  kind: "tree";
  title: string;
  nodes: TreeNode[];
}

/** A table that was made; `token` opens the seats of whoever made it. */
export interface NewTableInfo {
  table: string;
  token: string;
  seats: SeatInfo[];
  invite: InvitationInfo[];
}

/** The table at which the same play again. */
export interface NextTableMessage {
  type: "next";
  table: string;
  next: string;
}

/** A sentence. */
export interface Note {
  kind: "note";
  text: string;
}

/** Somebody to play with, by a name that people understand. */
export interface OpponentInfo {
  name: string;
  agent: string;
  about: string;
}

export interface OpponentTest {
  opponent: string;
  games: number;
  wins: number;
  ci95: [number | null, number | null];
  sole_wins: number;
  sole_ci95: [number | null, number | null];
}

/** The result of a kind of work that the page has no picture of: its simple values. */
export interface OtherReport {
  values: { [name: string]: string | number | boolean | null };
}

export interface PingRequest {
  type: "ping";
}

/** A place of a map; (0, 0) is its top left corner, (1, 1) the bottom right one. */
export interface Place {
  name: string;
  words: string;
  x: number;
  y: number;
  shade: number;
  marks: Mark[];
}

/** A map of named places and the roads between them. */
export interface Places {
  kind: "places";
  title: string;
  places: Place[];
  roads: [string, string][];
}

/** Lines of text, drawn as they are. */
export interface PlainText {
  kind: "text";
  text: string;
}

export interface PlayRequest {
  type: "play";
  table: string;
  ply: number;
  action: number;
}

export interface PongMessage {
  type: "pong";
}

export interface PrecalculationReport {
  world: string;
  depth: number;
  granularity: number;
  visible_states: number;
  too_complex: number;
  beliefs: number;
  seconds: number;
  output: string;
  bytes: number;
}

/** Somebody presses a thing of the picture that no move is about now: why not? */
export interface PressRequest {
  type: "press";
  table: string;
  thing: string;
}

export interface RenameRequest {
  type: "name";
  table: string;
  name: string;
}

/** The agent to move, which has given up, is asked once more. */
export interface RetryRequest {
  type: "again";
  table: string;
}

/** A game gone through move by move, as far as the review is done. */
export interface ReviewInfo {
  reviewer: string;
  stake: number;
  done: number;
  total: number;
  moves: ReviewedMoveInfo[];
}

/** One decision of a game, and what the reviewer says of it. */
export interface ReviewedMoveInfo {
  /** Its number, counted from 1, chance included. */
  move: number;
  seat: number;
  played: string;
  best: string;
  /** Of the best move, for the seat that moved. */
  value: number | null;
  /** Of the move that was played. */
  got: number | null;
  loss: number | null;
  mark: string;
  line: string[];
}

/** Something that happens in a search. */
export interface SearchStep {
  /** enter, leaf, back, cut, done, simulate, world, learn. */
  kind: string;
  /** The node where it happens. */
  at: number;
  says: string;
  changes: Change[];
  /** The nodes of the best line so far, or of the path that is followed. */
  line: number[];
  visited: number;
  /** Nodes that are known not to matter. */
  cut: number;
}

/** Who is to sit in one seat: whoever asks, a friend who gets a link, or an agent. */
export interface SeatBody {
  who: "me" | "open" | "agent";
  agent?: string | null;
  name?: string | null;
}

/** Who sits in a seat. */
export interface SeatInfo {
  seat: number;
  name: string;
  kind: "person" | "open" | "agent" | "record";
  connected: boolean;
  agent: string | null;
}

export interface SeatResult {
  seat: number | null;
  agent: string;
  mean: number | null;
  sd: number | null;
  ci95: [number | null, number | null];
  wins: number;
  ties: number;
  losses: number;
}

/** Who sits where, and which seats are one's own. */
export interface SeatsMessage {
  type: "seats";
  table: string;
  seats: SeatInfo[];
  mine: number[];
}

export type ServerMessage = FrameMessage | LogMessage | SeatsMessage | DecisionMessage | TreeMessage | BeliefMessage | ThinkingMessage | StatusMessage | NextTableMessage | ErrorMessage | PongMessage;

/** An option of a game, or a parameter of an agent. */
export interface SettingInfo {
  default: Json;
  allowed: string;
  choices: Json[] | null;
  low: number | null;
  high: number | null;
  help: string;
  suggestions: string[];
  /** Names of which several may be given, separated by commas. */
  several: string[];
  /** The values of other options for which each of its own stands. */
  presets: { [name: string]: { [name: string]: Json } };
}

/** One node as it stays throughout. A parent comes before its children. */
export interface Shape {
  /** -1 for the root. */
  parent: number;
  /** Which action led here: with those of its parents, the way to this node. */
  action: number;
  label: string;
  /** MAX, MIN, CHANCE, DICE, a player's letter, or nothing for a leaf. */
  who: string;
  /** A leaf at which the search is cut off. */
  estimated: boolean;
  /** What is known of a leaf before any search. */
  value: string;
  /** The marks of a small board, cell by cell; empty for none. */
  board: string[];
  columns: number;
}

/** A card of the pack. */
export interface SnapsCard {
  name: string;
  words: string;
  code: string;
  suit: string;
  rank: string;
  sign: string;
  points: number;
  trump: boolean;
  marriage: number;
}

/** The table from a seat's side. */
export interface SnapsPicture {
  phase: "naming" | "kontra" | "rekontra" | "tricks" | "over";
  pack: SnapsCard[];
  chooser: number;
  named: string | null;
  holders: number[];
  players: SnapsPlayer[];
  trick: SnapsTrick;
  before: SnapsTrick[];
  sides: SnapsSide[];
  enough: number;
}

/** A card in a trick. */
export interface SnapsPlayed {
  card: string;
  seat: number;
  announced: number;
  wins: boolean;
}

/** Somebody at the table. */
export interface SnapsPlayer {
  name: string;
  seat: number;
  place: "south" | "west" | "north" | "east";
  cards: number;
  hand: string[];
  points: number;
  bonus: number;
  tricks: number;
  roles: ("chooser" | "alone" | "maybe alone" | "partner" | "maybe partner" | "kontra" | "rekontra")[];
}

/** Those who play together, the chooser's side first. */
export interface SnapsSide {
  seats: number[];
  points: number;
}

export interface SnapsTrick {
  cards: SnapsPlayed[];
  done: boolean;
}

export type SocketRequest = JoinRequest | PlayRequest | LookRequest | AdviceRequest | WhyRequest | TreeRequest | BeliefRequest | PressRequest | WriteRequest | UndoRequest | RenameRequest | LeaveRequest | RetryRequest | PingRequest;

export interface SpreadInfo {
  mean: number | null;
  sd: number | null;
}

/** Checkers of one seat in one place. */
export interface Stack {
  name: string;
  owner: number;
  count: number;
}

export interface Started {
  job: string;
  /** With it the experiment can be stopped. */
  token: string;
}

/** What is waited for, in words. */
export interface StatusMessage {
  type: "status";
  table: string;
  text: string;
}

/** A search to be shown step by step: in a game after some moves, or in a tree that the client writes. */
export interface StepSearchBody {
  agent: string;
  game?: string;
  options?: { [name: string]: string | number | boolean };
  text?: string;
  moves?: string;
  breadth?: number;
  order?: "legal" | "game" | "best" | "worst" | "random";
  boards?: boolean | null;
  seed?: number;
}

/** A search in steps, and the picture that they change. */
export interface StepSearchInfo {
  title: string;
  result: string;
  nodes: Shape[];
  steps: SearchStep[];
  svg: string;
  /** For alpha-beta: nodes visited and cut in every order of the moves. */
  orders: { [name: string]: [number, number] };
  /** The tree, where the game is one. */
  tree: TreeInfo | null;
}

/** A new table. Seats left out: me in the first, the champion in the others. */
export interface TableBody {
  game: string;
  options?: { [name: string]: string | number | boolean };
  seed?: number | null;
  open?: boolean;
  seats?: SeatBody[] | null;
  delay?: number;
}

/** A table. */
export interface TableInfo {
  table: string;
  game: string;
  title: string;
  options: { [name: string]: Json };
  seats: SeatInfo[];
  plies: number;
  over: boolean;
  open: boolean;
  recorded: boolean;
  created: number;
  /** What each earlier deal of the same players paid, by their present seats. */
  series: number[][];
}

/** What a hidden thing of the picture may be, the likeliest first. */
export interface ThingInfo {
  name: string;
  chances: ChanceInfo[];
}

/** An agent has begun to think; `seat` is None for an adviser. */
export interface ThinkingMessage {
  type: "thinking";
  table: string;
  seat: number | null;
}

export interface TournamentAgent {
  agent: string;
  games: number;
  mean: number | null;
  sd: number | null;
  ci95: [number | null, number | null] | null;
  rating: number | null;
  rating95: [number | null, number | null] | null;
}

/** What `hiddenhand tournament --json` prints, without its single matches. */
export interface TournamentReport {
  game: string;
  version: number;
  options: { [name: string]: Json };
  games: number;
  seed: number;
  played: number;
  seconds: number;
  agents: TournamentAgent[];
  cross: ((CrossCell | null)[])[];
}

export interface TrainingReport {
  game: string;
  learner: string;
  players: number;
  games: number;
  seconds: number;
  opponent: string;
  mean: number;
  sd: number;
  ci95: [number | null, number | null];
  output: string;
  remarks: string[];
}

/** A node of a tree that can be changed, with all below it. */
export interface TreeInfo {
  /** max, min, chance, A, B, C or D; empty for a leaf. */
  mover: string;
  label: string;
  probability: number;
  payoffs: number[];
  estimate: number[];
  noisy: boolean;
  children: TreeInfo[];
}

/** The tree of a small search. */
export interface TreeMessage {
  type: "tree";
  table: string;
  ply: number;
  agent: string;
  title: string;
  svg: string;
  text: string;
}

/** A node of a tree; those nearer to the root come first. */
export interface TreeNode {
  name: string;
  parent: number;
  label: string;
  value: string;
  mover: number;
  here: boolean;
  passed: boolean;
}

export interface TreeRequest {
  type: "tree";
  table: string;
  ply: number;
  agent?: string | null;
}

export interface TunableInfo {
  agent: string;
  parameters: string[];
}

export interface TuningReport {
  game: string;
  options: { [name: string]: Json };
  agent: string;
  evaluations: number;
  games: number;
  seconds: number;
  before: number;
  after: number;
  sd: number;
  text: string;
  output: string;
}

export interface UndoRequest {
  type: "undo";
  table: string;
}

/** A text that is to be kept; a world, a model or a tree becomes a game of this name. */
export interface UploadBody {
  kind: "svarog" | "pomdp" | "tree" | "menu" | "record" | "hanab.live";
  text: string;
  name?: string;
}

/** A text that was kept, with all that is needed to make a table of it. */
export interface UploadInfo {
  game: string;
  title: string;
  options: { [name: string]: Json };
  /** The agent that the text describes, if it describes one: it plays against the visitor. */
  agent: string;
}

/** What may be brought here, and texts to begin with. */
export interface UploadsInfo {
  kinds: ("svarog" | "pomdp" | "tree" | "menu" | "record" | "hanab.live")[];
  examples: ExampleInfo[];
}

export interface WhyRequest {
  type: "why";
  table: string;
  ply: number;
  agent?: string | null;
}

/** A move as somebody writes it. */
export interface WriteRequest {
  type: "write";
  table: string;
  ply: number;
  text: string;
}

/** An experiment that is being put together: what the form holds, and the order that it becomes. No drawing here. */

import type { Experiment, Kind, LabInfo, LabOrder } from "./lab_wire";
import type { GameInfo, Json } from "./wire_types";
import { t } from "./words";

export interface Draft {
  kind: Kind;
  game: string;
  options: { [name: string]: Json };
  /** By name, as they are typed. */
  numbers: { [name: string]: string };
  seating: string;
  agents: string[];
  learner: string;
  teacher: string;
  agent: string;
  model: string;
  opponents: string[];
}

export const kindWords = (): { [kind in Kind]: string } => ({
  match: t("match"),
  tournament: t("tournament"),
  train: t("training"),
  tune: t("tuning"),
  evolve: t("evolution"),
  precalculate: t("precalculation"),
});

/** A number of an experiment: name, words, and what is there at first. */
type NumberField = [name: string, words: string, usual: number];

const numbersByKind = (): { [kind in Kind]: NumberField[] } => ({
  match: [
    ["games", t("games"), 500],
    ["opening", t("random first moves"), 0],
  ],
  tournament: [
    ["games", t("games a line-up"), 100],
    ["opening", t("random first moves"), 0],
  ],
  train: [["games", t("games to learn from"), 20_000]],
  tune: [
    ["evaluations", t("evaluations"), 60],
    ["games", t("games each"), 200],
  ],
  evolve: [
    ["generations", t("generations"), 30],
    ["runs", t("runs"), 1],
    ["mutants", t("mutants of a parent"), 10],
    ["games", t("games for fitness"), 100],
    ["hall", t("hall of fame"), 0],
    ["polish", t("passes of polishing"), 0],
  ],
  precalculate: [
    ["depth", t("steps ahead"), 4],
    ["granularity", t("granularity"), 2],
  ],
});

export const numbersOf = (kind: Kind): NumberField[] => [...numbersByKind()[kind], ["seed", t("seed"), 1]];

function usualNumbers(kind: Kind): { [name: string]: string } {
  return Object.fromEntries(numbersOf(kind).map(([name, , usual]) => [name, String(usual)]));
}

/** How many sit at a table with these options. */
export function seatsOf(game: GameInfo, options: { [name: string]: Json }): number {
  return Number(options.players ?? game.options.players?.default ?? game.players[1]);
}

/** So many agents, as far as the game names that many, each another: the best first, and `random` last. */
function differing(game: GameInfo, many: number): string[] {
  const levels = game.opponents.map((one) => one.agent).filter((agent) => agent !== "random" && agent !== game.champion);
  const others = game.agents.filter((one) => !one.cheats && one.name !== "random").map((one) => (one.example ? `${one.name}:${one.example}` : one.name));
  const known = (agent: string) => levels.some((one) => one.split(":")[0] === agent.split(":")[0]) || game.champion.split(":")[0] === agent.split(":")[0];
  const found = [game.champion, ...levels.reverse(), ...others.filter((agent) => !known(agent))];
  return [...new Set(found)].slice(0, many - 1).concat("random");
}

/** A new experiment of this kind. */
export function newDraft(game: GameInfo, kind: Kind, offers: LabInfo | null): Draft {
  const seats = seatsOf(game, {});
  const many = kind === "tournament" ? Math.max(3, seats) : seats;
  return {
    kind,
    game: game.name,
    options: {},
    numbers: usualNumbers(kind),
    seating: "rotate",
    agents: kind === "tournament" ? differing(game, many) : Array.from({ length: many }, (_, i) => (i === 0 ? game.champion : "random")),
    learner: offers?.learners[0]?.name ?? "",
    teacher: offers?.learners[0]?.teacher ?? "",
    agent: offers?.tunable[0]?.agent ?? "",
    model: offers?.models[0]?.name ?? "",
    opponents: [offers?.opponent ?? game.champion],
  };
}

/** The form as it was when this experiment was ordered. */
export function draftOf(experiment: Experiment, game: GameInfo): Draft {
  const order = experiment.order;
  const draft = newDraft(game, experiment.kind, null);
  const numbers = Object.fromEntries(
    Object.keys(draft.numbers).map((name) => [name, String(order[name] ?? draft.numbers[name])]),
  );
  const text = (name: string): string => (typeof order[name] === "string" ? (order[name] as string) : "");
  const texts = (name: string): string[] | null => (Array.isArray(order[name]) ? (order[name] as string[]) : null);
  return {
    ...draft,
    options: order.options,
    numbers,
    seating: text("seating") || draft.seating,
    agents: texts("agents") ?? draft.agents,
    learner: text("learner"),
    teacher: text("teacher"),
    agent: text("agent"),
    model: text("model"),
    opponents: texts("opponents") ?? draft.opponents,
  };
}

/** A match with what an experiment has found, against whom it was measured. */
export function matchWith(experiment: Experiment, game: GameInfo): Draft {
  const options = experiment.order.options;
  const other = experiment.kind === "evolve" ? (experiment.order.opponents as string[])[0]! : game.champion;
  const draft = { ...newDraft(game, "match", null), options };
  const seats = seatsOf(game, options);
  if (!experiment.opponents) return { ...draft, agents: Array<string>(seats).fill(experiment.agent), seating: "fixed" };
  return {
    ...draft,
    agents: Array.from({ length: seats }, (_, i) => (i < seats / 2 ? experiment.agent : other)),
    seating: "duplicate",
  };
}

/** The order that the form stands for, as it is sent; `options` are those that differ from the usual ones. */
export function orderOf(draft: Draft, options: { [name: string]: Json }, seats: number): LabOrder {
  const numbers = Object.fromEntries(Object.entries(draft.numbers).map(([name, text]) => [name, Number(text)]));
  const common = { game: draft.game, options, ...numbers };
  switch (draft.kind) {
    case "match": {
      const alike = draft.agents.length === 1;
      const agents = alike ? Array<string>(seats).fill(draft.agents[0]!) : draft.agents;
      return { ...common, agents, seating: alike ? "fixed" : draft.seating };
    }
    case "tournament":
      return { ...common, agents: draft.agents };
    case "train":
      return { ...common, learner: draft.learner, ...(draft.teacher ? { teacher: draft.teacher } : {}) };
    case "tune":
      return { ...common, agent: draft.agent };
    case "evolve":
      return { ...common, model: draft.model, opponents: draft.opponents };
    case "precalculate":
      return common;
  }
}

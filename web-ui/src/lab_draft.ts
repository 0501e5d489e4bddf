/** An experiment that is being put together: what the form holds, and the order that it becomes. No drawing here. */

import type { Experiment, LabInfo, LabOrder } from "./lab_wire";
import type { FormField, GameInfo, Json, KindForm } from "./wire_types";

export interface Draft {
  kind: string;
  game: string;
  options: { [name: string]: Json };
  /** By the name of the field: numbers as they are typed, agents as texts or lists of them. */
  values: { [name: string]: Json };
}

export const text = (draft: Draft, name: string): string => String(draft.values[name] ?? "");
export const texts = (draft: Draft, name: string): string[] => (draft.values[name] as string[] | undefined) ?? [];

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

/** What a field holds at first. */
function first({ input, usual }: FormField, game: GameInfo, offers: LabInfo | null): Json {
  const seats = seatsOf(game, {});
  switch (input) {
    case "number":
      return usual === null ? "" : String(usual);
    case "line_up":
      return Array.from({ length: seats }, (_, i) => (i === 0 ? game.champion : "random"));
    case "agents":
      return differing(game, Math.max(3, seats));
    case "opponents":
      return [offers?.opponent ?? game.champion];
    case "learner":
      return offers?.learners[0]?.name ?? "";
    case "teacher":
      return offers?.learners[0]?.teacher ?? "";
    case "tunable":
      return offers?.tunable[0]?.agent ?? "";
    case "model":
      return offers?.models[0]?.name ?? "";
    default:
      return usual ?? "";
  }
}

/** A new experiment of the kind of a form. */
export function newDraft(game: GameInfo, form: KindForm, offers: LabInfo | null): Draft {
  const values = Object.fromEntries(form.fields.map((field) => [field.name, first(field, game, offers)]));
  return { kind: form.kind, game: game.name, options: {}, values };
}

/** The form as it was when this experiment was ordered. */
export function draftOf(experiment: Experiment, game: GameInfo, form: KindForm): Draft {
  const draft = newDraft(game, form, null);
  const order = experiment.order;
  for (const { name, input } of form.fields) {
    const given = order[name];
    if (given === null || given === undefined) draft.values[name] = input === "number" ? draft.values[name]! : "";
    else draft.values[name] = input === "number" ? String(given) : given;
  }
  return { ...draft, options: order.options };
}

/** A match with what an experiment has found, against whom it was measured. */
export function matchWith(experiment: Experiment, game: GameInfo, form: KindForm): Draft {
  const options = experiment.order.options;
  const other = (experiment.order.opponents as string[] | undefined)?.[0] ?? game.champion;
  const draft = { ...newDraft(game, form, null), options };
  const seats = seatsOf(game, options);
  const found = Array.from({ length: seats }, (_, i) =>
    experiment.opponents && i >= seats / 2 ? other : experiment.agent,
  );
  const seating = experiment.opponents ? "duplicate" : "fixed";
  return { ...draft, values: { ...draft.values, agents: found, seating } };
}

/** The order that the form stands for, as it is sent; `options` are those that differ from the usual ones. */
export function orderOf(draft: Draft, form: KindForm, options: { [name: string]: Json }, seats: number): LabOrder {
  const order: LabOrder = { game: draft.game, options };
  for (const { name, input } of form.fields) {
    const value = draft.values[name]!;
    if (input === "number") order[name] = Number(value);
    else if (value !== "") order[name] = value;
  }
  const lineUp = form.fields.find(({ input }) => input === "line_up");
  const agents = lineUp ? texts(draft, lineUp.name) : [];
  if (lineUp && agents.length === 1) {
    order[lineUp.name] = Array<string>(seats).fill(agents[0]!);
    if (form.fields.some(({ name }) => name === "seating")) order.seating = "fixed";
  }
  return order;
}

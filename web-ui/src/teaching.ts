/** The teaching bench without its drawing: what is asked for, links, frames, quizzes, and trees that are changed. */

import type { Change, Shape, SearchStep, TreeInfo, StepSearchBody } from "./wire_types";

export type OrderName = NonNullable<StepSearchBody["order"]>;
export const ORDERS: OrderName[] = ["legal", "game", "best", "worst", "random"];

/** The searches that can be watched, and which of their settings says how much. */
export const METHODS: { [method: string]: string } = {
  minimax: "depth",
  alphabeta: "depth",
  maxn: "depth",
  "expectiminimax:pruning=none": "depth",
  "expectiminimax:pruning=star1": "depth",
  "expectiminimax:pruning=star2": "depth",
  uct: "simulations",
  pimc: "worlds",
  cfr: "iterations",
};

/** The methods for a game whose agents are these; a tree decides by itself, but hides nothing. */
export function methodsFor(game: string, agents: string[]): string[] {
  const fits = (name: string) => (game === "tree" ? name !== "pimc" && name !== "cfr" : agents.includes(name));
  return Object.keys(METHODS).filter((method) => fits(method.split(":")[0]!));
}

const USUAL: { [setting: string]: number } = { depth: 2, simulations: 20, worlds: 6, iterations: 10 };

/** How much of a method can be looked at; a tree is searched to its leaves. */
export const usualAmount = (method: string, game: string): number =>
  game === "tree" && METHODS[method] === "depth" ? 0 : (USUAL[METHODS[method]!] ?? 0);

/** All that a link keeps. */
export interface Wish {
  game: string;
  /** An example, where the game is a tree. */
  file: string;
  /** The tree itself, once it was changed. */
  text: string;
  /** Where the game begins, written as its page says; empty for the usual start. */
  position: string;
  moves: string;
  method: string;
  /** 0: what the method takes by itself. */
  amount: number;
  breadth: number;
  order: OrderName;
  seed: number;
  /** In the nodes: "small" ones, "all" or "none". */
  boards: BoardsName;
  /** -1: the last. */
  step: number;
}

/** What the server is told of them. */
export const BOARDS = { small: null, all: true, none: false };
export type BoardsName = keyof typeof BOARDS;

export const FIRST: Wish = {
  game: "tree",
  file: "pruning",
  text: "",
  position: "",
  moves: "",
  method: "alphabeta",
  amount: 0,
  breadth: 0,
  order: "legal",
  seed: 0,
  boards: "small",
  step: 0,
};

/** As the part of a link after #; what is as usual is left out. */
export function toFragment(wish: Wish): string {
  const kept = Object.entries(wish).filter(([name, value]) => value !== FIRST[name as keyof Wish]);
  return new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
}

export function fromFragment(fragment: string): Wish {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const wish = { ...FIRST } as { [name: string]: string | number | boolean };
  for (const [name, usual] of Object.entries(FIRST)) {
    const text = given.get(name);
    if (text === null) continue;
    if (typeof usual === "boolean") wish[name] = text === "true";
    else if (typeof usual === "number") wish[name] = Number.isInteger(Number(text)) ? Number(text) : usual;
    else wish[name] = text;
  }
  const read = wish as unknown as Wish;
  if (!(read.method in METHODS)) read.method = FIRST.method;
  if (!ORDERS.includes(read.order)) read.order = FIRST.order;
  if (!(read.boards in BOARDS)) read.boards = FIRST.boards;
  return read;
}

/** What the server is asked for. */
export function orderFor(wish: Wish): StepSearchBody {
  const amount = wish.amount > 0 ? `${METHODS[wish.method]}=${wish.amount}` : "";
  const agent = amount ? `${wish.method}${wish.method.includes(":") ? "," : ":"}${amount}` : wish.method;
  const tree = wish.game === "tree";
  return {
    agent,
    game: wish.game,
    options: tree ? (wish.text ? {} : { file: wish.file }) : wish.position ? { position: wish.position } : {},
    text: tree ? wish.text : "",
    moves: wish.moves,
    breadth: wish.breadth,
    order: wish.order,
    seed: wish.seed,
    boards: BOARDS[wish.boards],
  };
}

/** What every node shows after so many steps. */
export function shownAfter(nodes: Shape[], steps: SearchStep[], count: number): Change[] {
  const shown: Change[] = nodes.map((node, i) => ({
    node: i,
    look: node.who === "MORE" ? "more" : "ahead",
    value: node.value,
    note: "",
  }));
  for (const step of steps.slice(0, count)) for (const change of step.changes) shown[change.node] = change;
  return shown;
}

/** The shape of a node, as its class says. */
export function kindOf(who: string): string {
  const known: { [who: string]: string } = { MAX: "max", MIN: "min", "": "leaf", MORE: "more" };
  return known[who] ?? (who.length === 1 ? "player" : "chance");
}

/** How a node is called in a list. */
export function nameOf(nodes: Shape[], number: number): string {
  const path: string[] = [];
  for (let at = number; at > 0; at = nodes[at]!.parent) path.unshift(nodes[at]!.label || "?");
  return path.join(" › ");
}

// ---- quizzes

/** What may be asked: the nodes that a search has to work out. */
export const asked = (nodes: Shape[]): number[] =>
  nodes.flatMap((node, i) => (node.who !== "" && node.who !== "MORE" ? [i] : []));

const plain = (text: string): string => text.replace(/[≤≥()\s]+/g, " ").replaceAll(",", ".").trim();

/** Whether an answer is what the search found; a bound counts as its number. */
export function isRight(answer: string, value: string): boolean {
  const given = plain(answer).split(" ").map(Number);
  const found = plain(value).split(" ").map(Number);
  return (
    answer.trim() !== "" && value !== "" && given.length === found.length && given.every((one, i) => Math.abs(one - found[i]!) < 0.0051)
  );
}

/** What each node is worth if both sides play best, whatever a search has cut; empty where that is not to be said. */
export function exactValues(nodes: Shape[]): string[] {
  const below = nodes.map((): number[] => []);
  for (const [i, node] of nodes.entries()) if (node.parent >= 0 && node.who !== "MORE") below[node.parent]!.push(i);
  const values: number[] = [];
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i]!;
    const children = below[i]!.map((child) => values[child]!);
    if (node.who === "MAX") values[i] = Math.max(...children);
    else if (node.who === "MIN") values[i] = Math.min(...children);
    else if (kindOf(node.who) === "chance")
      values[i] = below[i]!.reduce((sum, child) => sum + Number.parseFloat(nodes[child]!.label) * values[child]!, 0);
    else values[i] = node.value === "" ? Number.NaN : Number(node.value);
  }
  return values.map((value) => (Number.isFinite(value) ? String(value) : ""));
}

/** Whether an answer is what a node is worth, or the bound that the search was content with. */
export const isAnswer = (answer: string, found: string, exact: string): boolean =>
  isRight(answer, found) || isRight(answer, exact);

// ---- how trees grow

export interface Growth {
  breadth: number;
  depth: number;
  all: number;
  best: number;
  random: number;
  memory: number;
}

/** The mean number of moves and the depth of a tree, and what the formulas make of them. */
export function growthOf(nodes: Shape[]): Growth {
  const levels: number[] = [];
  const parents = new Set<number>();
  nodes.forEach((node, i) => {
    levels[i] = node.parent < 0 ? 0 : levels[node.parent]! + 1;
    if (node.parent >= 0 && node.who !== "MORE") parents.add(node.parent);
  });
  const children = nodes.filter((node) => node.parent >= 0 && node.who !== "MORE").length;
  const breadth = parents.size > 0 ? children / parents.size : 0;
  const depth = Math.max(0, ...levels);
  return {
    breadth,
    depth,
    all: breadth ** depth,
    best: breadth ** (depth / 2),
    random: breadth ** ((3 * depth) / 4),
    memory: breadth * depth,
  };
}

// ---- trees that are changed by hand

/** The way to a node: which child, from the root on. */
export function pathOf(nodes: Shape[], number: number): number[] {
  const path: number[] = [];
  for (let at = number; at > 0; at = nodes[at]!.parent) path.unshift(nodes[at]!.action);
  return path;
}

export const treeAt = (tree: TreeInfo, path: number[]): TreeInfo | undefined =>
  path.reduce<TreeInfo | undefined>((node, child) => node?.children[child], tree);

/** The same tree with another node in one place; null takes the node out. */
export function changedAt(
  tree: TreeInfo,
  path: number[],
  change: (node: TreeInfo) => TreeInfo | null,
): TreeInfo {
  const [first, ...rest] = path;
  if (first === undefined) return change(tree) ?? tree;
  const children = tree.children.flatMap((child, i) => {
    if (i !== first) return [child];
    const next = rest.length > 0 ? changedAt(child, rest, change) : change(child);
    return next ? [next] : [];
  });
  return balanced({ ...tree, children });
}

/** Probabilities that add up to 1 again. */
function balanced(node: TreeInfo): TreeInfo {
  if (node.mover !== "chance") return node;
  const total = node.children.reduce((sum, child) => sum + child.probability, 0);
  const even = 1 / Math.max(1, node.children.length);
  const share = (child: TreeInfo) => (total > 0 ? child.probability / total : even);
  return { ...node, children: node.children.map((child) => ({ ...child, probability: share(child) })) };
}

/** Another probability for one outcome; the others share what is left as before. */
export function withProbability(tree: TreeInfo, path: number[], wanted: number): TreeInfo {
  const place = path.at(-1)!;
  const chance = Math.min(Math.max(wanted, 0.001), 0.999);
  return changedAt(tree, path.slice(0, -1), (node) => {
    const others = node.children.reduce((sum, child, i) => sum + (i === place ? 0 : child.probability), 0);
    const children = node.children.map((child, i) => ({
      ...child,
      probability:
        i === place ? (others > 0 ? chance : 1) : others > 0 ? (child.probability / others) * (1 - chance) : 0,
    }));
    return { ...node, children };
  });
}

const NEXT: { [mover: string]: string } = { A: "B", B: "A", chance: "A", C: "A", D: "A" };

/** A leaf more below a node; a leaf becomes a node of the side that follows. */
export function withChild(tree: TreeInfo, path: number[]): TreeInfo {
  const above = treeAt(tree, path.slice(0, -1));
  return changedAt(tree, path, (node) => {
    const players = payoffsIn(tree);
    const leaf: TreeInfo = { ...EMPTY, payoffs: Array(players).fill(0) as number[] };
    if (node.mover !== "") {
      const even = 1 / (node.children.length + 1);
      const fresh = { ...leaf, probability: node.mover === "chance" ? even : 0 };
      return balanced({ ...node, children: [...node.children.map((one) => ({ ...one })), fresh] });
    }
    const mover = NEXT[above?.mover ?? "B"] ?? "A";
    return { ...node, mover, payoffs: [], children: [{ ...leaf, payoffs: node.payoffs }, leaf] };
  });
}

const EMPTY: TreeInfo = {
  mover: "",
  label: "",
  probability: 0,
  payoffs: [0],
  estimate: [],
  noisy: false,
  children: [],
};

/** Numbers that a leaf has: 1, or one per player. */
export const payoffsIn = (tree: TreeInfo): number =>
  tree.mover === "" ? tree.payoffs.length : payoffsIn(tree.children[0]!);

/** Another mover; where chance begins to move, all outcomes are equally likely. */
export function withMover(tree: TreeInfo, path: number[], mover: string): TreeInfo {
  return changedAt(tree, path, (node) => {
    const even = mover === "chance" ? 1 / node.children.length : 0;
    const chances = mover === "chance" && node.mover === "chance";
    return {
      ...node,
      mover,
      children: node.children.map((child) => ({ ...child, probability: chances ? child.probability : even })),
    };
  });
}

/** The node is taken out; whoever is left without children becomes a leaf. */
export function without(tree: TreeInfo, path: number[]): TreeInfo {
  const above = path.slice(0, -1);
  const parent = treeAt(tree, above);
  if (path.length === 0 || !parent) return tree;
  if (parent.children.length > 1) return changedAt(tree, path, () => null);
  const gone = parent.children[0]!;
  const left = gone.mover === "" ? gone.payoffs : (Array(payoffsIn(tree)).fill(0) as number[]);
  return path.length === 1
    ? tree
    : changedAt(tree, above, (node) => ({ ...node, mover: "", payoffs: left, estimate: [], noisy: false, children: [] }));
}

/** A label as the text of a tree may have it. */
export const cleanLabel = (label: string): string => label.replace(/[^\p{L}\p{N}_+\-/]/gu, "").slice(0, 12);

const numbers = (values: number[]): string => (values.length === 1 ? String(values[0]) : `[${values.join(" ")}]`);

/** The tree as text. */
export function written(node: TreeInfo, players: number = payoffsIn(node), level = 0): string {
  if (node.mover === "") return numbers(node.payoffs);
  const words: { [mover: string]: string } = players === 1 ? { A: "max", B: "min" } : {};
  const opinion = node.estimate.length > 0 ? ` ~${numbers(node.estimate)}${node.noisy ? "!" : ""}` : "";
  const gap = level === 0 ? "\n   " : " ";
  const children = node.children.map((child) => {
    const label = child.label ? `${child.label}: ` : "";
    const chance = node.mover === "chance" ? `${child.probability} ` : "";
    return gap + label + chance + written(child, players, level + 1);
  });
  return `(${words[node.mover] ?? node.mover}${opinion}${children.join("")})`;
}

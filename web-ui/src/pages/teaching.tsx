/** The teaching bench: a search step by step, on a game or on a tree that one changes by hand; also as a quiz. */

import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../parts/keys";
import { Sign } from "../parts/sign";
import { Stage } from "../parts/stage";
import { TreeEditor } from "../parts/tree_editor";
import {
  type BoardsName,
  asked,
  exactValues,
  fromFragment,
  growthOf,
  isAnswer,
  METHODS,
  methodsFor,
  nameOf,
  ORDERS,
  orderFor,
  type OrderName,
  pathOf,
  shownAfter,
  toFragment,
  usualAmount,
  type Wish,
} from "../teaching";
import { ask, type Refused } from "../wire";
import type { GameInfo, StepSearchInfo } from "../wire_types";
import { numeral, t } from "../words";

const PACE = 900;
const ZOOMS = [0.35, 0.5, 0.7, 1, 1.4, 2];

export function TeachingBench({ games }: { games: GameInfo[] }) {
  const [wish, setWish] = useState<Wish>(() => fromFragment(location.hash));
  const [found, setFound] = useState<StepSearchInfo | null>(null);
  const [error, setError] = useState("");
  const [chosen, setChosen] = useState<number | null>(null);
  const [playing, setPlaying] = useState(false);
  const [zoom, setZoom] = useState(1);
  const [quiz, setQuiz] = useState(false);
  const [answers, setAnswers] = useState<{ [node: number]: string }>({});

  /** The game whose picture is shown. */
  const pictured = useRef("");
  const asking = JSON.stringify(orderFor(wish));
  useEffect(() => {
    let gone = false;
    const timer = window.setTimeout(() => {
      ask<StepSearchInfo>("POST", "/api/watch", JSON.parse(asking)).then(
        (watching) => {
          if (gone) return;
          setFound(watching);
          pictured.current = wish.game;
          setError("");
          setAnswers({});
        },
        (reason: Refused) => {
          if (gone) return;
          setError(reason.message);
          if (pictured.current !== wish.game) setFound(null); // it would be the picture of another game
        },
      );
    }, 150);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [asking]);
  useEffect(() => history.replaceState(null, "", `#${toFragment(wish)}`), [wish]);

  const last = found?.steps.length ?? 0;
  const step = wish.step < 0 ? last : Math.min(wish.step, last);
  const within = (to: number) => Math.min(Math.max(to, 0), last);
  const go = (to: number) => setWish((one) => ({ ...one, step: within(to) }));
  const move = (by: number) =>
    setWish((one) => ({ ...one, step: within((one.step < 0 ? last : Math.min(one.step, last)) + by) }));
  useEffect(() => {
    if (!playing) return;
    if (step >= last) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => move(1), PACE);
    return () => clearTimeout(timer);
  }, [playing, step, last]);
  const play = () => {
    if (step >= last) go(0);
    setPlaying(!playing);
  };
  useKeys({
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
    Home: () => go(0),
    End: () => go(last),
    p: play,
  });

  const change = (part: Partial<Wish>) => {
    setChosen(null);
    setPlaying(false);
    setWish((one) => ({ ...one, step: 0, ...part }));
  };
  const rewrite = (text: string) => {
    setPlaying(false);
    setWish((one) => ({ ...one, text }));
  };
  return (
    <main class="teaching">
      <h1>{t("Teaching bench")}</h1>
      <WishForm games={games} wish={wish} change={change} />
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {!found && !error && <p role="status">{t("Loading…")}</p>}
      {found && (
        <>
          <div class="clock" role="group" aria-label={t("time")}>
            <button type="button" aria-label={t("to the beginning")} title="Home" onClick={() => go(0)}>
              <Sign name="first" />
            </button>
            <button type="button" aria-label={t("one step back")} title="←" onClick={() => move(-1)}>
              <Sign name="back" />
            </button>
            <button type="button" aria-label={playing ? t("pause") : t("play all steps")} title="p" onClick={play}>
              <Sign name={playing ? "pause" : "play"} />
            </button>
            <input
              type="range"
              min="0"
              max={last}
              value={step}
              aria-label={t("step")}
              onInput={(event) => go(Number(event.currentTarget.value))}
            />
            <output>
              {step} / {last}
            </output>
            <button type="button" aria-label={t("one step on")} title="→" class="on" onClick={() => move(1)}>
              <Sign name="on" />
            </button>
            <button type="button" aria-label={t("to the end")} title="End" onClick={() => go(last)}>
              <Sign name="last" />
            </button>
            <button type="button" aria-label={t("smaller")} onClick={() => setZoom(nextZoom(zoom, -1))}>
              −
            </button>
            <button type="button" aria-label={t("larger")} onClick={() => setZoom(nextZoom(zoom, 1))}>
              +
            </button>
            <button type="button" class="save" onClick={savePicture}>
              {t("Save the picture")}
            </button>
            <button
              type="button"
              class="quiz-switch"
              aria-pressed={quiz}
              onClick={() => {
                setQuiz(!quiz);
                setAnswers({});
                setChosen(null);
              }}
            >
              {t("Quiz")}
            </button>
          </div>
          <p class="says" aria-live="polite">
            {quiz ? t("What is each node worth? Press one and answer.") : sentence(found, step)}
          </p>
          <Picture found={found} step={quiz ? 0 : step} zoom={zoom} chosen={chosen} choose={setChosen} answers={quiz ? answers : null} />
          <div class="teaching-below">
            {quiz ? (
              <Quiz
                found={found}
                chosen={chosen}
                choose={setChosen}
                answers={answers}
                answer={(node, text) => setAnswers({ ...answers, [node]: text })}
              />
            ) : (
              <Counts found={found} step={step} />
            )}
            {found.tree && !quiz && (
              <TreeEditor tree={found.tree} path={chosen === null ? null : pathOf(found.nodes, chosen)} change={rewrite} />
            )}
          </div>
        </>
      )}
    </main>
  );
}

const sentence = (found: StepSearchInfo, step: number): string =>
  step === 0 ? t("The tree before the search. The key → goes on.") : found.steps[step - 1]!.says;

/** What the stage shows now, as a file. */
function savePicture(): void {
  const picture = document.querySelector(".stage svg")!.cloneNode(true) as SVGElement;
  picture.removeAttribute("style");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([picture.outerHTML], { type: "image/svg+xml" }));
  link.download = "tree.svg";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const nextZoom = (zoom: number, by: number): number =>
  ZOOMS[Math.min(Math.max(ZOOMS.indexOf(zoom) + by, 0), ZOOMS.length - 1)]!;

interface PictureProps {
  found: StepSearchInfo;
  step: number;
  zoom: number;
  chosen: number | null;
  choose: (node: number) => void;
  /** In a quiz, what was answered. */
  answers: { [node: number]: string } | null;
}

function Picture({ found, step, zoom, chosen, choose, answers }: PictureProps) {
  const at = step > 0 && !answers ? found.steps[step - 1]! : null;
  const shown = shownAfter(found.nodes, found.steps, step);
  const right: number[] = [];
  const wrong: number[] = [];
  if (answers) {
    right.push(...rightAnswers(found, answers));
    for (const node of asked(found.nodes)) {
      const good = right.includes(node);
      if (answers[node] !== undefined && !good) wrong.push(node);
      shown[node] = { ...shown[node]!, look: "open", value: good ? answers[node]! : "?" };
    }
  }
  const marks = { at: at?.at ?? -1, line: at?.line ?? [], chosen, right, wrong };
  return <Stage svg={found.svg} nodes={found.nodes} shown={shown} marks={marks} zoom={zoom} choose={choose} />;
}

/** The nodes whose answers are right. */
function rightAnswers(found: StepSearchInfo, answers: { [node: number]: string }): number[] {
  const last = shownAfter(found.nodes, found.steps, found.steps.length);
  const exact = exactValues(found.nodes);
  return asked(found.nodes).filter((node) => isAnswer(answers[node] ?? "", last[node]!.value, exact[node]!));
}

interface QuizProps {
  found: StepSearchInfo;
  chosen: number | null;
  choose: (node: number) => void;
  answers: { [node: number]: string };
  answer: (node: number, text: string) => void;
}

function Quiz({ found, chosen, choose, answers, answer }: QuizProps) {
  const [draft, setDraft] = useState("");
  const nodes = asked(found.nodes);
  const right = rightAnswers(found, answers);
  const given = chosen === null ? undefined : answers[chosen];
  const ready = chosen !== null && nodes.includes(chosen);
  return (
    <section class="panel quiz">
      <h2>{t("Quiz")}</h2>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) answer(chosen, draft);
          setDraft("");
        }}
      >
        <select
          aria-label={t("node")}
          value={ready ? String(chosen) : ""}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        >
          <option value="">{t("which node")}</option>
          {nodes.map((node) => (
            <option key={node} value={String(node)}>
              {found.nodes[node]!.who} {nameOf(found.nodes, node)}
            </option>
          ))}
        </select>
        <input
          class="answer"
          aria-label={t("its value")}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={!ready}>
          {t("Check")}
        </button>
      </form>
      <p class="verdict" aria-live="polite">
        {given !== undefined && (right.includes(chosen!) ? t("Right.") : t("Not so. Try again."))}{" "}
        {t("{done} of {total} nodes are right.", { done: right.length, total: nodes.length })}
      </p>
    </section>
  );
}

function orderWords(order: string): string {
  switch (order) {
    case "game":
      return t("the game's own order");
    case "best":
      return t("the best first");
    case "worst":
      return t("the worst first");
    case "random":
      return t("a random order");
    default:
      return t("as the rules give them");
  }
}

function Counts({ found, step }: { found: StepSearchInfo; step: number }) {
  const now = step > 0 ? found.steps[step - 1]! : null;
  const growth = growthOf(found.nodes);
  const short = (value: number) => numeral(value, { maximumFractionDigits: 1 });
  return (
    <section class="panel counts">
      <h2>{t("Counted")}</h2>
      <p>
        {t("{visited} nodes visited, {cut} cut, {total} in the tree.", {
          visited: now?.visited ?? 0,
          cut: now?.cut ?? 0,
          total: found.nodes.filter((node) => node.who !== "MORE").length,
        })}
      </p>
      {Object.keys(found.orders).length > 0 && (
        <table>
          <thead>
            <tr>
              <th>{t("order of moves")}</th>
              <th>{t("visited")}</th>
              <th>{t("cut")}</th>
            </tr>
          </thead>
          <tbody>
            {ORDERS.filter((order) => order in found.orders).map((order) => (
              <tr key={order} data-order={order}>
                <td>{orderWords(order)}</td>
                <td>{found.orders[order]![0]}</td>
                <td>{found.orders[order]![1]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="soft">
        {t("With b = {b} moves a node and m = {m} levels: b^m = {all} leaves, b^(m/2) = {best} with the best order, b^(3m/4) = {random} with a random one; memory for b m = {memory} nodes.", {
          b: short(growth.breadth),
          m: growth.depth,
          all: short(growth.all),
          best: short(growth.best),
          random: short(growth.random),
          memory: short(growth.memory),
        })}
      </p>
    </section>
  );
}

function amountWords(method: string): string {
  switch (METHODS[method]) {
    case "simulations":
      return t("simulations");
    case "worlds":
      return t("deals");
    case "iterations":
      return t("iterations");
    default:
      return t("depth");
  }
}

interface WishFormProps {
  games: GameInfo[];
  wish: Wish;
  change: (part: Partial<Wish>) => void;
}

function WishForm({ games, wish, change }: WishFormProps) {
  const game = games.find((one) => one.name === wish.game);
  const file = games.find((one) => one.name === "tree")?.options.file;
  const files = (file?.choices ?? file?.suggestions ?? []).map(String);
  const tree = wish.game === "tree";
  const agentsOf = (name: string) => games.find((one) => one.name === name)?.agents.map((one) => one.name) ?? [];
  const methods = methodsFor(wish.game, agentsOf(wish.game));
  /** Games with a search that can be watched; and the one of a link, whatever it is. */
  const watchable = games.filter((one) => one.name === wish.game || methodsFor(one.name, agentsOf(one.name)).length > 0);
  const number = (text: string) => Math.max(0, Math.trunc(Number(text) || 0));
  const choose = (name: string) => {
    const fitting = methodsFor(name, agentsOf(name));
    const method = fitting.includes(wish.method) ? wish.method : (fitting[0] ?? wish.method);
    const breadth = name === "tree" ? 0 : 3;
    change({ game: name, text: "", position: "", moves: "", method, breadth, amount: usualAmount(method, name) });
  };
  return (
    <form class="panel wish" onSubmit={(event) => event.preventDefault()}>
      <label>
        {t("game")}
        <select class="game" value={wish.game} onChange={(event) => choose(event.currentTarget.value)}>
          {watchable.map((one) => (
            <option key={one.name} value={one.name}>
              {one.title}
            </option>
          ))}
        </select>
      </label>
      {tree ? (
        <label>
          {t("example")}
          <select class="file" value={wish.text ? "" : wish.file} onChange={(event) => change({ file: event.currentTarget.value, text: "" })}>
            {wish.text && <option value="">{t("changed by hand")}</option>}
            {files.map((one) => (
              <option key={one} value={one}>
                {one.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <>
          {game?.options.position && (
            <label>
              {t("position")}
              <input class="position" value={wish.position} onChange={(event) => change({ position: event.currentTarget.value })} />
            </label>
          )}
          <label>
          {t("after these moves")}
          <input class="moves" value={wish.moves} onChange={(event) => change({ moves: event.currentTarget.value })} />
          </label>
        </>
      )}
      <label>
        {t("method")}
        <select class="method" value={wish.method} onChange={(event) => change({ method: event.currentTarget.value, amount: usualAmount(event.currentTarget.value, wish.game) })}>
          {methods.map((one) => (
            <option key={one} value={one}>
              {one.replace(":pruning=", " ").replace(" none", "")}
            </option>
          ))}
        </select>
      </label>
      <label>
        {amountWords(wish.method)}
        <input type="number" min="0" value={wish.amount || ""} onChange={(event) => change({ amount: number(event.currentTarget.value) })} />
      </label>
      <label>
        {t("breadth")}
        <input type="number" min="0" max="64" value={wish.breadth || ""} onChange={(event) => change({ breadth: number(event.currentTarget.value) })} />
      </label>
      <label>
        {t("order of moves")}
        <select class="order" value={wish.order} onChange={(event) => change({ order: event.currentTarget.value as OrderName })}>
          {ORDERS.map((one) => (
            <option key={one} value={one}>
              {orderWords(one)}
            </option>
          ))}
        </select>
      </label>
      {game?.chance && !tree && (
        <label>
          {t("seed")}
          <input type="number" min="0" value={wish.seed} onChange={(event) => change({ seed: number(event.currentTarget.value) })} />
        </label>
      )}
      {!tree && (
        <label>
          {t("boards in the nodes")}
          <select value={wish.boards} onChange={(event) => change({ boards: event.currentTarget.value as BoardsName })}>
            <option value="small">{t("small ones")}</option>
            <option value="all">{t("all")}</option>
            <option value="none">{t("none")}</option>
          </select>
        </label>
      )}
      <CopyLink />
    </form>
  );
}

function CopyLink() {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <button type="button" class="copy-link" title={t("The address holds the whole tree, the method and the step.")} onClick={() => void copy()}>
      {copied ? t("copied") : t("Copy a link to this")}
    </button>
  );
}

/** The laboratory: start a match or a tournament, watch its numbers settle, open its games. */

import { useEffect, useState } from "preact/hooks";
import {
  CrossTable,
  Histogram,
  MatchTable,
  type HistogramData,
  type MatchResult,
  type TournamentResult,
} from "../parts/results";
import { Sign } from "../parts/sign";
import { AgentField } from "../parts/agent_field";
import { changed, SettingField } from "../parts/setting";
import { ask, type Refused } from "../wire";
import type { GameInfo, Json } from "../wire_types";

interface Job {
  job: string;
  kind: "match" | "tournament";
  game: string;
  state: "waiting" | "running" | "done" | "failed" | "stopped";
  done: number;
  total: number | null;
  error?: string;
  result: MatchResult | TournamentResult | null;
  histogram: HistogramData | null;
  records: { table: string; agents: string[] | null; payoffs: number[] | null }[];
}

const EVERY = 500;
const SEATINGS: [string, string][] = [
  ["fixed", "as given"],
  ["rotate", "seats rotate"],
  ["duplicate", "every deal in every seating"],
];

/** What everybody got; once, if all got the same. */
function results(payoffs: number[]): string {
  const texts = payoffs.map((payoff) => String(Number(payoff.toFixed(2))).replace("-", "−"));
  return new Set(texts).size === 1 ? texts[0]! : texts.join(" / ");
}

function Order({
  games,
  started,
  fail,
}: {
  games: GameInfo[];
  started: (job: string) => void;
  fail: (text: string) => void;
}) {
  const [name, setName] = useState(games.some((one) => one.name === "hanabi") ? "hanabi" : games[0]!.name);
  const game = games.find((one) => one.name === name) ?? games[0]!;
  const [kind, setKind] = useState<"match" | "tournament">("match");
  const [agents, setAgents] = useState<string[]>([game.champion]);
  const [options, setOptions] = useState<{ [name: string]: Json }>({});
  const [count, setCount] = useState("500");
  const [seed, setSeed] = useState("1");
  const [seating, setSeating] = useState("rotate");
  const players = Number(options.players ?? game.options.players?.default ?? game.players[1]);

  const choose = (next: GameInfo) => {
    const seats = Number(next.options.players?.default ?? next.players[1]);
    setName(next.name);
    setOptions({});
    setAgents(
      Array.from({ length: Math.max(seats, kind === "tournament" ? 3 : 1) }, (_, i) =>
        i === 0 ? next.champion : "random",
      ),
    );
  };
  const start = async () => {
    fail("");
    try {
      const alike = kind === "match" && agents.length === 1;
      const seated = alike ? Array<string>(players).fill(agents[0]!) : agents;
      const order = {
        game: game.name,
        agents: seated,
        options: changed(game.options, options),
        games: Number(count),
        seed: Number(seed),
        ...(kind === "match" ? { seating: alike ? "fixed" : seating } : {}),
      };
      started((await ask<{ job: string }>("POST", `/api/lab/${kind}`, order)).job);
    } catch (reason) {
      fail((reason as Refused).message);
    }
  };
  return (
    <section class="panel lab-form" aria-label="a new experiment">
      <h2>A new experiment</h2>
      <div class="pair">
        <div class="field">
          <label for="lab-game">game</label>
          <select
            id="lab-game"
            value={name}
            onChange={(event) => choose(games.find((one) => one.name === event.currentTarget.value)!)}
          >
            {games.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="lab-kind">what</label>
          <select
            id="lab-kind"
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value as "match" | "tournament")}
          >
            <option value="match">a match</option>
            <option value="tournament">a tournament</option>
          </select>
        </div>
        <div class="field">
          <label for="lab-games">games{kind === "tournament" ? " a line-up" : ""}</label>
          <input
            id="lab-games"
            type="number"
            min="1"
            value={count}
            onInput={(event) => setCount(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="lab-seed">seed</label>
          <input
            id="lab-seed"
            type="number"
            min="0"
            value={seed}
            onInput={(event) => setSeed(event.currentTarget.value)}
          />
        </div>
      </div>
      {kind === "match" && (
        <div class="field">
          <label for="lab-seating">seating</label>
          <select id="lab-seating" value={seating} onChange={(event) => setSeating(event.currentTarget.value)}>
            {SEATINGS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </div>
      )}
      <h3>
        Agents {kind === "match" && <span>({players === 1 ? "one" : `one for all seats, or ${players}`})</span>}
      </h3>
      <ul class="lab-agents">
        {agents.map((agent, index) => (
          <li key={index}>
            <AgentField
              game={game}
              label={`agent ${index + 1}`}
              text={agent}
              change={(text) => setAgents(agents.map((one, i) => (i === index ? text : one)))}
            />
            {agents.length > 1 && (
              <button
                type="button"
                class="quiet"
                aria-label={`remove agent ${index + 1}`}
                onClick={() => setAgents(agents.filter((_, i) => i !== index))}
              >
                <Sign name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="row">
        <button type="button" onClick={() => setAgents([...agents, game.champion])}>
          Add an agent
        </button>
      </div>
      {Object.keys(game.options).length > 0 && (
        <details>
          <summary>Options</summary>
          <div class="settings">
            {Object.entries(game.options).map(([option, setting]) => (
              <SettingField
                key={option}
                name={option}
                setting={setting}
                value={options[option] ?? setting.default}
                change={(value) => setOptions({ ...options, [option]: value })}
              />
            ))}
          </div>
        </details>
      )}
      <button type="button" class="primary big" onClick={() => void start()}>
        Run
      </button>
    </section>
  );
}

function Report({ job, stop }: { job: Job; stop: () => void }) {
  const running = job.state === "running" || job.state === "waiting";
  const words = {
    waiting: "waiting for its turn",
    running: "running",
    done: "done",
    failed: "failed",
    stopped: "stopped",
  }[job.state];
  return (
    <section class="panel" aria-label="the experiment" aria-live="polite">
      <header>
        <h2>
          A {job.kind} of {job.game.replaceAll("_", " ")}: {words}
        </h2>
        {running && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
      </header>
      {job.error && <p class="error">{job.error}</p>}
      {running && <progress max={job.total ?? 1} value={job.done} aria-label="progress" />}
      {running && job.total && (
        <p class="soft">
          {job.done.toLocaleString("en-GB")} of {job.total.toLocaleString("en-GB")} games
        </p>
      )}
      {job.result &&
        ("seats" in job.result ? <MatchTable result={job.result} /> : <CrossTable result={job.result} />)}
      {job.histogram && <Histogram data={job.histogram} />}
      {job.records.length > 0 && (
        <>
          <h3>Its games</h3>
          <p class="records">
            {job.records.map(({ table, payoffs }, index) => (
              <a key={table} class="button" href={`/t/${table}`}>
                game {index + 1}
                {payoffs ? `: ${results(payoffs)}` : ""}
              </a>
            ))}
          </p>
        </>
      )}
    </section>
  );
}

export function Lab({ games }: { games: GameInfo[] }) {
  const [id, setId] = useState<string | null>(() => new URLSearchParams(location.search).get("job"));
  const [job, setJob] = useState<Job | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    if (!id) return;
    let timer = 0;
    let gone = false;
    const look = async () => {
      try {
        const found = await ask<Job>("GET", `/api/lab/jobs/${id}`);
        if (gone) return;
        setJob(found);
        const settled = found.state !== "running" && found.state !== "waiting";
        if (!settled || (found.state === "done" && found.records.length === 0))
          timer = window.setTimeout(look, settled ? 4 * EVERY : EVERY);
      } catch (reason) {
        setError((reason as Refused).message);
      }
    };
    void look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [id]);
  const started = (fresh: string) => {
    setJob(null);
    setId(fresh);
    history.replaceState(null, "", `/lab?job=${fresh}`);
  };
  return (
    <main class="lab">
      <h1>Laboratory</h1>
      <Order games={games} started={started} fail={setError} />
      <div class="lobby-setup">
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {job ? (
          <Report job={job} stop={() => void ask("DELETE", `/api/lab/jobs/${job.job}`)} />
        ) : (
          <section class="panel">
            <h2>Fair comparisons</h2>
            <p>
              Choose a game and agents, and let them play. The same seed gives the same result; the numbers come with
              their 95 % intervals while the games run, and a few games are kept to be looked at.
            </p>
          </section>
        )}
      </div>
    </main>
  );
}

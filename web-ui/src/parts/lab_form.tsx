/** The form for a new experiment: which game, what is done with it, by whom, and how much. */

import { useEffect, useState } from "preact/hooks";
import { KIND_WORDS, NUMBERS, newDraft, orderOf, seatsOf, type Draft } from "../lab_draft";
import type { Kind, LabInfo } from "../lab_wire";
import { ask, type Refused } from "../wire";
import type { GameInfo } from "../wire_types";
import { AgentField } from "./agent_field";
import { LearnerFields, ModelFields, TuneFields } from "./lab_fields";
import { changed, SettingField } from "./setting";
import { Sign } from "./sign";

const SEATINGS: [string, string][] = [
  ["fixed", "as given"],
  ["rotate", "seats rotate"],
  ["duplicate", "every deal in every seating"],
];

interface FormProps {
  games: GameInfo[];
  draft: Draft;
  change: (draft: Draft) => void;
  started: (job: string) => void;
  fail: (text: string) => void;
}

/** What the laboratory can do with a game. */
function useOffers(game: string): LabInfo | null {
  const [offers, setOffers] = useState<LabInfo | null>(null);
  useEffect(() => {
    let gone = false;
    ask<LabInfo>("GET", `/api/lab/games/${encodeURIComponent(game)}`).then(
      (found) => gone || setOffers(found),
      () => gone || setOffers(null),
    );
    return () => {
      gone = true;
    };
  }, [game]);
  return offers?.game === game ? offers : null;
}

/** Several agents, one below the other. */
function AgentList({
  game,
  agents,
  word,
  change,
}: {
  game: GameInfo;
  agents: string[];
  word: string;
  change: (agents: string[]) => void;
}) {
  return (
    <>
      <ul class="lab-agents">
        {agents.map((agent, index) => (
          <li key={index}>
            <AgentField
              game={game}
              label={`${word} ${index + 1}`}
              text={agent}
              change={(text) => change(agents.map((one, i) => (i === index ? text : one)))}
            />
            {agents.length > 1 && (
              <button
                type="button"
                class="quiet"
                aria-label={`remove ${word} ${index + 1}`}
                onClick={() => change(agents.filter((_, i) => i !== index))}
              >
                <Sign name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="row">
        <button type="button" onClick={() => change([...agents, game.champion])}>
          Add an {word}
        </button>
      </div>
    </>
  );
}

export function LabForm({ games, draft, change, started, fail }: FormProps) {
  const game = games.find((one) => one.name === draft.game) ?? games[0]!;
  const offers = useOffers(game.name);
  const [busy, setBusy] = useState(false);
  const kinds = offers?.kinds ?? ["match", "tournament"];
  const seats = seatsOf(game, draft.options);
  const set = (some: Partial<Draft>) => change({ ...draft, ...some });
  const start = async () => {
    fail("");
    setBusy(true);
    try {
      const order = orderOf(draft, changed(game.options, draft.options), seats);
      started((await ask<{ job: string }>("POST", `/api/lab/${draft.kind}`, order)).job);
    } catch (reason) {
      fail((reason as Refused).message);
    }
    setBusy(false);
  };
  const numbers = [...NUMBERS[draft.kind], ["seed", "seed", 1] as [string, string, number]].filter(
    ([name]) => name !== "polish" || offers?.models.find((one) => one.name === draft.model.split(":")[0])?.polishable,
  );
  return (
    <section class="panel lab-form" aria-label="a new experiment">
      <h2>A new experiment</h2>
      <div class="pair">
        <div class="field">
          <label for="lab-game">game</label>
          <select
            id="lab-game"
            value={game.name}
            onChange={(event) => {
              const next = games.find((one) => one.name === event.currentTarget.value)!;
              change(newDraft(next, draft.kind === "tournament" ? "tournament" : "match", null));
            }}
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
            value={draft.kind}
            onChange={(event) => {
              const fresh = newDraft(game, event.currentTarget.value as Kind, offers);
              change({ ...fresh, options: draft.options });
            }}
          >
            {[...new Set([...kinds, draft.kind])].map((kind) => (
              <option key={kind} value={kind}>
                {KIND_WORDS[kind]}
              </option>
            ))}
          </select>
        </div>
        {numbers.map(([name, words]) => (
          <div class="field" key={name}>
            <label for={`lab-${name}`}>{words}</label>
            <input
              id={`lab-${name}`}
              type="number"
              min="0"
              value={draft.numbers[name] ?? ""}
              onInput={(event) => set({ numbers: { ...draft.numbers, [name]: event.currentTarget.value } })}
            />
          </div>
        ))}
      </div>
      {draft.kind === "match" && draft.agents.length > 1 && (
        <div class="field">
          <label for="lab-seating">seating</label>
          <select
            id="lab-seating"
            value={draft.seating}
            onChange={(event) => set({ seating: event.currentTarget.value })}
          >
            {SEATINGS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </div>
      )}
      {(draft.kind === "match" || draft.kind === "tournament") && (
        <>
          <h3>
            Agents {draft.kind === "match" && <span>({seats === 1 ? "one" : `one for all seats, or ${seats}`})</span>}
          </h3>
          <AgentList game={game} agents={draft.agents} word="agent" change={(agents) => set({ agents })} />
        </>
      )}
      {draft.kind === "train" && offers && <LearnerFields game={game} offers={offers} draft={draft} set={set} />}
      {draft.kind === "tune" && offers && <TuneFields game={game} offers={offers} draft={draft} set={set} />}
      {draft.kind === "evolve" && offers && (
        <>
          <ModelFields offers={offers} draft={draft} set={set} />
          <h3>Measured against</h3>
          <AgentList game={game} agents={draft.opponents} word="opponent" change={(opponents) => set({ opponents })} />
        </>
      )}
      {Object.keys(game.options).length > 0 && (
        <details>
          <summary>Options of the game</summary>
          <div class="settings">
            {Object.entries(game.options).map(([option, setting]) => (
              <SettingField
                key={option}
                name={option}
                setting={setting}
                value={draft.options[option] ?? setting.default}
                change={(value) => set({ options: { ...draft.options, [option]: value } })}
              />
            ))}
          </div>
        </details>
      )}
      <button type="button" class="primary big" disabled={busy} onClick={() => void start()}>
        Run
      </button>
    </section>
  );
}

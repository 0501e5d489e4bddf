/** The form for a new experiment: which game, what is done with it, by whom, and how much. */

import { useEffect, useState } from "preact/hooks";
import { kindWords, newDraft, numbersOf, orderOf, seatsOf, type Draft } from "../lab_draft";
import type { Kind, LabInfo } from "../lab_wire";
import { keepExperiment } from "../memory";
import { ask, type Refused } from "../wire";
import type { GameInfo, Started } from "../wire_types";
import { t } from "../words";
import { AgentField } from "./agent_field";
import { LearnerFields, ModelFields, TuneFields } from "./lab_fields";
import { changed, defaultsOf, SettingField, valueShown, withChoice } from "./setting";
import { Sign } from "./sign";

const seatings = (): [string, string][] => [
  ["fixed", t("as given")],
  ["rotate", t("seats rotate")],
  ["duplicate", t("every deal in every seating")],
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

/** What a list of agents is called. */
interface ListWords {
  one: (n: number) => string;
  remove: (n: number) => string;
  add: string;
}

const agentWords = (): ListWords => ({
  one: (n) => t("agent {n}", { n }),
  remove: (n) => t("remove agent {n}", { n }),
  add: t("Add an agent"),
});

const opponentWords = (): ListWords => ({
  one: (n) => t("opponent {n}", { n }),
  remove: (n) => t("remove opponent {n}", { n }),
  add: t("Add an opponent"),
});

/** Several agents, one below the other. */
function AgentList({
  game,
  agents,
  words,
  change,
}: {
  game: GameInfo;
  agents: string[];
  words: ListWords;
  change: (agents: string[]) => void;
}) {
  return (
    <>
      <ul class="lab-agents">
        {agents.map((agent, index) => (
          <li key={index}>
            <AgentField
              game={game}
              label={words.one(index + 1)}
              text={agent}
              change={(text) => change(agents.map((one, i) => (i === index ? text : one)))}
            />
            {agents.length > 1 && (
              <button
                type="button"
                class="quiet"
                aria-label={words.remove(index + 1)}
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
          {words.add}
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
      const { job, token } = await ask<Started>("POST", `/api/lab/${draft.kind}`, order);
      keepExperiment(job, token);
      started(job);
    } catch (reason) {
      fail((reason as Refused).message);
    }
    setBusy(false);
  };
  const numbers = numbersOf(draft.kind).filter(
    ([name]) => name !== "polish" || offers?.models.find((one) => one.name === draft.model.split(":")[0])?.polishable,
  );
  return (
    <section class="panel lab-form" aria-label={t("a new experiment")}>
      <h2>{t("A new experiment")}</h2>
      <div class="pair">
        <div class="field">
          <label for="lab-game">{t("game")}</label>
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
          <label for="lab-kind">{t("what")}</label>
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
                {kindWords()[kind]}
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
          <label for="lab-seating">{t("seating")}</label>
          <select
            id="lab-seating"
            value={draft.seating}
            onChange={(event) => set({ seating: event.currentTarget.value })}
          >
            {seatings().map(([value, words]) => (
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
            {t("Agents")}{" "}
            {draft.kind === "match" && (
              <span>{seats === 1 ? t("(one)") : t("(one for all seats, or {seats})", { seats })}</span>
            )}
          </h3>
          <AgentList game={game} agents={draft.agents} words={agentWords()} change={(agents) => set({ agents })} />
        </>
      )}
      {draft.kind === "train" && offers && <LearnerFields game={game} offers={offers} draft={draft} set={set} />}
      {draft.kind === "tune" && offers && <TuneFields game={game} offers={offers} draft={draft} set={set} />}
      {draft.kind === "evolve" && offers && (
        <>
          <ModelFields offers={offers} draft={draft} set={set} />
          <h3>{t("Measured against")}</h3>
          <AgentList
            game={game}
            agents={draft.opponents}
            words={opponentWords()}
            change={(opponents) => set({ opponents })}
          />
        </>
      )}
      {Object.keys(game.options).length > 0 && (
        <details>
          <summary>{t("Options of the game")}</summary>
          <div class="settings">
            {Object.entries(game.options).map(([option, setting]) => (
              <SettingField
                key={option}
                name={option}
                setting={setting}
                value={valueShown(option, setting, { ...defaultsOf(game.options), ...draft.options })}
                change={(value) => set({ options: withChoice(game.options, draft.options, option, value) })}
              />
            ))}
          </div>
        </details>
      )}
      <button type="button" class="primary big" disabled={busy} onClick={() => void start()}>
        {t("Run")}
      </button>
    </section>
  );
}

/** The form for a new experiment: which game, what is done with it, by whom, and how much. */

import { useEffect, useState } from "preact/hooks";
import { type Draft, newDraft, orderOf, seatsOf, text, texts } from "../lab_draft";
import type { LabInfo } from "../lab_wire";
import { keepExperiment } from "../memory";
import { ask, type Refused } from "../wire";
import type { FormField, GameInfo, KindForm, Started } from "../wire_types";
import { t } from "../words";
import { AgentField } from "./agent_field";
import { LearnerFields, ModelFields, TuneFields } from "./lab_fields";
import { changed, defaultsOf, SettingField, valueShown, withChoice } from "./setting";
import { Sign } from "./sign";

interface FormProps {
  games: GameInfo[];
  forms: KindForm[];
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

/** A number, or a choice among words. */
function SimpleField({ field, draft, set }: { field: FormField; draft: Draft; set: (values: Draft["values"]) => void }) {
  const { name, label, input, choices } = field;
  const id = `lab-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {input === "choice" ? (
        <select id={id} value={text(draft, name)} onChange={(event) => set({ [name]: event.currentTarget.value })}>
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="number"
          min="0"
          value={text(draft, name)}
          onInput={(event) => set({ [name]: event.currentTarget.value })}
        />
      )}
    </div>
  );
}

export function LabForm({ games, forms, draft, change, started, fail }: FormProps) {
  const game = games.find((one) => one.name === draft.game) ?? games[0]!;
  const form = forms.find((one) => one.kind === draft.kind) ?? forms[0]!;
  const offers = useOffers(game.name);
  const [busy, setBusy] = useState(false);
  const kinds = offers?.kinds ?? ["match", "tournament"];
  const seats = seatsOf(game, draft.options);
  const set = (values: Draft["values"]) => change({ ...draft, values: { ...draft.values, ...values } });
  const start = async () => {
    fail("");
    setBusy(true);
    try {
      const order = orderOf(draft, form, changed(game.options, draft.options), seats);
      const { job, token } = await ask<Started>("POST", `/api/lab/${draft.kind}`, order);
      keepExperiment(job, token);
      started(job);
    } catch (reason) {
      fail((reason as Refused).message);
    }
    setBusy(false);
  };
  const polishable = offers?.models.find((one) => one.name === text(draft, "model").split(":")[0])?.polishable;
  const fields = form.fields.filter(({ name }) => name !== "polish" || polishable);
  const alone = texts(draft, "agents").length < 2;
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
              const kind = draft.kind === "tournament" ? "tournament" : "match";
              change(newDraft(next, forms.find((one) => one.kind === kind)!, null));
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
              const next = forms.find((one) => one.kind === event.currentTarget.value)!;
              change({ ...newDraft(game, next, offers), options: draft.options });
            }}
          >
            {forms
              .filter(({ kind }) => kinds.includes(kind) || kind === draft.kind)
              .map(({ kind, title }) => (
                <option key={kind} value={kind}>
                  {title}
                </option>
              ))}
          </select>
        </div>
        {fields
          .filter(({ input }) => input === "number")
          .map((field) => (
            <SimpleField key={field.name} field={field} draft={draft} set={set} />
          ))}
      </div>
      {fields.map((field) => {
        const { name, label, input } = field;
        switch (input) {
          case "choice":
            return name === "seating" && alone ? null : <SimpleField key={name} field={field} draft={draft} set={set} />;
          case "line_up":
          case "agents":
          case "opponents":
            return (
              <div key={name}>
                <h3>
                  {input === "opponents" ? label : t("Agents")}{" "}
                  {input === "line_up" && (
                    <span>{seats === 1 ? t("(one)") : t("(one for all seats, or {seats})", { seats })}</span>
                  )}
                </h3>
                <AgentList
                  game={game}
                  agents={texts(draft, name)}
                  words={input === "opponents" ? opponentWords() : agentWords()}
                  change={(agents) => set({ [name]: agents })}
                />
              </div>
            );
          case "agent":
            return (
              <AgentField
                key={name}
                game={game}
                label={label}
                text={text(draft, name)}
                change={(agent) => set({ [name]: agent })}
              />
            );
          case "learner":
            return offers && <LearnerFields key={name} game={game} offers={offers} draft={draft} set={set} />;
          case "tunable":
            return offers && <TuneFields key={name} game={game} offers={offers} draft={draft} set={set} />;
          case "model":
            return offers && <ModelFields key={name} offers={offers} draft={draft} set={set} />;
          default:
            return null;
        }
      })}
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
                change={(value) => change({ ...draft, options: withChoice(game.options, draft.options, option, value) })}
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

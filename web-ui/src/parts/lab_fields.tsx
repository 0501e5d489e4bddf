/** The fields of experiments in which somebody gets better: who learns, what is tuned, what evolves. */

import { type Draft, text } from "../lab_draft";
import type { LabInfo, LearnerInfo } from "../lab_wire";
import type { GameInfo } from "../wire_types";
import { count, numeral, t, word } from "../words";
import { AgentField } from "./agent_field";

interface FieldsProps {
  offers: LabInfo;
  draft: Draft;
  set: (values: Draft["values"]) => void;
}

interface FieldsOfGameProps extends FieldsProps {
  game: GameInfo;
}

/** What a learner does, how many games it needs, and against whom it is measured. */
function aboutLearner({ summary, step, opponent }: LearnerInfo): string {
  const values = { summary: summary, n: numeral(step), opponent };
  return opponent
    ? count(
        step,
        "{summary}; at least {n} game, measured against {opponent}",
        "{summary}; at least {n} games, measured against {opponent}",
        values,
      )
    : count(step, "{summary}; at least {n} game", "{summary}; at least {n} games", values);
}

export function LearnerFields({ game, offers, draft, set }: FieldsOfGameProps) {
  const learner = offers.learners.find((one) => one.name === text(draft, "learner")) ?? offers.learners[0];
  if (!learner) return null;
  return (
    <>
      <div class="field">
        <label for="lab-learner">{t("who learns")}</label>
        <select
          id="lab-learner"
          value={learner.name}
          onChange={(event) => {
            const next = offers.learners.find((one) => one.name === event.currentTarget.value)!;
            set({ learner: next.name, teacher: next.teacher ?? "" });
          }}
        >
          {offers.learners.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
        <small class="soft">{aboutLearner(learner)}</small>
      </div>
      {learner.teacher !== null && (
        <>
          <h3>{t("Its teacher")}</h3>
          <AgentField
            game={game}
            label={t("teacher")}
            text={text(draft, "teacher") || learner.teacher}
            change={(teacher) => set({ teacher })}
          />
        </>
      )}
    </>
  );
}

export function TuneFields({ game, offers, draft, set }: FieldsOfGameProps) {
  const names = offers.tunable.map((one) => one.agent);
  const chosen = offers.tunable.find((one) => one.agent === text(draft, "agent").split(":")[0]);
  const some = { ...game, agents: game.agents.filter((one) => names.includes(one.name)) };
  return (
    <>
      <h3>{t("Who is tuned")}</h3>
      <AgentField game={some} label={t("agent to tune")} text={text(draft, "agent")} change={(agent) => set({ agent })} />
      {chosen && (
        <small class="soft">
          {count(
            chosen.parameters.length,
            "{n} parameter, from these values on",
            "{n} parameters, from these values on",
          )}
        </small>
      )}
    </>
  );
}

export function ModelFields({ offers, draft, set }: FieldsProps) {
  const [name, rest = ""] = text(draft, "model").split(":");
  const model = offers.models.find((one) => one.name === name) ?? offers.models[0];
  if (!model) return null;
  const values = Object.fromEntries(rest.split(",").map((pair) => pair.split("=") as [string, string]));
  const write = (changes: { [setting: string]: string }): string => {
    const pairs = Object.entries({ ...values, ...changes }).filter(([setting]) => setting in model.settings);
    return model.name + (pairs.length > 0 ? `:${pairs.map((pair) => pair.join("=")).join(",")}` : "");
  };
  return (
    <>
      <div class="field">
        <label for="lab-model">{t("what evolves")}</label>
        <select id="lab-model" value={model.name} onChange={(event) => set({ model: event.currentTarget.value })}>
          {offers.models.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
        <small class="soft">{model.summary}</small>
      </div>
      {Object.entries(model.settings).map(([setting, choices]) => (
        <div class="field" key={setting}>
          <label for={`lab-model-${setting}`}>{word(setting)}</label>
          <select
            id={`lab-model-${setting}`}
            value={values[setting] ?? ""}
            onChange={(event) => set({ model: write({ [setting]: event.currentTarget.value }) })}
          >
            {!(setting in values) && <option value="">{t("as usual")}</option>}
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {word(choice)}
              </option>
            ))}
          </select>
        </div>
      ))}
    </>
  );
}

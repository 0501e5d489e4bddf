/** Choosing an agent: its name, and its parameters if one wants to see them. */

import { useState } from "preact/hooks";
import { t } from "../words";
import type { AgentInfo, GameInfo, Json } from "../wire_types";
import { changed, SettingField } from "./setting";

interface AgentFieldProps {
  game: GameInfo;
  text: string;
  change: (text: string) => void;
  label: string;
}

/** `depth=6,time=0.5` as values. */
function readParameters(agent: AgentInfo, rest: string): { [name: string]: Json } {
  const values: { [name: string]: Json } = {};
  for (const [name, setting] of Object.entries(agent.parameters)) values[name] = setting.default;
  for (const part of rest.split(",")) {
    const [name, value] = part.trim().split("=");
    if (!name || value === undefined || !(name in agent.parameters)) continue;
    const kind = typeof agent.parameters[name]!.default;
    values[name] = kind === "number" ? Number(value) : kind === "boolean" ? value === "yes" : value;
  }
  return values;
}

function write(agent: AgentInfo, values: { [name: string]: Json }): string {
  const parts = Object.entries(changed(agent.parameters, values)).map(([name, value]) => {
    const text = value === true ? "yes" : value === false ? "no" : String(value);
    return `${name}=${text}`;
  });
  return agent.name + (parts.length > 0 ? `:${parts.join(",")}` : "");
}

export function AgentField({ game, text, change, label }: AgentFieldProps) {
  const [open, setOpen] = useState(false);
  const [name, ...rest] = text.split(":");
  const agent = game.agents.find((one) => one.name === name);
  const champion = game.champion.split(":")[0];
  const parameters = agent ? Object.keys(agent.parameters) : [];
  const choose = (chosen: string) => {
    const example = game.agents.find((one) => one.name === chosen)?.example;
    change(chosen === champion ? game.champion : example ? `${chosen}:${example}` : chosen);
  };
  return (
    <div class="agent-field">
      <select aria-label={label} value={name} onChange={(event) => choose(event.currentTarget.value)}>
        {game.agents.map((one) => (
          <option key={one.name} value={one.name}>
            {one.name}
            {one.name === champion ? ` (${t("strong")})` : ""}
          </option>
        ))}
      </select>
      {(parameters.length > 0 || agent?.example) && (
        <button type="button" class="quiet written" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t("less") : rest.length > 0 ? rest.join(":") : t("parameters")}
        </button>
      )}
      {agent && <small class="soft">{agent.summary}</small>}
      {open && agent && (
        <div class="parameters">
          {agent.example ? (
            <textarea
              aria-label={t("text of {agent}", { agent: agent.name })}
              rows={4}
              value={rest.join(":")}
              onInput={(event) => change(`${agent.name}:${event.currentTarget.value}`)}
            />
          ) : (
            parameters.map((one) => {
              const values = readParameters(agent, rest.join(":"));
              return (
                <SettingField
                  key={one}
                  name={one}
                  setting={agent.parameters[one]!}
                  value={values[one] ?? null}
                  change={(value) => change(write(agent, { ...values, [one]: value }))}
                />
              );
            })
          )}
        </div>
      )}
    </div>
  );
}

/** One option of a game or parameter of an agent, as the fitting kind of field. */

import { count as counted, word } from "../words";
import type { Json, SettingInfo } from "../wire_types";

interface SettingProps {
  name: string;
  setting: SettingInfo;
  value: Json;
  change: (value: Json) => void;
}

export function SettingField({ name, setting, value, change }: SettingProps) {
  const words = word(name);
  const kind = typeof setting.default;
  const id = `set-${name}`;
  const common = { id, "aria-describedby": `${id}-help` };
  const text = String(value ?? "");
  return (
    <div class="setting">
      <label for={id}>{words}</label>
      {kind === "boolean" ? (
        <input
          type="checkbox"
          {...common}
          checked={Boolean(value)}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      ) : setting.choices ? (
        <select
          {...common}
          value={text}
          onChange={(event) => change(setting.choices![event.currentTarget.selectedIndex] ?? null)}
        >
          {setting.choices.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {word(String(choice))}
            </option>
          ))}
        </select>
      ) : kind === "number" ? (
        <input
          type="number"
          step="any"
          {...common}
          value={text}
          onInput={(event) => change(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
        />
      ) : (
        <>
          <input
            {...common}
            value={text}
            list={setting.suggestions.length > 0 ? `${id}-list` : undefined}
            onInput={(event) => change(event.currentTarget.value)}
          />
          {setting.suggestions.length > 0 && (
            <datalist id={`${id}-list`}>
              {setting.suggestions.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
          {setting.several.length > 0 && <Several setting={setting} text={text} change={change} />}
        </>
      )}
      <small id={`${id}-help`}>
        {setting.help}
        {setting.choices || kind === "boolean" || kind === "string" ? "" : ` (${setting.allowed})`}
      </small>
    </div>
  );
}

/** Several of some names, picked one by one: the text is the list of them. */
function Several({ setting, text, change }: { setting: SettingInfo; text: string; change: (value: Json) => void }) {
  const chosen = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => setting.several.includes(name));
  const toggle = (name: string) =>
    change((chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]).join(", "));
  return (
    <details class="several">
      <summary>{counted(chosen.length, "pick them one by one ({n} picked)", "pick them one by one ({n} picked)")}</summary>
      <div class="several-list">
        {setting.several.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} /> {word(name)}
          </label>
        ))}
      </div>
    </details>
  );
}

export const defaultsOf = (settings: { [name: string]: SettingInfo }): { [name: string]: Json } =>
  Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.default]));

/** The values with one of them changed; a preset sets those for which it stands. */
export const withChoice = (
  settings: { [name: string]: SettingInfo },
  values: { [name: string]: Json },
  name: string,
  value: Json,
): { [name: string]: Json } => ({ ...values, [name]: value, ...settings[name]?.presets[String(value)] });

/** What a setting shows: of a preset, the one that holds, if any. */
export function valueShown(name: string, setting: SettingInfo, values: { [name: string]: Json }): Json {
  const presets = Object.entries(setting.presets);
  if (presets.length === 0) return values[name] ?? setting.default;
  const holds = presets.find(([, options]) => Object.entries(options).every(([key, value]) => values[key] === value));
  return holds ? holds[0] : null;
}

/** The settings that differ from their defaults; of a preset, those that it has set. */
export function changed(
  settings: { [name: string]: SettingInfo },
  values: { [name: string]: Json },
): { [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) =>
        value !== null &&
        value !== settings[name]?.default &&
        Object.keys(settings[name]?.presets ?? {}).length === 0,
    ),
  );
}

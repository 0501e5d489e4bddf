/** One option of a game or parameter of an agent, as the fitting kind of field. */

import { say } from "../words";
import type { Json, SettingInfo } from "../wire_types";

interface SettingProps {
  name: string;
  setting: SettingInfo;
  value: Json;
  change: (value: Json) => void;
}

export function SettingField({ name, setting, value, change }: SettingProps) {
  const words = say(name.replaceAll("_", " "));
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
              {say(String(choice))}
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
        </>
      )}
      <small id={`${id}-help`}>
        {say(setting.help)}
        {setting.choices || kind === "boolean" || kind === "string" ? "" : ` (${setting.allowed})`}
      </small>
    </div>
  );
}

/** The settings that differ from their defaults. */
export function changed(
  settings: { [name: string]: SettingInfo },
  values: { [name: string]: Json },
): { [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== null && value !== settings[name]?.default),
  );
}

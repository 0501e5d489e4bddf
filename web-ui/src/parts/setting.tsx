/** One option of a game or parameter of an agent, as the fitting kind of field. */

import type { Json, Setting } from "../wire";

interface SettingProps {
  name: string;
  setting: Setting;
  value: Json;
  change: (value: Json) => void;
}

/** Values that a text option is often given. */
const SUGGESTIONS: { [name: string]: string[] } = {
  kingdom: ["First Game", "Big Money", "Interaction", "Size Distortion", "Village Square", "random:1"],
  file: ["coin"],
};

export function SettingField({ name, setting, value, change }: SettingProps) {
  const words = name.replaceAll("_", " ");
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
            <option key={String(choice)}>{String(choice)}</option>
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
            list={SUGGESTIONS[name] ? `${id}-list` : undefined}
            onInput={(event) => change(event.currentTarget.value)}
          />
          {SUGGESTIONS[name] && (
            <datalist id={`${id}-list`}>
              {SUGGESTIONS[name]!.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </>
      )}
      <small id={`${id}-help`}>
        {setting.help}
        {setting.choices || kind === "boolean" || kind === "string" ? "" : ` (${setting.allowed})`}
      </small>
    </div>
  );
}

/** The settings that differ from their defaults. */
export function changed(
  settings: { [name: string]: Setting },
  values: { [name: string]: Json },
): { [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== null && value !== settings[name]?.default),
  );
}

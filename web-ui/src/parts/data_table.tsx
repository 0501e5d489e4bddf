/** CSV and JSON as tables. */

import type { ComponentChildren } from "preact";
import type { Json } from "../wire_types";
import { count, numeral } from "../words";

const MOST_ROWS = 500;
const DEEPEST = 4;

/** The rows of a CSV text, with quotation marks as spreadsheets write them. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r?\n|$)/y;
  for (;;) {
    const found = cell.exec(text);
    if (!found) return [[text]]; // not CSV after all
    rows.at(-1)!.push(found[1]?.replaceAll('""', '"') ?? found[2]!);
    if (cell.lastIndex >= text.length) break;
    if (found[3] !== ",") rows.push([]);
  }
  return rows;
}

function Rows({ head, rows }: { head: string[]; rows: ComponentChildren[][] }) {
  const more = rows.length - MOST_ROWS;
  return (
    <div class="scroll">
      <table class="figures">
        <thead>
          <tr>
            {head.map((name, i) => (
              <th key={i}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, i) => (
            <tr key={i}>
              {row.map((cell, j) => (
                <td key={j}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="soft">{count(more, "and {n} more row", "and {n} more rows", { n: numeral(more) })}</p>}
    </div>
  );
}

export function CsvTable({ text }: { text: string }) {
  const [head = [], ...rows] = readCsv(text.replace(/\r?\n$/, ""));
  return <Rows head={head} rows={rows} />;
}

const isPlain = (value: Json): value is null | boolean | number | string => value === null || typeof value !== "object";

/** A list of things that have the same names is a table; everything else, names and values. */
export function JsonTable({ value, depth = 0 }: { value: Json; depth?: number }) {
  if (isPlain(value)) return <>{value === null ? "·" : String(value)}</>;
  if (depth > DEEPEST) return <code>{JSON.stringify(value)}</code>;
  if (Array.isArray(value)) {
    if (value.every(isPlain)) return <>{value.map((one) => (one === null ? "·" : String(one))).join(", ")}</>;
    if (value.every((one) => !isPlain(one) && !Array.isArray(one))) {
      const things = value as { [name: string]: Json }[];
      const names = [...new Set(things.flatMap((thing) => Object.keys(thing)))];
      const cells = things.map((thing) =>
        names.map((name) => (name in thing ? <JsonTable value={thing[name]!} depth={depth + 1} /> : "")),
      );
      return <Rows head={names.map((name) => name.replaceAll("_", " "))} rows={cells} />;
    }
    return (
      <ol>
        {value.slice(0, MOST_ROWS).map((one, i) => (
          <li key={i}>
            <JsonTable value={one} depth={depth + 1} />
          </li>
        ))}
      </ol>
    );
  }
  return (
    <dl class="facts">
      {Object.entries(value).map(([name, one]) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>
            <JsonTable value={one} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

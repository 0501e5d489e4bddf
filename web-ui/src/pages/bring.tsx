/** Bring your own: a world, a model, a tree, a menu or a record, opened from a file or written here, checked as one types. */

import { useEffect, useRef, useState } from "preact/hooks";
import { draft, keepDraft, keepLastKind, lastKind } from "../memory";
import { openTable } from "../open_table";
import { ENDINGS, isGame, isRecord, type Kind, kindHelp, kindOfFile, kindWords, LONGEST, nameOfFile, spanOf } from "../own";
import { Editor } from "../parts/editor";
import { ask, parse, type Refused } from "../wire";
import type { UploadsInfo, UploadInfo, CheckInfo, CheckBody, ExampleInfo, FindingInfo, NewTableInfo, TableBody } from "../wire_types";
import { count, t } from "../words";

const PATIENCE = 400;
const NOTHING: CheckInfo = { findings: [], features: [] };

interface Check {
  found: CheckInfo;
  /** Whether it is about the text as it stands. */
  fresh: boolean;
  trouble: string;
}

/** What the server finds in a text, asked for when one stops typing. */
function useCheck(kind: Kind, text: string): Check {
  const [check, setCheck] = useState<Check>({ found: NOTHING, fresh: false, trouble: "" });
  useEffect(() => setCheck({ found: NOTHING, fresh: false, trouble: "" }), [kind]);
  useEffect(() => {
    let wanted = true;
    setCheck((last) => ({ ...last, fresh: false }));
    if (!text.trim()) {
      setCheck({ found: NOTHING, fresh: false, trouble: "" });
      return;
    }
    const timer = setTimeout(() => {
      const order: CheckBody = { kind, text };
      ask<CheckInfo>("POST", "/api/own/check", order).then(
        (found) => wanted && setCheck({ found, fresh: true, trouble: "" }),
        (reason: Refused) => wanted && setCheck({ found: NOTHING, fresh: false, trouble: reason.message }),
      );
    }, PATIENCE);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [kind, text]);
  return check;
}

/** A table from a text: a record is looked at; what is a game is played. */
async function tableOf(kind: Kind, text: string, name: string): Promise<NewTableInfo> {
  if (isRecord(kind)) return ask<NewTableInfo>("POST", "/api/records", parse(text));
  const order = { kind, text, ...(isGame(kind) && name ? { name } : {}) };
  const brought = await ask<UploadInfo>("POST", "/api/own", order);
  const table: TableBody = { game: brought.game, options: brought.options as TableBody["options"] };
  if (brought.agent) table.seats = [{ who: "me" }, { who: "agent", agent: brought.agent }];
  return ask<NewTableInfo>("POST", "/api/tables", table);
}

function verdict({ found, fresh, trouble }: Check, empty: boolean): string {
  if (trouble) return trouble;
  if (empty) return t("Write here, open a file, or begin with an example.");
  const errors = found.findings.filter((one) => one.severity === "error").length;
  const warnings = found.findings.length - errors;
  if (errors + warnings === 0) return fresh ? t("Nothing is wrong with it.") : t("Reading it…");
  return [
    errors > 0 ? count(errors, "{n} error", "{n} errors") : "",
    warnings > 0 ? count(warnings, "{n} warning", "{n} warnings") : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function Findings({ findings, show }: { findings: FindingInfo[]; show: (finding: FindingInfo) => void }) {
  return (
    <ul class="findings">
      {findings.map((one, i) => (
        <li key={i}>
          <button type="button" class={`finding is-${one.severity}`} onClick={() => show(one)}>
            <b>{one.severity === "error" ? t("Error") : t("Warning")}</b>{" "}
            <span class="soft">{t("line {line}, column {column}", { line: one.line, column: one.column })}</span>{" "}
            <span>{one.message}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Features({ features }: { features: CheckInfo["features"] }) {
  if (features.length === 0) return null;
  return (
    <dl class="features">
      {features.map(({ what, text }) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

export function BringYourOwn() {
  const [bringing, setBringing] = useState<UploadsInfo | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    ask<UploadsInfo>("GET", "/api/own/examples").then(setBringing, (reason: Refused) => setError(reason.message));
  }, []);
  return (
    <main class="bring">
      <h1>{t("Bring your own")}</h1>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {!bringing && !error && <p class="soft">{t("Loading…")}</p>}
      {bringing &&
        (bringing.kinds.length > 0 ? (
          <Desk kinds={bringing.kinds} examples={bringing.examples} />
        ) : (
          <p>{t("The owner of this server lets nobody bring anything.")}</p>
        ))}
    </main>
  );
}

function Desk({ kinds, examples }: { kinds: Kind[]; examples: ExampleInfo[] }) {
  const [kind, setKind] = useState<Kind>(kinds.includes(lastKind() as Kind) ? (lastKind() as Kind) : kinds[0]!);
  const [{ text, name }, setDraft] = useState(draft(kind));
  const [before, setBefore] = useState<string | null>(null);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const check = useCheck(kind, text);
  const { findings, features } = check.found;
  const offered = examples.filter((one) => one.kind === kind);

  const write = (of: Kind, written: { text: string; name: string }) => {
    setDraft(written);
    keepDraft(of, written);
    setError("");
  };
  const choose = (next: Kind) => {
    setKind(next);
    keepLastKind(next);
    setDraft(draft(next));
    setBefore(null);
    setError("");
  };
  /** Another text in the place of what was written, which can be had back. */
  const replace = (next: Kind, written: { text: string; name: string }) => {
    const was = draft(next).text;
    choose(next);
    setBefore(was.trim() && was !== written.text ? was : null);
    write(next, written);
  };
  const open = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > LONGEST) {
      setError(t("{file} is too long: at most 64 KB can be brought", { file: file.name }));
      return;
    }
    const found = await file.text();
    const next = kindOfFile(file.name, found);
    if (!next || !kinds.includes(next))
      setError(t("{file} is nothing that can be brought here", { file: file.name }));
    else replace(next, { text: found, name: nameOfFile(file.name) });
  };
  const show = (finding: FindingInfo) => {
    const box = area.current;
    if (!box) return;
    const { from, to } = spanOf(text, finding);
    box.focus();
    box.setSelectionRange(from, to);
    const height = box.scrollHeight / Math.max(text.split("\n").length, 1);
    box.scrollTop = Math.max(0, (finding.line - 1) * height - box.clientHeight / 2);
  };
  const play = async () => {
    setBusy(true);
    setError("");
    await openTable(tableOf(kind, text, name.trim()), setError);
    setBusy(false);
  };
  return (
    <>
      <div class="kinds" role="group" aria-label={t("what it is")}>
        {kinds.map((one) => (
          <button key={one} type="button" aria-pressed={one === kind} data-kind={one} onClick={() => choose(one)}>
            {kindWords(one)}
          </button>
        ))}
      </div>
      <p class="soft">{kindHelp(kind)}</p>
      <div class="row bring-tools">
        <label class="button import">
          {t("Open a file…")}
          <input
            type="file"
            class="unseen"
            accept={[...new Set(kinds.map((one) => ENDINGS[one]))].join(",")}
            onChange={(event) => {
              void open(event.currentTarget.files?.[0]);
              event.currentTarget.value = "";
            }}
          />
        </label>
        {offered.length > 0 && (
          <select
            aria-label={t("begin with an example")}
            value=""
            onChange={(event) => {
              const chosen = offered[Number(event.currentTarget.value)];
              event.currentTarget.value = "";
              if (chosen) replace(kind, { text: chosen.text, name: chosen.name });
            }}
          >
            <option value="">{t("Begin with an example…")}</option>
            {offered.map((one, i) => (
              <option key={one.name} value={i}>
                {one.name}
              </option>
            ))}
          </select>
        )}
        {before !== null && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              write(kind, { text: before, name });
              setBefore(null);
            }}
          >
            {t("Bring back what I had written")}
          </button>
        )}
        {isGame(kind) && (
          <label class="own-name">
            {t("its name")}
            <input
              maxLength={40}
              placeholder={t("mine")}
              value={name}
              onInput={(event) => write(kind, { text, name: event.currentTarget.value })}
            />
          </label>
        )}
      </div>
      <Editor
        label={kindWords(kind)}
        text={text}
        findings={findings}
        area={area}
        change={(next) => write(kind, { text: next, name })}
        drop={(file) => void open(file)}
      />
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <div class="bring-verdict">
        <p role="status" aria-live="polite" class={`verdict-line ${check.fresh ? "fresh" : ""}`}>
          {verdict(check, !text.trim())}
        </p>
        <button
          type="button"
          class="primary big"
          disabled={busy || !check.fresh || findings.some((one) => one.severity === "error")}
          onClick={() => void play()}
        >
          {busy ? t("Dealing…") : isRecord(kind) ? t("Open it") : t("Play it")}
        </button>
      </div>
      <section id="findings" aria-label={t("what was found")}>
        <Findings findings={findings} show={show} />
        <Features features={features} />
      </section>
    </>
  );
}

/** What has happened, as this seat heard it. A press on a line goes to the moment after it. */

import { useEffect, useRef } from "preact/hooks";
import { t } from "../words";
import type { EntryInfo } from "../wire_types";

interface LogProps {
  entries: EntryInfo[];
  names: string[];
  ply: number;
  me: number;
  look: (ply: number) => void;
}

export function Log({ entries, names, ply, me, look }: LogProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    const here = box?.querySelector<HTMLElement>("[aria-current]");
    if (!box || !here) return;
    const above = here.offsetTop;
    if (above < box.scrollTop || above + here.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = above - box.clientHeight / 2;
  }, [ply, entries.length]);
  const heard = entries.filter((entry) => entry.text || entry.news.length > 0);
  return (
    <section class="panel log-panel" aria-label={t("log")}>
      <h2>{t("Log")}</h2>
      {heard.length === 0 && <p class="soft">{t("Nothing has happened yet.")}</p>}
      <ol class="log" ref={list}>
        {heard.map((entry) => (
          <li key={entry.ply}>
            <button
              type="button"
              aria-current={entry.ply + 1 === ply ? "step" : undefined}
              onClick={() => look(entry.ply + 1)}
            >
              <span class="log-ply">{entry.ply + 1}</span>
              <span>
                <b class={`who who-${entry.seat} ${entry.seat === me ? "mine" : ""}`}>
                  {entry.seat < 0 ? t("chance") : names[entry.seat]}
                </b>{" "}
                {entry.words || entry.text}
                {entry.news.map((sentence, i) => (
                  <small key={i}>{sentence}</small>
                ))}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

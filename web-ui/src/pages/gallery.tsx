/** The gallery: figures and reports that the laboratory has written. Texts and tables are shown here, in place. */

import { useEffect, useState } from "preact/hooks";
import type { Exhibit } from "../lab_wire";
import { CsvTable, JsonTable } from "../parts/data_table";
import { Markdown, type Place } from "../parts/markdown";
import { ask, parse, type Refused } from "../wire";
import type { Json } from "../wire_types";
import { numeral, t } from "../words";

const chosenExhibit = (): string | null => new URLSearchParams(location.search).get("show");

/** Addresses in a text of the gallery: other exhibits, from its own folder on. */
function placeFrom(name: string, exhibits: Exhibit[]): Place {
  return (address) => {
    if (address.startsWith("#")) return address;
    if (/^[a-z][a-z0-9+.-]*:|^\//i.test(address)) return null;
    const path = new URL(address, `${location.origin}/${encodeURI(name)}`).pathname.slice(1);
    const found = exhibits.find((one) => encodeURI(one.name) === path);
    if (!found) return null;
    return found.kind === "picture" || found.kind === "report" ? found.href : `/gallery?show=${encodeURIComponent(found.name)}`;
  };
}

/** A text of the gallery; null until it has come. */
function useText(href: string): { text: string | null; error: string } {
  const [found, setFound] = useState<{ text: string | null; error: string }>({ text: null, error: "" });
  useEffect(() => {
    setFound({ text: null, error: "" });
    fetch(href).then(
      async (answer) =>
        setFound(
          answer.ok
            ? { text: await answer.text(), error: "" }
            : { text: null, error: t("the server answered with status {status}", { status: answer.status }) },
        ),
      () => setFound({ text: null, error: t("the server cannot be reached") }),
    );
  }, [href]);
  return found;
}

function Shown({ exhibit, exhibits }: { exhibit: Exhibit; exhibits: Exhibit[] }) {
  const { text, error } = useText(exhibit.href);
  const content = () => {
    if (text === null) return null;
    if (exhibit.name.endsWith(".md")) return <Markdown text={text} place={placeFrom(exhibit.name, exhibits)} />;
    if (exhibit.name.endsWith(".csv")) return <CsvTable text={text} />;
    if (exhibit.name.endsWith(".json")) {
      try {
        return <JsonTable value={parse(text) as Json} />;
      } catch {
        return <pre>{text}</pre>;
      }
    }
    return <pre>{text}</pre>;
  };
  return (
    <section class="panel shown" aria-label={exhibit.title}>
      <header>
        <h2>{exhibit.title}</h2>
        <span class="row">
          <a class="button" href={exhibit.href} download>
            {t("Download")}
          </a>
          <a class="button" href="/gallery">
            {t("Close")}
          </a>
        </span>
      </header>
      {error && <p class="error">{error}</p>}
      {content()}
    </section>
  );
}

export function Gallery() {
  const [exhibits, setExhibits] = useState<Exhibit[] | null>(null);
  const [error, setError] = useState("");
  const [chosen, setChosen] = useState(chosenExhibit);
  useEffect(() => {
    ask<Exhibit[]>("GET", "/api/lab/gallery").then(setExhibits, (reason: Refused) => setError(reason.message));
    const follow = () => setChosen(chosenExhibit());
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const all = exhibits ?? [];
  const pictures = all.filter((one) => one.kind === "picture");
  const others = all.filter((one) => one.kind !== "picture");
  const shown = all.find((one) => one.name === chosen);
  return (
    <main class="gallery">
      <h1>{t("Gallery")}</h1>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {exhibits?.length === 0 && (
        <Markdown
          text={t(
            "Nothing hangs here yet. `hiddenhand reproduce` writes figures and reports into a folder; `hiddenhand serve --gallery FOLDER` shows them.",
          )}
        />
      )}
      {shown && <Shown exhibit={shown} exhibits={all} />}
      <div class="pictures">
        {pictures.map((one) => (
          <figure key={one.name}>
            <a href={one.href} target="_blank" rel="noreferrer">
              <img src={one.href} alt={one.title} loading="lazy" />
            </a>
            <figcaption>{one.title}</figcaption>
          </figure>
        ))}
      </div>
      {others.length > 0 && (
        <section class="panel">
          <h2>{t("Reports and tables")}</h2>
          <ul class="recent">
            {others.map((one) => (
              <li key={one.name}>
                {one.kind === "report" ? (
                  <a href={one.href} target="_blank" rel="noreferrer">
                    {one.title}
                  </a>
                ) : (
                  <a href={`/gallery?show=${encodeURIComponent(one.name)}`}>{one.title}</a>
                )}
                <span class="soft">
                  {t("{name}, {size} KB", { name: one.name, size: numeral(Math.ceil(one.size / 1024)) })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}

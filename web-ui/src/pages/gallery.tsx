/** The gallery: figures and reports that the laboratory has written. */

import { useEffect, useState } from "preact/hooks";
import { ask, type Refused } from "../wire";

interface Exhibit {
  name: string;
  title: string;
  kind: "picture" | "report" | "text" | "table";
  href: string;
  size: number;
}

export function Gallery() {
  const [exhibits, setExhibits] = useState<Exhibit[] | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    ask<Exhibit[]>("GET", "/api/lab/gallery").then(setExhibits, (reason: Refused) => setError(reason.message));
  }, []);
  const pictures = (exhibits ?? []).filter((one) => one.kind === "picture");
  const others = (exhibits ?? []).filter((one) => one.kind !== "picture");
  return (
    <main class="gallery">
      <h1>Gallery</h1>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {exhibits?.length === 0 && (
        <p>
          Nothing hangs here yet. <code>hiddenhand reproduce</code> writes figures and reports into a folder;{" "}
          <code>hiddenhand serve --gallery FOLDER</code> shows them.
        </p>
      )}
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
          <h2>Reports and tables</h2>
          <ul class="recent">
            {others.map((one) => (
              <li key={one.name}>
                <a href={one.href} target="_blank" rel="noreferrer">
                  {one.title}
                </a>
                <span class="soft">
                  {one.name}, {Math.ceil(one.size / 1024)} KB
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}

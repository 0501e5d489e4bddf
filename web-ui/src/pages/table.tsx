/** A table: loaded once by its name, then played, watched, replayed and questioned. */

import { useEffect, useState } from "preact/hooks";
import { keepToken, keepVisit } from "../memory";
import { ask, type Description, type GameInfo, Refused } from "../wire";
import { Seated } from "./seated";

/** A seat's secret arrives in the link; it is kept and leaves the address bar, so that the address can be shared. */
function takeSecret(table: string): number | null {
  const query = new URLSearchParams(location.search);
  const secret = query.get("seat");
  const ply = query.get("ply");
  if (secret) {
    keepToken(table, secret);
    history.replaceState(null, "", location.pathname);
  }
  return ply === null ? null : Number(ply);
}

export function TablePage({ table, games }: { table: string; games: GameInfo[] }) {
  const [start] = useState(() => takeSecret(table));
  const [description, setDescription] = useState<Description | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    ask<Description>("GET", `/api/tables/${encodeURIComponent(table)}`)
      .then((found) => {
        keepVisit(table, found.title);
        document.title = `${found.title} · hiddenhand`;
        setDescription(found);
      })
      .catch((reason: Refused) => setError(reason.message));
  }, [table]);
  if (error)
    return (
      <main class="narrow">
        <h1>There is no such table</h1>
        <p>{error}</p>
        <a href="/" class="button">
          To the lobby
        </a>
      </main>
    );
  if (!description) return <main class="narrow soft">Loading the table…</main>;
  return (
    <Seated
      description={description}
      game={games.find((one) => one.name === description.game) ?? null}
      start={start}
    />
  );
}

/** A table: loaded once by its name, then played, watched, replayed and questioned. */

import { useEffect, useState } from "preact/hooks";
import { keepToken, keepVisit } from "../memory";
import { ask, type Refused } from "../wire";
import type { TableInfo, GameInfo } from "../wire_types";
import { t } from "../words";
import { Seated } from "./seated";

const TRY_AGAIN = 2000;

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
  const [description, setDescription] = useState<TableInfo | null>(null);
  const [error, setError] = useState<Refused | null>(null);
  const [attempt, setAttempt] = useState(0);
  const game = useGame(description?.game ?? "", games);
  useEffect(() => {
    ask<TableInfo>("GET", `/api/tables/${encodeURIComponent(table)}`)
      .then((found) => {
        keepVisit(table, found.title);
        setError(null);
        setDescription(found);
      })
      .catch(setError);
  }, [table, attempt]);
  useEffect(() => {
    if (!error?.away) return;
    const timer = setTimeout(() => setAttempt(attempt + 1), TRY_AGAIN);
    return () => clearTimeout(timer);
  }, [error, attempt]);
  if (error && !description)
    return (
      <main class="narrow">
        <h1>{error.away ? t("The server is away") : t("There is no such table")}</h1>
        <p>{error.away ? t("It is asked again every few seconds.") : error.message}</p>
        <a href="/" class="button">
          {t("To the lobby")}
        </a>
      </main>
    );
  if (!description) return <main class="narrow soft">{t("Loading the table…")}</main>;
  return <Seated description={description} game={game} start={start} />;
}

/** What is known of a game: from the catalogue, or asked for where it is not for everybody. */
function useGame(name: string, games: GameInfo[]): GameInfo | null {
  const listed = games.find((one) => one.name === name) ?? null;
  const [asked, setAsked] = useState<GameInfo | null>(null);
  useEffect(() => {
    if (!name || listed) return;
    ask<GameInfo>("GET", `/api/games/${encodeURIComponent(name)}`).then(
      setAsked,
      () => setAsked(null),
    );
  }, [name, listed]);
  return listed ?? asked;
}

/** The top of a table's page: its title and seats, what is waited for, what went wrong, and how the game ended. */

import { origin } from "../memory";
import type { AtTable } from "../sitting/at_table";
import { t } from "../words";
import { Outcome } from "./outcome";
import { nextLevel } from "./seat_fields";
import { Seats } from "./seats";
import { Series } from "./series";
import { Sign } from "./sign";

export function TableHead({ at }: { at: AtTable }) {
  const { description, sitting } = at;
  const from = origin(description.table);
  return (
    <header class="table-head">
      <h1>{description.title}</h1>
      {description.open && <span class="role">{t("open cards")}</span>}
      {from && (
        <a href={`/t/${from.table}?ply=${from.ply}`} class="quiet button">
          ↩ {t("back to the game it left at move {ply}", { ply: from.ply })}
        </a>
      )}
      <Seats seats={sitting.seats} names={at.names} me={at.me} turn={sitting.frame?.turn ?? -1} rename={sitting.rename} />
    </header>
  );
}

/** Whose turn it is, or which moment is looked at. */
function status({ sitting, names, last, now, over, mayMove }: AtTable): string {
  const { live, ply, seats } = sitting;
  if (!live) return t("Taking a seat…");
  if (sitting.cursor !== null) return t("Looking back at move {ply} of {last}", { ply, last });
  if (!now) return t("Catching up: move {ply} of {last}", { ply, last });
  if (over) return t("The game is over");
  if (mayMove) return t("Your turn");
  if (live.turn < 0) return t("Chance moves");
  const waitsFor = seats[live.turn];
  if (waitsFor?.kind === "open" && !waitsFor.connected) return t("Waiting for a friend");
  if (waitsFor?.kind === "record") return t("An unfinished game: play on from here");
  const name = names[live.turn] ?? "";
  return waitsFor?.kind === "agent" ? t("{name} is thinking…", { name }) : t("{name} is to move…", { name });
}

export function StatusLine({ at }: { at: AtTable }) {
  const { sitting } = at;
  return (
    <p class={`status ${at.mayMove ? "mine" : ""}`} role="status" aria-live="polite">
      {status(at)}
      {sitting.status && <span class="soft"> · {sitting.status}</span>}
      {!sitting.online && sitting.live && <span class="warning"> · {t("the line is broken, trying again…")}</span>}
    </p>
  );
}

export function ErrorLine({ at }: { at: AtTable }) {
  const { sitting } = at;
  if (!sitting.error) return null;
  return (
    <p class="error" role="alert">
      {sitting.error}
      {sitting.stuck && at.me >= 0 && !at.over && (
        <button type="button" onClick={sitting.askAgain}>
          {t("Ask it again")}
        </button>
      )}
      <button type="button" class="quiet" aria-label={t("dismiss")} onClick={() => sitting.complain("")}>
        <Sign name="close" />
      </button>
    </p>
  );
}

/** How the game ended, and the series of which it is a part. */
export function Results({ at }: { at: AtTable }) {
  const { description, game, sitting, names, me } = at;
  const { live, seats } = sitting;
  const payoffs = at.over && at.now ? (live?.payoffs ?? null) : null;
  return (
    <>
      {live && payoffs && (
        <Outcome
          payoffs={payoffs}
          names={names}
          me={me}
          utility={game?.utility ?? ""}
          reason={live.reason}
          level={game && me >= 0 && !description.recorded ? nextLevel(game, seats, me, payoffs) : null}
          climb={at.climb}
        />
      )}
      <Series series={description.series} payoffs={payoffs} names={names} game={game} />
    </>
  );
}

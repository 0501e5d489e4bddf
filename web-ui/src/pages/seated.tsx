/** The page of one table: the drawing, the moves, the time, the log and the reasons. */

import { useState } from "preact/hooks";
import { keepToken, origin, token } from "../memory";
import { BranchDialog } from "../parts/branch";
import { Clock } from "../parts/clock";
import { SHORTCUTS, useKeys } from "../parts/keys";
import { Dialog } from "../parts/dialog";
import { Log } from "../parts/log";
import { Moves } from "../parts/moves";
import { Outcome } from "../parts/outcome";
import { Seats } from "../parts/seats";
import { Sign } from "../parts/sign";
import { ShareDialog } from "../parts/share";
import { Why } from "../parts/why";
import { go } from "../route";
import { useSitting } from "../sitting";
import { tableOf } from "../tables";
import { ask, type Description, type GameInfo, type Made, type Refused, type SeatInfo } from "../wire";

interface SeatedProps {
  description: Description;
  game: GameInfo | null;
  start: number | null;
}

/** A name for every seat; seats of the same name are told apart by their number. */
function told(seats: SeatInfo[]): string[] {
  const names = seats.map((seat) => seat.name || seat.agent || `seat ${seat.seat}`);
  return names.map((name, seat) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${seat}`));
}

type Open = "share" | "branch" | "keys" | null;

export function Seated({ description, game, start }: SeatedProps) {
  const sitting = useSitting(description.table, description.seats, start);
  const { live, frame, seats } = sitting;
  const [dialog, setDialog] = useState<Open>(null);
  const [asked, setAsked] = useState<number | null>(null);

  const names = told(seats);
  const me = live?.seat ?? -1;
  const last = live?.ply ?? description.plies;
  const ply = sitting.cursor ?? last;
  const isLive = sitting.cursor === null;
  const over = live?.over ?? description.over;
  const hidden = game?.hidden ?? false;
  const shown = over || description.open || description.recorded === true || !hidden;
  const free = shown && (over || description.open || description.recorded === true || !game?.chance);
  const seesAll = over || description.open || description.recorded === true;
  const mayMove = isLive && (live?.actions?.length ?? 0) > 0 && (sitting.eyes === null || sitting.eyes === me);
  const actions = mayMove ? live!.actions! : [];
  const from = origin(description.table);

  const why = () => {
    const before = sitting.log.filter((entry) => entry.ply < ply && entry.seat >= 0);
    const latest = before.filter((entry) => entry.seat !== me).at(-1) ?? before.at(-1);
    setAsked(null);
    if (latest) sitting.why(latest.ply);
    else sitting.complain("nobody has moved yet");
  };
  const question = (action: number) => {
    setAsked(action);
    if (sitting.answer?.asked === "advice" && sitting.answer.ply === last) return;
    sitting.forget();
    sitting.advise();
  };
  const hint = () => {
    setAsked(null);
    sitting.advise();
  };
  const nextEyes = () => {
    if (!seesAll || !hidden) return;
    sitting.seenBy(((sitting.eyes ?? Math.max(me, 0)) + 1) % seats.length);
  };

  const dealAgain = async () => {
    const secret = token(description.table);
    try {
      const path = `/api/tables/${description.table}/next`;
      const made = sitting.next
        ? { table: sitting.next }
        : await ask<Made>("POST", path, secret ? { token: secret } : {});
      if (secret) keepToken(made.table, secret);
      go(`/t/${made.table}`);
    } catch (reason) {
      sitting.complain((reason as Refused).message);
    }
  };

  useKeys({
    ArrowLeft: () => sitting.look(ply - 1),
    ArrowRight: () => sitting.look(ply + 1),
    Home: () => sitting.look(0),
    End: () => sitting.look(null),
    m: () => document.getElementById("move-text")?.focus(),
    h: () => actions.length > 0 && hint(),
    w: why,
    u: sitting.undo,
    b: () => free && setDialog("branch"),
    n: () => over && description.recorded !== true && void dealAgain(),
    v: nextEyes,
    e: () => document.querySelector<HTMLElement>('[data-key="e"]')?.click(),
    l: () => setDialog("share"),
    "?": () => setDialog("keys"),
    Escape: () => (sitting.answer ? sitting.forget() : sitting.look(null)),
  });

  const Table = tableOf(description.game);
  const status = () => {
    if (!live) return "Taking a seat…";
    if (!isLive) return `Looking back at move ${ply} of ${last}`;
    if (over) return "The game is over";
    if (mayMove) return "Your turn";
    if (live.turn < 0) return "Chance moves";
    const waitsFor = seats[live.turn];
    if (waitsFor?.kind === "open" && !waitsFor.connected) return `Waiting for a friend in seat ${live.turn}`;
    if (waitsFor?.kind === "record") return "An unfinished game: play on from here";
    return `${names[live.turn]} is ${waitsFor?.kind === "agent" ? "thinking" : "to move"}…`;
  };

  return (
    <main class={`table-page game-${description.game}`}>
      <header class="table-head">
        <h1>{description.title}</h1>
        {description.open && <span class="role">open cards</span>}
        {from && (
          <a href={`/t/${from.table}?ply=${from.ply}`} class="quiet button">
            ↩ back to the game it left at move {from.ply}
          </a>
        )}
        <Seats seats={seats} names={names} me={me} turn={frame?.turn ?? -1} rename={sitting.rename} />
      </header>

      <div class="table-main">
        <p class={`status ${mayMove ? "mine" : ""}`} role="status" aria-live="polite">
          {status()}
          {sitting.status && <span class="soft"> · {sitting.status}</span>}
          {!sitting.online && live && <span class="warning"> · the line is broken, trying again…</span>}
        </p>
        {sitting.error && (
          <p class="error" role="alert">
            {sitting.error}
            <button type="button" class="quiet" aria-label="dismiss" onClick={() => sitting.complain("")}>
              <Sign name="close" />
            </button>
          </p>
        )}
        {over && isLive && live?.payoffs && (
          <Outcome
            payoffs={live.payoffs}
            names={names}
            me={me}
            utility={game?.utility ?? ""}
            reason={live.reason ?? ""}
          />
        )}
        <div class={`drawing ${isLive ? "" : "past"}`}>
          {frame && frame.view !== null ? (
            <Table
              view={frame.view}
              screen={frame.screen}
              seat={frame.seat ?? -1}
              turn={frame.turn}
              over={frame.over}
              payoffs={frame.payoffs}
              actions={actions}
              play={sitting.play}
              names={names}
              last={frame.last}
            />
          ) : (
            frame && (
              <p class="soft watcher">
                You are looking on. What is hidden stays hidden until the game is over; the log tells what everybody
                hears.
              </p>
            )
          )}
        </div>
        <Clock ply={ply} last={last} live={isLive} look={sitting.look} />
        <div class="tools" role="toolbar" aria-label="tools">
          {actions.length > 0 && (
            <button type="button" title="h" onClick={hint}>
              Hint
            </button>
          )}
          <button
            type="button"
            title={shown ? "w" : "ask when the game is over"}
            disabled={!shown || last === 0}
            onClick={why}
          >
            Why that move?
          </button>
          {over && description.recorded !== true && (
            <button type="button" class={isLive ? "primary" : ""} title="n" onClick={() => void dealAgain()}>
              {sitting.next ? "Join the next deal" : "Next deal"}
            </button>
          )}
          {me >= 0 && !over && (
            <button type="button" title="u" onClick={sitting.undo}>
              Undo
            </button>
          )}
          <button
            type="button"
            title={free ? "b" : "when the game is over"}
            disabled={!free}
            onClick={() => setDialog("branch")}
          >
            Play on from here
          </button>
          <button type="button" title="l" onClick={() => setDialog("share")}>
            Share and save
          </button>
          {seesAll && hidden && seats.length > 1 && (
            <label class="seen-by">
              Seen by{" "}
              <select
                value={String(sitting.eyes ?? Math.max(me, 0))}
                onChange={(event) => sitting.seenBy(Number(event.currentTarget.value))}
              >
                {seats.map((seat) => (
                  <option key={seat.seat} value={String(seat.seat)}>
                    {seat.seat === me ? "me" : names[seat.seat]} (seat {seat.seat})
                  </option>
                ))}
              </select>
            </label>
          )}
          <button type="button" class="quiet" title="?" onClick={() => setDialog("keys")}>
            <Sign name="keys" /> Keys
          </button>
        </div>
        {actions.length > 0 && <Moves actions={actions} play={sitting.play} question={question} />}
      </div>

      <aside class="table-side">
        <Why
          answer={sitting.answer}
          waiting={sitting.waiting}
          asked={asked}
          ask={setAsked}
          draw={sitting.draw}
          close={sitting.forget}
        />
        <Log entries={sitting.log} names={names} ply={ply} me={me} look={sitting.look} />
      </aside>

      {dialog === "share" && (
        <ShareDialog
          description={description}
          seats={seats}
          ply={ply}
          live={isLive}
          over={over}
          free={free}
          close={() => setDialog(null)}
        />
      )}
      {dialog === "branch" && game && (
        <BranchDialog
          description={description}
          game={game}
          seats={seats}
          me={me}
          ply={ply}
          turn={frame?.turn ?? 0}
          close={() => setDialog(null)}
        />
      )}
      {sitting.tree && (
        <Dialog title="The tree of a small search" wide close={sitting.hideTree}>
          <p class="soft">{sitting.tree.title}</p>
          <div class="tree-picture" tabIndex={0}>
            <img src={`data:image/svg+xml;utf8,${encodeURIComponent(sitting.tree.svg)}`} alt={sitting.tree.text} />
          </div>
        </Dialog>
      )}
      {dialog === "keys" && (
        <Dialog title="Keys" close={() => setDialog(null)}>
          <dl class="keys">
            {SHORTCUTS.map(([key, words]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </main>
  );
}

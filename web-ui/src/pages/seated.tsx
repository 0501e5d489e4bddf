/** The page of one table: the drawing, the moves, the time, the log and the reasons. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { keepToken, origin, token } from "../memory";
import { useMotion } from "../motion";
import { openTable } from "../open_table";
import { Bench } from "../parts/bench";
import { BranchDialog } from "../parts/branch";
import { Clock } from "../parts/clock";
import { Dialog } from "../parts/dialog";
import { GuideDialog } from "../parts/guide";
import { KeysDialog, useKeys } from "../parts/keys";
import { Log } from "../parts/log";
import { Moves } from "../parts/moves";
import { Outcome } from "../parts/outcome";
import { ReviewPanel } from "../parts/review";
import { nextLevel } from "../parts/seat_fields";
import { Seats, told } from "../parts/seats";
import { Series } from "../parts/series";
import { ShareDialog } from "../parts/share";
import { Sign } from "../parts/sign";
import { Tools } from "../parts/tools";
import { Why } from "../parts/why";
import { go } from "../route";
import { screenOf } from "../screens";
import { useSitting } from "../sitting";
import { type Answer, isLive, toldOf } from "../sitting/state";
import { ask, type Refused } from "../wire";
import type { TableInfo, EntryInfo, GameInfo, NewTableInfo, OpponentInfo, SeatInfo, SeatBody } from "../wire_types";
import { say, t } from "../words";

interface SeatedProps {
  description: TableInfo;
  game: GameInfo | null;
  start: number | null;
}

type Open = "share" | "branch" | "keys" | "guide" | null;

export function Seated({ description, game, start }: SeatedProps) {
  const sitting = useSitting(description.table, description.seats, start);
  const { live, frame, seats, ply } = sitting;
  const [dialog, setDialog] = useState<Open>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const [reviewing, setReviewing] = useState(false);

  const names = useMemo(() => told(seats, game), [seats, game]);
  const me = live?.seat ?? -1;
  const last = live?.ply ?? description.plies;
  const now = isLive(sitting);
  const over = live?.over ?? description.over;
  const hidden = game?.hidden ?? false;
  const seesAll = over || description.open || description.recorded;
  const shown = seesAll || !hidden;
  const free = shown && (seesAll || !game?.chance);
  const mayMove = now && (live?.actions.length ?? 0) > 0 && (sitting.eyes === null || sitting.eyes === me);
  const moves = mayMove ? live!.actions : NO_MOVES;
  const from = origin(description.table);
  const advice = sitting.answer?.asked === "advice" && sitting.answer.ply === ply && mayMove ? sitting.answer : null;
  const suggested = advice ? moves.find((move) => move.action === advice.decision.action) : undefined;

  const drawing = useMotion(`${ply} ${sitting.eyes}`, frame?.last?.seat ?? -1);
  useTitle(say(description.title), mayMove);

  /** Why the move before the moment looked at was played, whoever played it. */
  const why = () => {
    const before = sitting.log.filter((entry) => entry.ply < ply && entry.seat >= 0);
    const latest = before.at(-1);
    setAsked(null);
    if (latest) sitting.why(latest.ply);
    else sitting.complain(t("nobody has moved yet"));
  };
  /** The moment at which a move was chosen, and why it was. */
  const explain = (before: number, agent?: string) => {
    sitting.look(before);
    sitting.why(before, agent);
  };
  const question = (action: number) => {
    setAsked(action);
    if (sitting.answer?.asked === "advice" && sitting.answer.ply === last) return;
    sitting.forget("answer");
    sitting.advise();
  };
  const hint = () => {
    setAsked(null);
    sitting.forget("answer");
    sitting.advise();
  };
  const nextEyes = () => {
    if (seesAll && hidden) sitting.seenBy(((sitting.eyes ?? Math.max(me, 0)) + 1) % seats.length);
  };
  const believe = () => (sitting.belief ? sitting.forget("belief") : sitting.believe());
  const dealAgain = async () => {
    const secret = token(description.table);
    try {
      const path = `/api/tables/${description.table}/next`;
      const made = sitting.next
        ? { table: sitting.next }
        : await ask<NewTableInfo>("POST", path, secret ? { token: secret } : {});
      if (secret) keepToken(made.table, secret);
      go(`/t/${made.table}`);
    } catch (reason) {
      sitting.complain((reason as Refused).message);
    }
  };

  /** The same game with the same seats, against somebody better. */
  const climb = (level: OpponentInfo) => {
    const wishes: SeatBody[] = seats.map((seat) =>
      seat.seat === me ? { who: "me", name: seat.name } : { who: "agent", agent: level.agent },
    );
    const order = { game: description.game, options: description.options, seats: wishes };
    return openTable(ask<NewTableInfo>("POST", "/api/tables", order), sitting.complain);
  };

  useKeys({
    ArrowLeft: () => sitting.look(ply - 1),
    ArrowRight: () => sitting.look(ply + 1),
    Home: () => sitting.look(0),
    End: () => sitting.look(null),
    m: () => document.getElementById("move-text")?.focus(),
    p: () => sitting.replay(!sitting.playing),
    h: () => moves.length > 0 && hint(),
    w: why,
    c: () => game?.shares && believe(),
    r: () => seesAll && setReviewing(!reviewing),
    u: sitting.undo,
    b: () => free && setDialog("branch"),
    n: () => over && !description.recorded && void dealAgain(),
    v: nextEyes,
    g: () => setDialog("guide"),
    e: () => document.querySelector<HTMLElement>('[data-key="e"]')?.click(),
    l: () => setDialog("share"),
    "?": () => setDialog("keys"),
    Escape: () => (sitting.answer ? sitting.forget("answer") : sitting.look(null)),
  });

  /** Whoever double-clicks on a move means one. */
  const onceEach = (event: MouseEvent) => {
    if (sitting.doubled(event.detail)) event.stopPropagation();
  };

  const Screen = screenOf(description.game);
  const status = (): string => {
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
  };

  return (
    <main class={`table-page game-${description.game.replace(/\W/g, "-")}`}>
      <header class="table-head">
        <h1>{say(description.title)}</h1>
        {description.open && <span class="role">{t("open cards")}</span>}
        {from && (
          <a href={`/t/${from.table}?ply=${from.ply}`} class="quiet button">
            ↩ {t("back to the game it left at move {ply}", { ply: from.ply })}
          </a>
        )}
        <Seats seats={seats} names={names} me={me} turn={frame?.turn ?? -1} rename={sitting.rename} />
      </header>

      <div class="table-main">
        <p class={`status ${mayMove ? "mine" : ""}`} role="status" aria-live="polite">
          {status()}
          {sitting.status && <span class="soft"> · {say(sitting.status)}</span>}
          {!sitting.online && live && <span class="warning"> · {t("the line is broken, trying again…")}</span>}
        </p>
        {sitting.error && (
          <p class="error" role="alert">
            {say(sitting.error)}
            {sitting.stuck && me >= 0 && !over && (
              <button type="button" onClick={sitting.askAgain}>
                {t("Ask it again")}
              </button>
            )}
            <button type="button" class="quiet" aria-label={t("dismiss")} onClick={() => sitting.complain("")}>
              <Sign name="close" />
            </button>
          </p>
        )}
        {over && now && live?.payoffs && (
          <Outcome
            payoffs={live.payoffs}
            names={names}
            me={me}
            utility={game?.utility ?? ""}
            reason={say(live.reason)}
            level={game && me >= 0 && !description.recorded ? nextLevel(game, seats, me, live.payoffs) : null}
            climb={(level) => void climb(level)}
          />
        )}
        <Series
          series={description.series}
          payoffs={over && now ? (live?.payoffs ?? null) : null}
          names={names}
          game={game}
        />
        <div class={`drawing ${now ? "" : "past"}`} ref={drawing} onClickCapture={onceEach}>
          {frame && frame.picture !== null ? (
            <Screen
              picture={frame.picture}
              seat={frame.seat ?? -1}
              turn={frame.turn}
              over={frame.over}
              moves={moves}
              play={sitting.play}
              refuse={mayMove ? sitting.refuse : () => undefined}
              names={names}
              last={frame.last}
              advised={suggested ? (suggested.objects.length > 0 ? suggested.objects : [suggested.text]) : NOTHING}
              belief={sitting.belief?.ply === ply ? sitting.belief.things : NO_BELIEF}
            />
          ) : (
            frame && (
              <p class="soft watcher">
                {t(
                  "You are looking on. What is hidden stays hidden until the game is over; the log tells what everybody hears.",
                )}
              </p>
            )
          )}
        </div>
        <Clock
          ply={ply}
          last={last}
          live={now}
          playing={sitting.playing}
          look={sitting.look}
          replay={sitting.replay}
        />
        <Tools
          hint={moves.length > 0 ? hint : null}
          why={shown && last > 0 ? why : null}
          belief={game?.shares ? believe : null}
          believing={sitting.belief !== null}
          review={seesAll && last > 0 ? () => setReviewing(!reviewing) : null}
          reviewing={reviewing}
          again={over && !description.recorded ? () => void dealAgain() : null}
          joins={sitting.next !== ""}
          undo={me >= 0 && !over ? sitting.undo : null}
          branch={free ? () => setDialog("branch") : null}
          share={() => setDialog("share")}
          guide={() => setDialog("guide")}
          keys={() => setDialog("keys")}
          eyes={
            seesAll && hidden && seats.length > 1
              ? { seats, names, me, now: sitting.eyes ?? Math.max(me, 0), change: sitting.seenBy }
              : null
          }
        />
        {moves.length > 0 && (
          <div onClickCapture={onceEach}>
            <Moves moves={moves} play={sitting.play} write={sitting.write} question={question} />
          </div>
        )}
        {description.open && <Bench bench={sitting.bench} ply={ply} open={sitting.open} />}
        {reviewing && game && (
          <ReviewPanel table={description.table} game={game} names={names} ply={ply} look={sitting.look} why={explain} />
        )}
      </div>

      <aside class="table-side">
        <Log entries={toldOf(sitting)} names={names} ply={ply} me={me} look={sitting.look} />
        <Why
          answer={sitting.answer}
          waiting={sitting.asked === "advice" || sitting.asked === "why"}
          played={sitting.answer?.asked === "why" ? playedBy(sitting.answer, sitting.log, seats, names) : null}
          asked={asked}
          ask={setAsked}
          draw={sitting.draw}
          advisers={game ? advisersOf(game) : []}
          askAgain={(agent) =>
            sitting.answer?.asked === "why" ? sitting.why(sitting.answer.ply, agent) : sitting.advise(agent)
          }
          close={() => sitting.forget("answer")}
        />
      </aside>

      {dialog === "share" && (
        <ShareDialog
          description={description}
          seats={seats}
          names={names}
          ply={ply}
          live={now}
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
      {dialog === "guide" && game && <GuideDialog game={game} close={() => setDialog(null)} />}
      {dialog === "keys" && <KeysDialog close={() => setDialog(null)} />}
      {sitting.tree && (
        <Dialog title={t("The tree of a small search")} wide close={() => sitting.forget("tree")}>
          <p class="soft">{say(sitting.tree.title)}</p>
          <div class="tree-picture" tabIndex={0} ref={middle}>
            <img src={`data:image/svg+xml;utf8,${encodeURIComponent(sitting.tree.svg)}`} alt={sitting.tree.text} onLoad={(event) => middle(event.currentTarget.parentElement)} />
          </div>
        </Dialog>
      )}
    </main>
  );
}

const NO_MOVES: never[] = [];
const NOTHING: string[] = [];
const NO_BELIEF = {};

/** The move that was asked about, unless the agent that answers made it itself. */
function playedBy(answer: Answer, log: EntryInfo[], seats: SeatInfo[], names: string[]) {
  const entry = log.find((one) => one.ply === answer.ply);
  if (!entry || entry.seat < 0 || seats[entry.seat]?.agent === answer.agent) return null;
  return { name: names[entry.seat] ?? "", entry };
}

/** Who can be asked besides the usual adviser: the named opponents that do not play at random. */
const advisersOf = (game: GameInfo): OpponentInfo[] => game.opponents.filter((one) => one.agent !== "random");

/** A wide picture is shown from its middle, where its root is. */
function middle(box: HTMLElement | null): void {
  if (box) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
}

/** "Your turn" in the tab, for whoever looks elsewhere. */
function useTitle(title: string, mine: boolean): void {
  useEffect(() => {
    document.title = mine ? `● ${t("Your turn")} · ${title}` : `${title} · hiddenhand`;
  }, [title, mine]);
}

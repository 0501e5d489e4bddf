/** The page of one table: the drawing, the moves, the time, the log and the reasons. */

import { useEffect } from "preact/hooks";
import { useMotion } from "../motion";
import { Bench } from "../parts/bench";
import { Clock } from "../parts/clock";
import { Log } from "../parts/log";
import { Moves } from "../parts/moves";
import { ReviewPanel } from "../parts/review";
import { TableDialogs } from "../parts/table_dialogs";
import { ErrorLine, Results, StatusLine, TableHead } from "../parts/table_head";
import { Tools } from "../parts/tools";
import { Why } from "../parts/why";
import { screenOf } from "../screens";
import { type AtTable, useAtTable } from "../sitting/at_table";
import { type Answer, toldOf } from "../sitting/state";
import type { EntryInfo, GameInfo, OpponentInfo, SeatInfo, TableInfo } from "../wire_types";
import { t } from "../words";

interface SeatedProps {
  description: TableInfo;
  game: GameInfo | null;
  start: number | null;
}

export function Seated({ description, game, start }: SeatedProps) {
  const at = useAtTable(description, game, start);
  const { sitting, moves } = at;
  useTitle(description.title, at.mayMove);
  return (
    <main class={`table-page game-${description.game.replace(/\W/g, "-")}`}>
      <TableHead at={at} />
      <div class="table-main">
        <StatusLine at={at} />
        <ErrorLine at={at} />
        <Results at={at} />
        <Drawing at={at} />
        <Clock
          ply={sitting.ply}
          last={at.last}
          live={at.now}
          playing={sitting.playing}
          look={sitting.look}
          replay={sitting.replay}
        />
        <TableTools at={at} />
        {moves.length > 0 && (
          <div onClickCapture={at.onceEach}>
            <Moves moves={moves} play={sitting.play} write={sitting.write} question={at.question} />
          </div>
        )}
        {description.open && <Bench bench={sitting.bench} ply={sitting.ply} open={sitting.open} />}
        {at.reviewing && game && (
          <ReviewPanel
            table={description.table}
            game={game}
            names={at.names}
            ply={sitting.ply}
            look={sitting.look}
            why={at.explain}
          />
        )}
      </div>
      <aside class="table-side">
        <Log entries={toldOf(sitting)} names={at.names} ply={sitting.ply} me={at.me} look={sitting.look} />
        <Reasons at={at} />
      </aside>
      <TableDialogs at={at} />
    </main>
  );
}

/** The picture of the moment that is looked at, by the screen of the game. */
function Drawing({ at }: { at: AtTable }) {
  const { sitting, moves } = at;
  const { frame, ply } = sitting;
  const drawing = useMotion(`${ply} ${sitting.viewer}`, frame?.last?.seat ?? -1);
  const advice = sitting.answer?.asked === "advice" && sitting.answer.ply === ply && at.mayMove ? sitting.answer : null;
  const suggested = advice ? moves.find((move) => move.action === advice.decision.action) : undefined;
  const Screen = screenOf(at.description.game);
  return (
    <div class={`drawing ${at.now ? "" : "past"}`} ref={drawing} onClickCapture={at.onceEach}>
      {frame && frame.picture !== null ? (
        <Screen
          picture={frame.picture}
          seat={frame.seat ?? -1}
          turn={frame.turn}
          over={frame.over}
          moves={moves}
          play={sitting.play}
          refuse={at.mayMove ? sitting.refuse : () => undefined}
          names={at.names}
          last={frame.last}
          advised={suggested ? (suggested.objects.length > 0 ? suggested.objects : [suggested.text]) : NOTHING}
          belief={sitting.belief?.ply === ply ? sitting.belief.things : NO_BELIEF}
          called={(name) => frame.words[name] ?? name}
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
  );
}

function TableTools({ at }: { at: AtTable }) {
  const { description, game, sitting, names, me, last, over } = at;
  const { seats } = sitting;
  return (
    <Tools
      hint={at.moves.length > 0 ? at.hint : null}
      why={at.shown && last > 0 ? at.why : null}
      belief={game?.shares ? at.believe : null}
      believing={sitting.belief !== null}
      review={at.seesAll && last > 0 ? () => at.setReviewing(!at.reviewing) : null}
      reviewing={at.reviewing}
      again={over && !description.recorded ? at.dealAgain : null}
      joins={sitting.next !== ""}
      undo={me >= 0 && !over ? sitting.undo : null}
      branch={at.free ? () => at.setDialog("branch") : null}
      share={() => at.setDialog("share")}
      guide={() => at.setDialog("guide")}
      keys={() => at.setDialog("keys")}
      viewer={
        at.seesAll && at.hidden && seats.length > 1
          ? { seats, names, me, now: sitting.viewer ?? Math.max(me, 0), change: sitting.seenBy }
          : null
      }
    />
  );
}

/** An agent's answer: what it would play, or why a move was played. */
function Reasons({ at }: { at: AtTable }) {
  const { game, sitting } = at;
  const { answer } = sitting;
  return (
    <Why
      answer={answer}
      waiting={sitting.asked === "advice" || sitting.asked === "why"}
      played={answer?.asked === "why" ? playedBy(answer, sitting.log, sitting.seats, at.names) : null}
      asked={at.asked}
      ask={at.setAsked}
      draw={sitting.draw}
      advisers={game ? advisersOf(game) : []}
      askAgain={(agent) => (answer?.asked === "why" ? sitting.why(answer.ply, agent) : sitting.advise(agent))}
      close={() => sitting.forget("answer")}
    />
  );
}

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

/** "Your turn" in the tab, for whoever looks elsewhere. */
function useTitle(title: string, mine: boolean): void {
  useEffect(() => {
    document.title = mine ? `● ${t("Your turn")} · ${title}` : `${title} · hiddenhand`;
  }, [title, mine]);
}

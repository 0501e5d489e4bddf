/** What the page of a table knows and can do: the sitting, what follows from it, and every action that a button or key has. */

import { useMemo, useState } from "preact/hooks";
import { keepToken, token } from "../memory";
import { openTable } from "../open_table";
import { useKeys } from "../parts/keys";
import { go } from "../route";
import { ask, type Refused } from "../wire";
import type { GameInfo, MoveInfo, NewTableInfo, OpponentInfo, SeatBody, TableInfo } from "../wire_types";
import { t } from "../words";
import { type Sitting, useSitting } from "./index";
import { isLive } from "./state";

export type Open = "share" | "branch" | "keys" | "guide" | null;

export interface AtTable {
  description: TableInfo;
  game: GameInfo | null;
  sitting: Sitting;
  names: string[];
  /** The seat that is shown as one's own; -1 for somebody who looks on. */
  me: number;
  /** The number of plies so far. */
  last: number;
  /** Whether the present is drawn. */
  now: boolean;
  over: boolean;
  hidden: boolean;
  /** Whether everything may be seen, as every seat sees it. */
  seesAll: boolean;
  /** Whether past moves may be explained. */
  shown: boolean;
  /** Whether the game may be copied: as a record, or to branch from it. */
  free: boolean;
  mayMove: boolean;
  moves: MoveInfo[];
  /** The move about which one has asked, or null. */
  asked: number | null;
  setAsked: (action: number | null) => void;
  dialog: Open;
  setDialog: (open: Open) => void;
  reviewing: boolean;
  setReviewing: (yes: boolean) => void;
  hint: () => void;
  why: () => void;
  explain: (before: number, agent?: string) => void;
  question: (action: number) => void;
  believe: () => void;
  dealAgain: () => void;
  climb: (level: OpponentInfo) => void;
  /** Whoever double-clicks on a move means one. */
  onceEach: (event: MouseEvent) => void;
}

const NO_MOVES: never[] = [];

export function useAtTable(description: TableInfo, game: GameInfo | null, start: number | null): AtTable {
  const sitting = useSitting(description.table, description.seats, start);
  const { live, seats, ply } = sitting;
  const [dialog, setDialog] = useState<Open>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const [reviewing, setReviewing] = useState(false);

  const names = useMemo(() => seats.map(({ name }) => name), [seats]);
  const me = live?.seat ?? -1;
  const last = live?.ply ?? description.plies;
  const now = isLive(sitting);
  const over = live?.over ?? description.over;
  const hidden = game?.hidden ?? false;
  const seesAll = over || description.open || description.recorded;
  const shown = seesAll || !hidden;
  const free = shown && (seesAll || !game?.chance);
  const mayMove = now && (live?.actions.length ?? 0) > 0 && (sitting.viewer === null || sitting.viewer === me);
  const moves = mayMove ? live!.actions : NO_MOVES;

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
  const nextViewer = () => {
    if (seesAll && hidden) sitting.seenBy(((sitting.viewer ?? Math.max(me, 0)) + 1) % seats.length);
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
    v: nextViewer,
    g: () => setDialog("guide"),
    e: () => document.querySelector<HTMLElement>('[data-key="e"]')?.click(),
    l: () => setDialog("share"),
    "?": () => setDialog("keys"),
    Escape: () => (sitting.answer ? sitting.forget("answer") : sitting.look(null)),
  });

  return {
    description,
    game,
    sitting,
    names,
    me,
    last,
    now,
    over,
    hidden,
    seesAll,
    shown,
    free,
    mayMove,
    moves,
    asked,
    setAsked,
    dialog,
    setDialog,
    reviewing,
    setReviewing,
    hint,
    why,
    explain,
    question,
    believe,
    dealAgain: () => void dealAgain(),
    climb: (level) => void climb(level),
    onceEach: (event) => {
      if (sitting.doubled(event.detail)) event.stopPropagation();
    },
  };
}

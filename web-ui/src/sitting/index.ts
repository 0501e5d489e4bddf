/** Sitting at a table: the line to the server, the pace at which moves are shown, and what can be asked. */

import { useCallback, useEffect, useReducer, useRef, useState } from "preact/hooks";
import { pace, token } from "../memory";
import { ServerConnection } from "../socket";
import type { FrameMessage, SocketRequest, SeatInfo } from "../wire_types";
import { t } from "../words";
import { type Asked, begin, type Event, frameOf, isDoubled, missing, moving, plyOf, reduce, type State } from "./state";

type Unaddressed<T> = T extends { table: string } ? Omit<T, "table"> : never;

export interface Sitting extends State {
  /** The moment to draw: the last one known while another is on its way. */
  frame: FrameMessage | null;
  ply: number;
  play: (action: number) => void;
  /** Play a move as it is written. */
  write: (text: string) => void;
  /** Whether so many clicks in a row are a double click on a move. */
  doubled: (clicks: number) => boolean;
  /** A thing was pressed that no move is about: why not? */
  refuse: (thing: string) => void;
  look: (ply: number | null) => void;
  seenBy: (seat: number | null) => void;
  replay: (on: boolean) => void;
  advise: (agent?: string) => void;
  why: (ply: number, agent?: string) => void;
  /** What each thing may be, now or at the moment looked at. */
  believe: () => void;
  /** Ask for the open table of the test bench, at the moment looked at. */
  open: (ply: number) => void;
  /** The tree of a small search at this ply, drawn. */
  draw: (ply: number, agent: string) => void;
  forget: (what: "answer" | "tree" | "belief") => void;
  undo: () => void;
  rename: (name: string) => void;
  /** Ask the agent that has given up once more. */
  askAgain: () => void;
  complain: (text: string) => void;
}

export function useSitting(table: string, known: SeatInfo[], start: number | null): Sitting {
  const [state, change] = useReducer<State, Event>(reduce, begin(known, start));
  const line = useRef<ServerConnection | null>(null);
  const [last, setLast] = useState<FrameMessage | null>(null);
  const live = useRef<FrameMessage | null>(null);
  live.current = state.live;

  /** The moment from which a move was sent last. */
  const sent = useRef<FrameMessage | null>(null);

  const say = useCallback(
    (message: Unaddressed<SocketRequest>): boolean => {
      const said = line.current?.say({ table, ...message } as SocketRequest) ?? false;
      if (!said) change({ kind: "complain", text: t("nothing was sent: the server is away; it is tried again by itself") });
      return said;
    },
    [table],
  );
  /** A move, once for each moment: what is pressed again before the answer comes was meant for the same. */
  const move = (message: { type: "play"; action: number } | { type: "write"; text: string }) => {
    if (!live.current || sent.current === live.current) return;
    change({ kind: "complain", text: "" });
    if (say({ ...message, ply: live.current.ply })) sent.current = live.current;
  };

  useEffect(() => {
    const hello = (): SocketRequest => {
      const secret = token(table);
      return secret ? { type: "join", table, token: secret } : { type: "join", table };
    };
    line.current = new ServerConnection(
      hello,
      (message) => {
        if ("table" in message && message.table !== null && message.table !== table) return;
        if (message.type === "error") sent.current = null;
        change({ kind: "heard", message, atOnce: pace() === 0 });
      },
      (yes) => change({ kind: "online", yes }),
    );
    return () => {
      line.current?.say({ type: "leave", table });
      line.current?.close();
    };
  }, [table]);

  const wanted = missing(state);
  useEffect(() => {
    if (!wanted) return;
    const { ply, seat } = wanted;
    say(seat === null || seat < 0 ? { type: "look", ply } : { type: "look", ply, seat });
  }, [wanted?.ply, wanted?.seat, state.online, say]);

  const steps = moving(state) && wanted === null;
  useEffect(() => {
    if (!steps) return;
    const timer = setTimeout(() => change({ kind: "step" }), Math.max(pace(), 30));
    return () => clearTimeout(timer);
  }, [steps, state.cursor, state.shown]);

  const frame = frameOf(state);
  useEffect(() => {
    if (frame) setLast(frame);
  }, [frame]);

  const asking = (what: Asked, message: Unaddressed<SocketRequest>) => {
    if (say(message)) change({ kind: "asked", what });
  };
  return {
    ...state,
    frame: frame ?? last,
    ply: plyOf(state),
    play: (action) => move({ type: "play", action }),
    write: (text) => move({ type: "write", text }),
    doubled: (clicks) => isDoubled(clicks, sent.current, live.current),
    refuse: (thing) => say({ type: "press", thing }),
    look: (ply) => change({ kind: "look", ply }),
    seenBy: (seat) => change({ kind: "viewer", seat }),
    replay: (on) => change({ kind: "replay", on }),
    advise: (agent) => asking("advice", agent ? { type: "advice", agent } : { type: "advice" }),
    why: (ply, agent) => asking("why", agent ? { type: "why", ply, agent } : { type: "why", ply }),
    believe: () => asking("belief", { type: "belief", ply: plyOf(state) }),
    open: useCallback((ply: number) => say({ type: "look", ply, open: true }), [say]),
    draw: (ply, agent) => asking("tree", { type: "tree", ply, agent }),
    forget: (what) => change({ kind: "forget", what }),
    undo: () => {
      change({ kind: "complain", text: "" });
      say({ type: "undo" });
    },
    rename: (name) => say({ type: "name", name }),
    askAgain: () => {
      change({ kind: "complain", text: "" });
      say({ type: "again" });
    },
    complain: (text) => change({ kind: "complain", text }),
  };
}

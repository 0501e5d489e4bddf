/** Sitting at a table: everything the server has said about it, the cursor over its plies, and what can be asked. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { token } from "./memory";
import { Line } from "./socket";
import type { Decision, Drawn, Entry, Frame, Heard, SeatInfo } from "./wire";

export interface Answer {
  ply: number;
  agent: string;
  asked: "advice" | "why";
  decision: Decision;
}

export interface Sitting {
  online: boolean;
  live: Frame | null;
  /** The frame to draw: the live one, or a past moment. */
  frame: Frame | null;
  /** The ply looked at, or null when following the game. */
  cursor: number | null;
  eyes: number | null;
  log: Entry[];
  seats: SeatInfo[];
  thinking: number | null;
  /** What an agent waits for, in words. */
  status: string;
  /** The table at which the same play again. */
  next: string;
  answer: Answer | null;
  tree: Drawn | null;
  waiting: boolean;
  error: string;
  play: (action: number) => void;
  look: (ply: number | null) => void;
  seenBy: (seat: number | null) => void;
  advise: (agent?: string) => void;
  why: (ply: number) => void;
  /** The tree of a small search at this ply, drawn. */
  draw: (ply: number, agent: string) => void;
  hideTree: () => void;
  undo: () => void;
  rename: (name: string) => void;
  forget: () => void;
  complain: (text: string) => void;
}

export function useSitting(table: string, known: SeatInfo[], start: number | null): Sitting {
  const [online, setOnline] = useState(false);
  const [live, setLive] = useState<Frame | null>(null);
  const [past, setPast] = useState<Frame | null>(null);
  const [cursor, setCursor] = useState<number | null>(start);
  const [eyes, setEyes] = useState<number | null>(null);
  const [log, setLog] = useState<Entry[]>([]);
  const [seats, setSeats] = useState<SeatInfo[]>(known);
  const [thinking, setThinking] = useState<number | null>(null);
  const [status, setStatus] = useState("");
  const [next, setNext] = useState("");
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [tree, setTree] = useState<Drawn | null>(null);
  const [waiting, setWaiting] = useState(false);
  const [error, setError] = useState("");
  const line = useRef<Line | null>(null);
  const present = useRef<Frame | null>(null);

  const say = useCallback((message: object) => line.current?.say({ table, ...message }), [table]);

  const hear = useCallback(
    (message: Heard) => {
      if ("table" in message && message.table !== table) return;
      switch (message.type) {
        case "frame": {
          const now = present.current;
          if (message.past) {
            setPast(message);
            break;
          }
          if (now !== null && message.ply < now.ply) setCursor(null);
          present.current = message;
          setLive(message);
          setThinking(null);
          setStatus("");
          break;
        }
        case "log":
          setLog((entries) => [...entries.filter((entry) => entry.ply < message.from), ...message.entries]);
          break;
        case "seats":
          setSeats(message.seats);
          break;
        case "decision":
          setWaiting(false);
          setStatus("");
          setAnswer(message);
          break;
        case "tree":
          setWaiting(false);
          setTree(message);
          break;
        case "thinking":
          setThinking(message.seat);
          break;
        case "status":
          setStatus(message.text);
          break;
        case "next":
          setNext(message.next);
          break;
        case "error":
          setWaiting(false);
          setError(message.text);
          break;
        case "pong":
          break;
      }
    },
    [table],
  );

  useEffect(() => {
    present.current = null;
    setNext("");
    const hello = () => {
      const secret = token(table);
      return secret ? { type: "join", table, token: secret } : { type: "join", table };
    };
    line.current = new Line(hello, hear, setOnline);
    return () => {
      line.current?.say({ type: "leave", table });
      line.current?.close();
    };
  }, [table, hear]);

  // A past moment, or another seat's eyes, has to be asked for.
  useEffect(() => {
    if (live === null || !online) return;
    const ply = cursor ?? live.ply;
    if (cursor === null && (eyes === null || eyes === live.seat)) {
      setPast(null);
      return;
    }
    const seat = eyes ?? live.seat;
    say(seat === null || seat < 0 ? { type: "look", ply } : { type: "look", ply, seat });
  }, [cursor, eyes, live, online, say]);

  const following = cursor === null && (eyes === null || eyes === live?.seat);
  const showsPast = past !== null && past.ply === (cursor ?? live?.ply);
  return {
    online,
    live,
    frame: following ? live : showsPast ? past : (past ?? live),
    cursor,
    eyes,
    log,
    seats: seats.length > 0 ? seats : known,
    thinking,
    status,
    next,
    answer,
    tree,
    waiting,
    error,
    play: (action) => {
      setError("");
      if (present.current) say({ type: "play", ply: present.current.ply, action });
    },
    look: (ply) => {
      const last = present.current?.ply ?? 0;
      setError("");
      setCursor(ply === null || ply >= last ? null : Math.max(0, ply));
    },
    seenBy: setEyes,
    advise: (agent) => {
      setError("");
      setWaiting(true);
      say(agent ? { type: "advice", agent } : { type: "advice" });
    },
    why: (ply) => {
      setError("");
      setWaiting(true);
      say({ type: "why", ply });
    },
    draw: (ply, agent) => {
      setError("");
      setWaiting(true);
      say({ type: "tree", ply, agent });
    },
    hideTree: () => setTree(null),
    undo: () => {
      setError("");
      say({ type: "undo" });
    },
    rename: (name) => say({ type: "name", name }),
    forget: () => setAnswer(null),
    complain: setError,
  };
}

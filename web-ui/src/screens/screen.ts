/** What the screen of a game is given: a picture, what may be played, and what is to be pointed out on it. */

import type { JSX } from "preact";
import type { ChanceInfo, EntryInfo, Json, MoveInfo } from "../wire_types";

export interface ScreenProps {
  picture: { [name: string]: Json };
  /** The seat whose knowledge is drawn; -1 for somebody who looks on. */
  seat: number;
  /** The seat to move; -1 when the game is over. */
  turn: number;
  over: boolean;
  /** What may be played now; empty unless it is this seat's turn and the present moment. */
  moves: MoveInfo[];
  play: (action: number) => void;
  /** A thing was pressed that no move is about: the player is told why. */
  refuse: (thing: string) => void;
  /** What the players are called, by seat. */
  names: string[];
  /** The ply before this moment. */
  last: EntryInfo | null;
  /** Names of the things that a hint is about. */
  advised: string[];
  /** What each thing may be, as shares of the worlds that fit what is known; empty unless asked for. */
  belief: { [thing: string]: ChanceInfo[] };
  /** What a thing of the picture is called, by its name there. */
  called: (name: string) => string;
}

export type Screen = (props: ScreenProps) => JSX.Element;

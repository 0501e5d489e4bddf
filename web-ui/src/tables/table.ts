/** What a drawing of a table is given: what one seat may know, and a way to move. */

import type { JSX } from "preact";
import type { Frame, Move } from "../wire";

export interface TableProps {
  view: unknown;
  screen: string;
  /** The seat whose knowledge is drawn; -1 for somebody who looks on. */
  seat: number;
  /** The seat to move; -1 when the game is over. */
  turn: number;
  over: boolean;
  payoffs: number[] | null;
  /** What may be played now; empty unless it is this seat's turn and the present moment. */
  actions: Move[];
  play: (action: number) => void;
  names: string[];
  last: Frame["last"];
}

export type Table = (props: TableProps) => JSX.Element;

export const nameOf = (names: string[], seat: number): string => names[seat] || `seat ${seat}`;

/** The bits of a mask as a list; masks may be longer than a double holds. */
export function bits(mask: number | string, width: number): boolean[] {
  const number = BigInt(mask);
  return Array.from({ length: width }, (_, i) => ((number >> BigInt(i)) & 1n) === 1n);
}

/** Which table is drawn by what. A game that is not listed gets the plain one. */

import { Backgammon } from "./backgammon";
import { Battleship } from "./battleship";
import { BlindTicTacToe } from "./blind_tictactoe";
import { ConnectFour } from "./connect_four";
import { Dominion } from "./dominion";
import { Dorban } from "./dorban";
import { Hanabi } from "./hanabi";
import { Plain } from "./plain";
import { Poker } from "./poker";
import { Reversi } from "./reversi";
import { Snaps } from "./snaps";
import type { Table } from "./table";
import { TicTacToe } from "./tictactoe";

const TABLES: { [game: string]: Table } = {
  backgammon: Backgammon,
  battleship: Battleship,
  blind_tictactoe: BlindTicTacToe,
  connect_four: ConnectFour,
  dominion: Dominion,
  dorban: Dorban,
  hanabi: Hanabi,
  kuhn: Poker,
  leduc: Poker,
  reversi: Reversi,
  snaps: Snaps,
  tictactoe: TicTacToe,
};

export const tableOf = (game: string): Table => TABLES[game] ?? Plain;

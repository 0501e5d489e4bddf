/** Which screen draws which game. A game that is not listed has the generic one, which draws any picture. */

import { Backgammon } from "./backgammon";
import { Dominion } from "./dominion";
import { Generic } from "./generic";
import { Hanabi } from "./hanabi";
import type { Screen } from "./screen";
import { Snaps } from "./snaps";

const SCREENS: { [game: string]: Screen } = {
  backgammon: Backgammon,
  dominion: Dominion,
  hanabi: Hanabi,
  snaps: Snaps,
};

export const screenOf = (game: string): Screen => SCREENS[game] ?? Generic;

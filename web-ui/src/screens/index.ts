/** Which screen draws which game. A game that is not listed has the generic one, which draws any picture. */

import { Backgammon } from "./backgammon";
import { Generic } from "./generic";
import type { Screen } from "./screen";

const SCREENS: { [game: string]: Screen } = {
  backgammon: Backgammon,
};

export const screenOf = (game: string): Screen => SCREENS[game] ?? Generic;

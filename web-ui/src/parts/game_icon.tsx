/** A small picture for each game. */

const PICTURES: { [game: string]: preact.JSX.Element } = {
  hanabi: (
    <>
      <path d="M24 40V22" />
      <path d="M24 20 24 8M24 20 33 12M24 20 36 22M24 20 15 12M24 20 12 22" class="c0" />
      <circle cx="24" cy="7" r="2" class="f1" />
      <circle cx="34" cy="11" r="2" class="f2" />
      <circle cx="37" cy="22" r="2" class="f3" />
      <circle cx="14" cy="11" r="2" class="f0" />
      <circle cx="11" cy="22" r="2" class="f1" />
    </>
  ),
  dominion: (
    <>
      <path d="M10 38V18H14V22H20V18H28V22H34V18H38V38Z" class="f3" />
      <path d="M21 38V31A3 3 0 0 1 27 31V38Z" class="paper" />
      <circle cx="35" cy="12" r="5" class="f1" />
    </>
  ),
  snaps: (
    <>
      <rect x="10" y="10" width="18" height="28" rx="3" class="paper" transform="rotate(-10 19 24)" />
      <rect x="21" y="10" width="18" height="28" rx="3" class="paper" transform="rotate(8 30 24)" />
      <path
        d="M30 31C25 27 23.500 25 23.500 22.800A3.200 3.200 0 0 1 30 21.500a3.200 3.200 0 0 1 6.500 1.300C36.500 25 35 27 30 31Z"
        class="f0"
      />
    </>
  ),
  dorban: (
    <>
      <path d="M12 14 26 18 38 32M26 18 14 34 28 38 38 32" />
      <circle cx="12" cy="14" r="4" class="paper" />
      <circle cx="26" cy="18" r="5" class="f0" />
      <circle cx="38" cy="32" r="4" class="paper" />
      <circle cx="14" cy="34" r="4" class="f1" />
      <circle cx="28" cy="38" r="4" class="paper" />
    </>
  ),
  connect_four: (
    <>
      <rect x="8" y="10" width="32" height="29" rx="4" class="f3" />
      {[0, 1, 2].map((row) =>
        [0, 1, 2].map((column) => (
          <circle
            key={3 * row + column}
            cx={15 + 9 * column}
            cy={16 + 8.5 * row}
            r="3.300"
            class={row + column === 2 ? "f1" : row === 2 ? "f0" : "paper"}
          />
        )),
      )}
    </>
  ),
  reversi: (
    <>
      <rect x="8" y="8" width="32" height="32" rx="3" class="f2" />
      <circle cx="17" cy="17" r="6" class="ink" />
      <circle cx="31" cy="17" r="6" class="paper" />
      <circle cx="17" cy="31" r="6" class="paper" />
      <circle cx="31" cy="31" r="6" class="ink" />
    </>
  ),
  checkers: (
    <>
      <rect x="8" y="8" width="32" height="32" rx="3" class="paper" />
      <path d="M24 8H40V24H24ZM8 24H24V40H8Z" class="f4" />
      <circle cx="32" cy="16" r="6" class="ink" />
      <circle cx="16" cy="32" r="6" class="paper" />
    </>
  ),
  backgammon: (
    <>
      <path d="M9 9 14 30 19 9ZM19 9 24 30 29 9ZM29 9 34 30 39 9Z" class="f4" />
      <circle cx="14" cy="36" r="4.500" class="ink" />
      <circle cx="24" cy="36" r="4.500" class="paper" />
      <circle cx="34" cy="36" r="4.500" class="ink" />
    </>
  ),
  battleship: (
    <>
      <path d="M8 27H40L35 36H13Z" class="f3" />
      <path d="M16 27V20H29V27M23 20V12" />
      <path d="M7 40C11 37 14 37 18 40S26 43 30 40 37 37 41 40" />
    </>
  ),
};
const NINE = (
  <>
    <path d="M19 9V39M29 9V39M9 19H39M9 29H39" />
    <path d="M11 11 17 17M17 11 11 17" class="c3" />
    <circle cx="24" cy="24" r="3.200" class="c0" />
    <path d="M31 31 37 37M37 31 31 37" class="c3" />
  </>
);
const CARDS = (
  <>
    <rect x="10" y="9" width="17" height="25" rx="3" class="f3" />
    <rect x="21" y="14" width="17" height="25" rx="3" class="paper" />
    <text x="29.500" y="32" text-anchor="middle" class="letter">
      K
    </text>
  </>
);
const TREE = (
  <>
    <path d="M24 11 14 24M24 11 34 24M14 24 9 37M14 24 19 37M34 24 29 37M34 24 39 37" />
    <circle cx="24" cy="11" r="4" class="f3" />
    <circle cx="14" cy="24" r="3.500" class="f1" />
    <circle cx="34" cy="24" r="3.500" class="f1" />
  </>
);

export function GameIcon({ game }: { game: string }) {
  const picture = PICTURES[game] ?? (/tictactoe/.test(game) ? NINE : /kuhn|leduc/.test(game) ? CARDS : TREE);
  return (
    <svg viewBox="0 0 48 48" class="game-icon" aria-hidden="true">
      {picture}
    </svg>
  );
}

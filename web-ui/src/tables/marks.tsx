/** The signs of two players: told apart by shape as well as by colour. */

export function Cross() {
  return (
    <svg viewBox="0 0 40 40" class="mark cross" aria-hidden="true">
      <path d="M10 10 30 30M30 10 10 30" />
    </svg>
  );
}

export function Nought() {
  return (
    <svg viewBox="0 0 40 40" class="mark nought" aria-hidden="true">
      <circle cx="20" cy="20" r="11" />
    </svg>
  );
}

export const signOf = (seat: number) => (seat === 0 ? <Cross /> : <Nought />);
export const SIGN_NAMES = ["X", "O"];

export function Disc({ seat }: { seat: number }) {
  return (
    <svg viewBox="0 0 40 40" class={`mark disc disc-${seat}`} aria-hidden="true">
      <circle cx="20" cy="20" r="16.5" />
      {seat === 0 ? <circle cx="20" cy="20" r="9" class="inner" /> : <path d="M20 12v16M12 20h16" class="inner" />}
    </svg>
  );
}

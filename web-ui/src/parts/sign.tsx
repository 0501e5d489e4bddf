/** Small signs, drawn, so that no font has to have them. */

const PATHS = {
  first: "M5 4V20M20 4 8 12 20 20Z",
  back: "M18 4 6 12 18 20Z",
  on: "M6 4 18 12 6 20Z",
  last: "M19 4V20M4 4 16 12 4 20Z",
  play: "M7 4 19 12 7 20Z",
  pause: "M8 4V20M16 4V20",
  close: "M5 5 19 19M19 5 5 19",
  keys: "M2 6H22V18H2ZM6 10H6.010M10 10H10.010M14 10H14.010M18 10H18.010M7 14H17",
  system: "M12 3A9 9 0 1 0 12 21ZM12 3A9 9 0 0 1 12 21",
  light:
    "M12 8A4 4 0 1 0 12 16 4 4 0 1 0 12 8ZM12 1V4M12 20V23M1 12H4M20 12H23M4 4 6 6M18 18 20 20M4 20 6 18M18 6 20 4",
  dark: "M20 14A8.500 8.500 0 1 1 10 4 7 7 0 0 0 20 14Z",
};

export type SignName = keyof typeof PATHS;

export function Sign({ name }: { name: SignName }) {
  return (
    <svg viewBox="0 0 24 24" class={`sign-icon sign-icon-${name}`} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

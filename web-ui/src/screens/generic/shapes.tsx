/** The shapes that pictures may name; anything else is drawn as the letters it is. */

const SIGNS: { [name: string]: string } = {
  vampire:
    "M12 7 10 4 8.500 7C6 5 3 5 0 8c3 0 4 2 4 5 2-1 3 0 4 3 1-2 2.500-2 4 0 1.500-2 3-2 4 0 1-3 2-4 4-3 0-3 1-5 4-5-3-3-6-3-8.500-1L14 4Z",
  shield: "M12 2 21 5V11C21 17 17 20 12 23 7 20 3 17 3 11V5Z",
  hero: "M20 2 9.500 13 7 10.500 5.500 12 8 14.500 3 19.500 4.500 21 9.500 16 12 18.500 13.500 17 11 14.500 22 4V2Z",
};

export const isSign = (name: string): boolean => name in SIGNS;

/** A small sign inside an SVG, 24 wide, its top left corner at (x, y). */
export function SignPath({ name, x, y }: { name: string; x: number; y: number }) {
  if (!isSign(name))
    return (
      <text x={x + 12} y={y + 17} class="sign-letter">
        {name}
      </text>
    );
  return <path d={SIGNS[name]!} class={`sign sign-${name}`} transform={`translate(${x} ${y})`} />;
}

/** The mark of a cell. */
export function Shape({ name, owner }: { name: string; owner: number | null }) {
  const side = owner === null ? "" : `of-${owner % 2}`;
  switch (name) {
    case "":
      return <span class="hole" />;
    case "cross":
      return (
        <svg viewBox="0 0 40 40" class="mark cross" aria-hidden="true">
          <path d="M10 10 30 30M30 10 10 30" />
        </svg>
      );
    case "nought":
      return (
        <svg viewBox="0 0 40 40" class="mark nought" aria-hidden="true">
          <circle cx="20" cy="20" r="11" />
        </svg>
      );
    case "disc":
      return (
        <svg viewBox="0 0 40 40" class={`mark disc ${side}`} aria-hidden="true">
          <circle cx="20" cy="20" r="16.5" />
          {side === "of-0" ? (
            <circle cx="20" cy="20" r="9" class="inner" />
          ) : (
            <path d="M20 12v16M12 20h16" class="inner" />
          )}
        </svg>
      );
    case "stone":
      return <span class={`stone ${side}`} />;
    case "king":
      return (
        <span class={`stone king ${side}`}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 18 3 8 8 12 12 5 16 12 21 8 20 18Z" />
          </svg>
        </span>
      );
    case "ship":
      return null;
    case "miss":
      return <span class="peg miss" />;
    case "hit":
    case "sunk":
      return <span class={`peg ${name}`}>×</span>;
    default:
      return <span class={`letters ${side}`}>{name}</span>;
  }
}

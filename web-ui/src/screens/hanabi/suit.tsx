/** The five colours of Hanabi as shapes, so that nobody needs to tell colours apart. */

const SHAPES: { [colour: string]: string } = {
  red: "M12 2 20 12 12 22 4 12Z", // a diamond
  yellow: "M12 2 14.800 9 22 9.400 16.400 14 18.300 21.400 12 17.300 5.700 21.400 7.600 14 2 9.400 9.200 9Z", // a star
  green: "M12 3 22 20.500H2Z", // a triangle
  blue: "M12 2.500C17 8.500 19.500 12 19.500 15a7.500 7.500 0 0 1-15 0C4.500 12 7 8.500 12 2.500Z", // a drop
  white: "M4 4H20V20H4Z", // a square
};

export function Suit({ colour, look = "" }: { colour: string; look?: string }) {
  return (
    <svg viewBox="0 0 24 24" class={`suit suit-${colour} ${look}`} aria-hidden="true">
      <path d={SHAPES[colour]} />
    </svg>
  );
}

/** How things look that a hint, or the last move, is about. */

export const marked = (thing: string, advised: string[], last: string[]): string =>
  `${advised.includes(thing) ? "advised" : ""} ${last.includes(thing) ? "last" : ""}`;

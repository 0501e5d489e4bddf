/** The cards of snaps: four suits drawn by hand, six ranks with their points. */

import type { SnapsCard } from "../../wire_types";

export function SuitSign({ suit }: { suit: string }) {
  return (
    <svg viewBox="0 0 24 24" class={`snaps-suit snaps-suit-${suit}`} aria-hidden="true">
      {suit === "hearts" && (
        <path d="M12 21C5 15.500 2.500 12 2.500 8.500A4.800 4.800 0 0 1 12 6.800a4.800 4.800 0 0 1 9.500 1.700C21.500 12 19 15.500 12 21Z" />
      )}
      {suit === "leaves" && (
        <>
          <path d="M12 2C17.500 5.500 20 9.500 18.500 13.500 17.200 17 14.500 17.500 12 16.500 9.500 17.500 6.800 17 5.500 13.500 4 9.500 6.500 5.500 12 2Z" />
          <path d="M12 8V22" class="vein" />
        </>
      )}
      {suit === "acorns" && (
        <>
          <path d="M6 11H18C18 17 15 21 12 22 9 21 6 17 6 11Z" />
          <path d="M4.500 10.500C4.500 6.500 8 5 12 5S19.500 6.500 19.500 10.500Z" class="cap" />
          <path d="M12 5V2" class="vein" />
        </>
      )}
      {suit === "bells" && (
        <>
          <circle cx="12" cy="12.500" r="9" />
          <path d="M3.500 11.500H20.500M12 14.500V20" class="vein" />
          <circle cx="12" cy="14.800" r="1.800" class="cap" />
        </>
      )}
    </svg>
  );
}

export function CardFace({ card }: { card: SnapsCard }) {
  return (
    <span class={`snaps-card snaps-ink-${card.suit} ${card.trump ? "trump" : ""}`}>
      <b>{card.sign}</b>
      <SuitSign suit={card.suit} />
      <small>{card.points}</small>
    </span>
  );
}

/** A player of snaps: points, what he is, and his cards, from behind while they are hidden. */

import type { SnapsCard, SnapsPlayer } from "../../wire_types";
import { count, t } from "../../words";
import { CardFace } from "./card";

type Role = SnapsPlayer["roles"][number];

function roleWords(role: Role): string {
  switch (role) {
    case "chooser":
      return t("chooser");
    case "alone":
      return t("plays alone");
    case "maybe alone":
      return t("alone?");
    case "partner":
      return t("partner");
    case "maybe partner":
      return t("partner?");
    case "kontra":
      return t("kontra");
    case "rekontra":
      return t("rekontra");
  }
}

interface PlayerProps {
  player: SnapsPlayer;
  name: string;
  own: boolean;
  toMove: boolean;
  look: string;
  /** The chance in hundredths that the named card is here; null where nobody asked. */
  holds: number | null;
  cardOf: (name: string) => SnapsCard;
}

export function Player({ player, name, own, toMove, look, holds, cardOf }: PlayerProps) {
  const looks = ["snaps-player", player.place, toMove ? "to-move" : "", look];
  return (
    <div class={looks.join(" ")} data-seat={player.seat}>
      <b>{name}</b>
      <span class="soft">
        {count(player.points, "{n} point", "{n} points")}
        {player.bonus > 0 && ` + ${player.bonus}`}, {count(player.tricks, "{n} trick", "{n} tricks")}
      </span>
      {player.roles.map((role) => (
        <span key={role} class={`role snaps-role-${role.replace(" ", "-")}`}>
          {roleWords(role)}
        </span>
      ))}
      {holds !== null && (
        <span class="soft">
          {player.roles.includes("chooser")
            ? t("alone: {chance} %", { chance: holds })
            : t("partner: {chance} %", { chance: holds })}
        </span>
      )}
      {!own && (
        <span class="snaps-backs" aria-label={count(player.cards, "{n} card", "{n} cards")} role="img">
          {player.hand.length > 0
            ? player.hand.map((card) => <CardFace key={card} card={cardOf(card)} />)
            : Array.from({ length: player.cards }, (_, i) => <i key={i} />)}
        </span>
      )}
    </div>
  );
}

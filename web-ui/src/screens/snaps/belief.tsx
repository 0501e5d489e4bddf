/** Who may hold which card: a row for each player, a column for each card that is not seen. */

import type { ChanceInfo, SnapsPicture } from "../../wire_types";
import { t } from "../../words";
import { SuitSign } from "./card";

/** The chance that a thing is this, in hundredths. */
export const hundredths = (chances: ChanceInfo[] | undefined, what: string): number =>
  Math.round(100 * (chances?.find((each) => each.what === what)?.chance ?? 0));

interface BeliefTableProps {
  picture: SnapsPicture;
  belief: { [thing: string]: ChanceInfo[] };
  nameOf: (seat: number) => string;
}

export function BeliefTable({ picture, belief, nameOf }: BeliefTableProps) {
  const cards = picture.pack.filter((card) => card.name in belief);
  const rows = picture.players.filter((player) =>
    cards.some((card) => belief[card.name]!.some(({ what }) => what === player.name)),
  );
  if (cards.length === 0) return null;
  return (
    <div class="snaps-belief" tabIndex={0}>
      <table>
        <caption>{t("Who may hold which card, in %")}</caption>
        <thead>
          <tr>
            <th />
            {cards.map((card) => (
              <th key={card.name} scope="col" aria-label={card.words}>
                <SuitSign suit={card.suit} />
                {card.sign}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((player) => (
            <tr key={player.seat}>
              <th scope="row">{nameOf(player.seat)}</th>
              {cards.map((card) => {
                const chance = hundredths(belief[card.name], player.name);
                return (
                  <td key={card.name} style={{ "--chance": `${chance}%` }}>
                    {chance || ""}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

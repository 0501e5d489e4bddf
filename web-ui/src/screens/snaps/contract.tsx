/** What is played: the named card, who plays with whom as far as that can be told, and how the sides stand. */

import type { SnapsCard, SnapsPicture } from "../../wire_types";
import { t, word } from "../../words";
import { CardFace } from "./card";

interface ContractProps {
  picture: SnapsPicture;
  seat: number;
  nameOf: (seat: number) => string;
  cardOf: (name: string) => SnapsCard;
}

function partnership({ picture, seat, nameOf }: ContractProps): string {
  const { holders, chooser, sides } = picture;
  const among = (seats: number[], joint: string): string => seats.map(nameOf).join(joint);
  if (holders.length > 1)
    return t("Nobody has shown the named card: it may be with {names}.", { names: among(holders, t(" or ")) });
  if (holders[0] === chooser)
    return chooser === seat ? t("You play alone.") : t("{name} plays alone.", { name: nameOf(chooser) });
  const [ours, theirs] = sides.map((side) => among(side.seats, t(" and ")));
  return t("{ours} play against {theirs}.", { ours: ours ?? "", theirs: theirs ?? "" });
}

export function Contract(props: ContractProps) {
  const { picture, seat, nameOf, cardOf } = props;
  const { chooser, named, sides, enough } = picture;
  const own = chooser === seat;
  if (named === null)
    return (
      <p class="contract">
        {own ? t("You name the trump card.") : t("{name} names the trump card.", { name: nameOf(chooser) })}
      </p>
    );
  const card = cardOf(named);
  const what = { name: nameOf(chooser), card: card.words, suit: word(card.suit) };
  const totals = sides.map(({ seats, points }) => `${seats.map(nameOf).join(t(" and "))} ${points}`).join(", ");
  return (
    <div class="contract">
      <CardFace card={card} />
      <p>
        <b>
          {own ? t("You named the {card}: {suit} are trumps.", what) : t("{name} named the {card}: {suit} are trumps.", what)}
        </b>
        <br />
        <span class="soft">{partnership(props)}</span>
        {totals && (
          <>
            <br />
            <span class="soft">{t("Points: {totals}; {enough} are enough.", { totals, enough })}</span>
          </>
        )}
      </p>
    </div>
  );
}

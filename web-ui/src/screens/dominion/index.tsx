/** Dominion: the supply by cost, the cards in play, the hand, and the text of a card wherever the pointer rests. */

import type { DominionPicture, DominionPile, DominionThing, MoveInfo } from "../../wire_types";
import { count, t } from "../../words";
import { marked } from "../marked";
import type { ScreenProps } from "../screen";
import { Player } from "./player";
import { Tile } from "./tile";
import "./style.css";

/** All that can be pressed on this screen. */
const thingsIn = ({ piles, players, in_play, aside, trash }: DominionPicture): Set<string> =>
  new Set(
    [
      piles,
      in_play,
      aside,
      trash,
      ...players.flatMap(({ hand, tops, discard }) => [hand, tops, discard]),
    ].flatMap((things) => things.map(({ name }) => name)),
  );

export function Dominion({ picture: given, seat, turn, over, moves, play, refuse, names, last, advised }: ScreenProps) {
  const picture = given as unknown as DominionPicture;
  const { piles, players, question, asked, current } = picture;
  const nameOf = (who: number): string => (who === seat ? t("You") : (names[who] ?? ""));
  const lastThings = last?.objects ?? [];
  const byName = new Map(piles.map((pile) => [pile.name, pile]));
  const drawn = thingsIn(picture);
  /** A thing is pressed for the one move that is about it; where there are several, each has a button. */
  const moveOf = (thing: string): MoveInfo | undefined => {
    const about = moves.filter((move) => move.objects.includes(thing));
    return about.length === 1 ? about[0] : undefined;
  };
  const buttons = moves.filter((move) => !move.objects.some((thing) => drawn.has(thing) && moveOf(thing) === move));

  const pileTile = (pile: DominionPile) => (
    <Tile
      key={pile.name}
      thing={pile.name}
      pile={pile}
      count={pile.left}
      counted={t("left in the pile")}
      move={moveOf(pile.name)}
      look={marked(pile.name, advised, lastThings)}
      play={play}
      refuse={refuse}
    />
  );
  const tile = (thing: DominionThing, i: number, small: boolean, counted = "") => {
    const pile = byName.get(thing.card);
    if (!pile)
      return (
        <span key={i} class="tile small" role="img" aria-label={t("a hidden card")}>
          ?
        </span>
      );
    return (
      <Tile
        key={`${thing.name} ${i}`}
        thing={thing.name}
        pile={pile}
        count={thing.count > 1 ? thing.count : undefined}
        counted={counted}
        move={moveOf(thing.name)}
        look={marked(thing.name, advised, lastThings)}
        small={small}
        play={play}
      refuse={refuse}
      />
    );
  };
  const row = (title: string, things: DominionThing[]) =>
    things.length > 0 && (
      <div class="tiles titled">
        <h3>{title}</h3>
        {things.map((thing, i) => tile(thing, i, true))}
      </div>
    );

  const mine = players[0]!;
  const status = (): string => {
    if (over) return t("the game is over");
    if (question)
      return question.text;
    return asked === null || asked === seat ? "" : t("{name} is choosing", { name: nameOf(asked) });
  };

  return (
    <div class="dominion">
      <div class="dominion-players">
        {players.map((player) => (
          <Player
            key={player.seat}
            player={player}
            name={nameOf(player.seat)}
            toMove={turn === player.seat}
            look={marked(player.name, advised, lastThings)}
          >
            {player !== mine && row(t("in hand"), player.hand)}
            {row(t("on the deck"), player.tops)}
          </Player>
        ))}
      </div>
      <div class="supply" role="group" aria-label={t("the supply")}>
        <div class="basic">{piles.filter((pile) => pile.basic).map(pileTile)}</div>
        <div class="kingdom-side">
          <div class="kingdom">{piles.filter((pile) => !pile.basic).map(pileTile)}</div>
          <div class="play-area">
            <section aria-label={t("in play")}>
              <h3>{current === seat ? t("In play") : t("In play: {name}", { name: nameOf(current) })}</h3>
              <div class="tiles">{picture.in_play.map((thing, i) => tile(thing, i, true))}</div>
              {row(t("set aside"), picture.aside)}
            </section>
            <div class="purse" role="status">
              {!over && (
                <>
                  <span>{count(picture.actions, "{n} action", "{n} actions")}</span>
                  <span>{count(picture.buys, "{n} buy", "{n} buys")}</span>
                  <span class="coins">{count(picture.coins, "{n} coin", "{n} coins")}</span>
                </>
              )}
            </div>
          </div>
        </div>
      </div>
      <p class="caption strong">{status()}</p>
      <section class="dominion-hand" aria-label={t("your hand")}>
        <div class="tiles">{mine.hand.map((thing, i) => tile(thing, i, false, t("in hand")))}</div>
        <div class="choices">
          {buttons.map(({ action, text, objects }) => (
            <button
              key={action}
              type="button"
              class={`primary ${objects.length === 0 && advised.includes(text) ? "advised" : ""}`}
              data-action={action}
              onClick={() => play(action)}
            >
              {text}
            </button>
          ))}
        </div>
      </section>
      {mine.discard.length > 0 && (
        <details class="dominion-discard" open={mine.discard.some(({ name }) => moveOf(name) !== undefined)}>
          <summary>{t("Your discard pile")}</summary>
          <div class="tiles">{mine.discard.map((thing, i) => tile(thing, i, true))}</div>
        </details>
      )}
      {row(t("Trash"), picture.trash)}
    </div>
  );
}

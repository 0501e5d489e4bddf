/** The screen that every game has: it draws whatever blocks its picture holds. */

import { useMemo } from "preact/hooks";
import { t } from "../../words";
import type { Amounts, Block, Cards, ChanceBar, Chances, Json } from "../../wire_types";
import type { ScreenProps } from "../screen";
import { BoardBlock } from "./board";
import { MapBlock } from "./map";
import { type Pressing, usePressing } from "./pressing";
import { TreeBlock } from "./tree";
import "./style.css";

const percent = (chance: number): string => {
  const whole = 100 * chance;
  return `${whole === 0 || (whole >= 9.95 && whole < 99.95) || whole === 100 ? whole.toFixed(0) : whole.toFixed(1)} %`;
};

export const isBlock = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.kind === "string";

function namedIn(block: Block): { name: string }[] {
  switch (block.kind) {
    case "board":
      return block.cells;
    case "cards":
      return block.cards;
    case "places":
      return block.places;
    case "tree":
      return block.nodes;
    default:
      return [];
  }
}

/** The names of all things that a picture shows. */
export function thingsIn(blocks: Block[]): Set<string> {
  const found = new Set<string>();
  for (const block of blocks) {
    for (const { name } of namedIn(block)) found.add(name);
  }
  return found;
}

function CardsBlock({ block, pressing, props }: { block: Cards; pressing: Pressing; props: ScreenProps }) {
  const owner = block.owner;
  const title = owner === null ? block.title : owner === props.seat ? t("You") : (props.names[owner] ?? "");
  return (
    <figure class={`card-row ${owner !== null && owner === props.turn ? "to-move" : ""}`} data-seat={owner ?? undefined}>
      <div class="card-list">
        {block.cards.map((card, i) => {
          const moves = pressing.movesOf(card.name);
          const looks = [
            "playing-card",
            card.back ? "back" : "",
            card.red ? "red" : "",
            moves.length > 0 ? "playable" : "",
            card.name && pressing.chosen === card.name ? "chosen" : "",
            card.name && props.advised.includes(card.name) ? "advised" : "",
            card.name && props.last?.objects.includes(card.name) ? "last" : "",
          ].join(" ");
          const inside = (
            <>
              {card.face}
              <small>{card.suit}</small>
            </>
          );
          return moves.length > 0 ? (
            <button
              key={i}
              type="button"
              class={looks}
              aria-label={card.words}
              data-thing={card.name}
              data-action={moves.length === 1 ? moves[0]!.action : undefined}
              onClick={() => pressing.press(card.name)}
            >
              {inside}
            </button>
          ) : (
            <span key={i} class={looks} role="img" aria-label={card.words} data-thing={card.name || undefined}>
              {inside}
            </span>
          );
        })}
        {block.cards.map((card) => card.name in props.belief && <Bars key={`belief ${card.name}`} chances={props.belief[card.name]!.map((one) => ({ ...one, what: one.words }))} />)}
      </div>
      <figcaption>{title}</figcaption>
    </figure>
  );
}

export function Bars({ chances, most = 12 }: { chances: ChanceBar[]; most?: number }) {
  return (
    <ul class="bars">
      {chances.slice(0, most).map(({ what, chance }) => (
        <li key={what}>
          <span>{what}</span>
          <span class="bar" aria-hidden="true">
            <i class="plus" style={{ left: 0, width: `${100 * Math.min(1, chance)}%` }} />
          </span>
          <b>{percent(chance)}</b>
        </li>
      ))}
    </ul>
  );
}

function ChancesBlock({ block }: { block: Chances }) {
  return (
    <section class="chances">
      <h3>{block.title}</h3>
      <Bars chances={block.chances} />
    </section>
  );
}

function AmountsBlock({ block, props }: { block: Amounts; props: ScreenProps }) {
  return (
    <section class="amounts">
      {block.title && <h3>{block.title}</h3>}
      <dl>
        {block.amounts.map(({ what, amount, owner }) => (
          <div key={what} class={owner !== null && owner === props.turn ? "to-move" : ""}>
            <dt>
              {owner !== null && <span class={`stone of-${owner % 2}`} aria-hidden="true" />}
              {what}
              {owner !== null && props.names[owner] && <small> {owner === props.seat ? t("You") : props.names[owner]}</small>}
            </dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Drawn({ block, pressing, props }: { block: Block; pressing: Pressing; props: ScreenProps }) {
  const last = props.last?.objects ?? [];
  switch (block.kind) {
    case "board":
      return (
        <figure class="board-figure">
          <BoardBlock
            board={block}
            moves={props.moves}
            pressing={pressing}
            last={last}
            advised={props.advised}
            belief={props.belief}
          />
          {block.title !== "board" && <figcaption>{block.title}</figcaption>}
        </figure>
      );
    case "cards":
      return <CardsBlock block={block} pressing={pressing} props={props} />;
    case "chances":
      return <ChancesBlock block={block} />;
    case "places":
      return <MapBlock map={block} pressing={pressing} last={last} advised={props.advised} called={props.called} />;
    case "amounts":
      return <AmountsBlock block={block} props={props} />;
    case "tree":
      return <TreeBlock tree={block} pressing={pressing} advised={props.advised} />;
    case "text":
      return (
        <pre class="screen" role="img" tabIndex={0} aria-label={t("the table as text")}>
          {block.text}
        </pre>
      );
    case "note":
      return <p class="caption strong">{block.text}</p>;
  }
}

export function Generic(props: ScreenProps) {
  const { picture, moves, play } = props;
  const blocks = useMemo(() => Object.values(picture).filter(isBlock) as unknown as Block[], [picture]);
  const pressing = usePressing(moves, play, props.refuse);
  const things = useMemo(() => thingsIn(blocks), [blocks]);
  const others = moves.filter((move) => !move.objects.some((thing) => things.has(thing)));
  return (
    <div class="generic">
      {blocks.map((block, i) => (
        <Drawn key={i} block={block} pressing={pressing} props={props} />
      ))}
      {pressing.verbs.length > 1 && (
        <div class="choices verbs" role="group" aria-label={t("how")}>
          {pressing.verbs.map((verb) => (
            <button key={verb} type="button" aria-pressed={verb === pressing.verb} onClick={() => pressing.setVerb(verb)}>
              {moves.find((move) => move.verb === verb)?.verb_words ?? verb}
            </button>
          ))}
        </div>
      )}
      {others.length > 0 && others.length <= 16 && (
        <div class="choices">
          {others.map(({ action, text, verb_words, objects }) => (
            <button
              key={action}
              type="button"
              class={`primary ${objects.length === 0 && props.advised.includes(text) ? "advised" : ""}`}
              data-action={action}
              onClick={() => play(action)}
            >
              {objects.length === 0 && verb_words ? verb_words : text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

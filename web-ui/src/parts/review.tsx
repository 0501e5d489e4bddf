/** Game review: what each move was worth, a graph of the game, and the moves that cost something. */

import { useEffect, useState } from "preact/hooks";
import { branches } from "../memory";
import { ask, type Refused } from "../wire";
import type { GameInfo, ReviewedMoveInfo, ReviewInfo } from "../wire_types";
import { t } from "../words";
import { AgentField } from "./agent_field";
import { signed } from "./why";

interface ReviewProps {
  table: string;
  game: GameInfo;
  names: string[];
  ply: number;
  look: (ply: number) => void;
  why: (ply: number, agent?: string) => void;
}

const EVERY = 500;
const WIDE = 720;
const TALL = 150;

const marks = (): { [mark: string]: string } => ({
  blunder: t("blunder"),
  mistake: t("mistake"),
  inaccuracy: t("inaccuracy"),
  otherwise: t("would have played otherwise"),
});

/** The value of the game for the seat that moved, move by move, one line for each seat. */
function Graph({ review, names, ply, look }: { review: ReviewInfo; names: string[]; ply: number; look: (ply: number) => void }) {
  const moves = review.moves.filter((judged) => judged.value !== null);
  if (moves.length < 2) return null;
  const last = review.moves.at(-1)!.move;
  const x = (move: number): number => 12 + ((WIDE - 24) * (move - 1)) / Math.max(1, last - 1);
  const y = (value: number): number => TALL / 2 - ((TALL / 2 - 12) * value) / review.stake;
  const seats = [...new Set(moves.map((judged) => judged.seat))];
  return (
    <svg viewBox={`0 0 ${WIDE} ${TALL}`} class="review-graph" role="group" aria-label={t("the value of the game, move by move")}>
      <line x1="0" x2={WIDE} y1={TALL / 2} y2={TALL / 2} class="axis" />
      <line x1={x(Math.max(1, ply))} x2={x(Math.max(1, ply))} y1="0" y2={TALL} class="cursor" />
      {seats.map((seat) => (
        <polyline
          key={seat}
          class={`value-line line-${seat}`}
          points={moves
            .filter((judged) => judged.seat === seat)
            .flatMap((judged) => [`${x(judged.move)},${y(judged.value!)}`, `${x(judged.move)},${y(judged.got!)}`])
            .join(" ")}
        />
      ))}
      {moves.map((judged) => (
        <circle
          key={judged.move}
          cx={x(judged.move)}
          cy={y(judged.got!)}
          r={judged.mark ? 5 : 3}
          class={`judged ${judged.mark || "fine"}`}
          role="button"
          tabindex={0}
          aria-label={`${judged.move}. ${names[judged.seat]}: ${judged.played} ${signed(judged.got!)}`}
          onClick={() => look(judged.move)}
          onKeyDown={(event) => event.key === "Enter" && look(judged.move)}
        />
      ))}
    </svg>
  );
}

function Line({ judged, names, look, why }: { judged: ReviewedMoveInfo; names: string[]; look: (ply: number) => void; why: () => void }) {
  return (
    <li class={`judged-line ${judged.mark}`}>
      <button type="button" class="quiet" onClick={() => look(judged.move - 1)}>
        <span class="log-ply">{judged.move}</span>
        <b>{names[judged.seat]}</b> {judged.played}
      </button>
      <span class={`mark-word ${judged.mark}`}>{marks()[judged.mark] ?? ""}</span>
      {judged.loss !== null && <span class="soft">{t("cost {loss}", { loss: signed(judged.loss).replace("+", "") })}</span>}
      <span>{t("best was {move}", { move: judged.best })}</span>
      <button type="button" class="quiet" onClick={why}>
        {t("why?")}
      </button>
    </li>
  );
}

export function ReviewPanel({ table, game, names, ply, look, why }: ReviewProps) {
  const [reviewer, setReviewer] = useState("");
  const [review, setReview] = useState<ReviewInfo | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    let gone = false;
    let timer = 0;
    setReview(null);
    setError("");
    const query = reviewer ? `?agent=${encodeURIComponent(reviewer)}` : "";
    const ready = async () => {
      try {
        const found = await ask<ReviewInfo>("GET", `/api/tables/${table}/review${query}`);
        if (gone) return;
        setReview(found);
        if (found.done < found.total) timer = window.setTimeout(ready, EVERY);
      } catch (reason) {
        if (!gone) setError((reason as Refused).message);
      }
    };
    void ready();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [table, reviewer]);
  const marked = review?.moves.filter((judged) => judged.mark) ?? [];
  return (
    <section class="panel review" aria-label={t("review")}>
      <header>
        <h2>{t("Review")}</h2>
        {review && (
          <div class="reviewer">
            <AgentField game={game} label={t("reviewer")} text={review.reviewer} change={setReviewer} />
          </div>
        )}
      </header>
      {error && <p class="error">{error}</p>}
      {review && review.done < review.total && (
        <p class="soft">
          <progress max={review.total} value={review.done} aria-label={t("progress")} />{" "}
          {t("{done} of {total} moves judged", { done: review.done, total: review.total })}
        </p>
      )}
      {review && <Graph review={review} names={names} ply={ply} look={look} />}
      {review && review.done === review.total && marked.length === 0 && <p>{t("No move cost anything that this reviewer sees.")}</p>}
      {branches(table).length > 0 && (
        <p class="row">
          {t("Variations:")}
          {branches(table).map((branch) => (
            <a key={branch.table} class="button" href={`/t/${branch.table}`}>
              {t("from move {ply}", { ply: branch.ply })}
            </a>
          ))}
        </p>
      )}
      <ol class="judged-list">
        {marked.map((judged) => (
          <Line key={judged.move} judged={judged} names={names} look={look} why={() => why(judged.move - 1, review!.reviewer)} />
        ))}
      </ol>
    </section>
  );
}

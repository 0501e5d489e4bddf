/** What can be done at a table besides moving. What cannot be done now is not offered. */

import { t } from "../words";
import type { SeatInfo } from "../wire_types";
import { Sign } from "./sign";

interface ViewerChoice {
  seats: SeatInfo[];
  names: string[];
  me: number;
  now: number;
  change: (seat: number) => void;
}

interface ToolsProps {
  hint: (() => void) | null;
  why: (() => void) | null;
  belief: (() => void) | null;
  believing: boolean;
  review: (() => void) | null;
  reviewing: boolean;
  again: (() => void) | null;
  joins: boolean;
  undo: (() => void) | null;
  branch: (() => void) | null;
  share: () => void;
  guide: () => void;
  keys: () => void;
  viewer: ViewerChoice | null;
}

function Tool({ words, title, act, look = "", pressed }: { words: string; title: string; act: (() => void) | null; look?: string; pressed?: boolean }) {
  if (!act) return null;
  return (
    <button type="button" class={look} title={title} aria-pressed={pressed} onClick={act}>
      {words}
    </button>
  );
}

export function Tools(props: ToolsProps) {
  const { viewer } = props;
  return (
    <div class="tools" role="toolbar" aria-label={t("tools")}>
      <Tool words={t("Hint")} title="h" act={props.hint} />
      <Tool words={t("Why that move?")} title="w" act={props.why} />
      <Tool words={t("Chances")} title="c" act={props.belief} pressed={props.believing} />
      <Tool words={t("Review")} title="r" act={props.review} pressed={props.reviewing} />
      <Tool words={props.joins ? t("Join the next deal") : t("Next deal")} title="n" act={props.again} look="primary" />
      <Tool words={t("Undo")} title="u" act={props.undo} />
      <Tool words={t("Play on from here")} title="b" act={props.branch} />
      <Tool words={t("Share and save")} title="l" act={props.share} />
      {viewer && (
        <label class="seen-by">
          {t("Seen by")}{" "}
          <select value={String(viewer.now)} onChange={(event) => viewer.change(Number(event.currentTarget.value))}>
            {viewer.seats.map((seat) => (
              <option key={seat.seat} value={String(seat.seat)}>
                {seat.seat === viewer.me ? t("me") : viewer.names[seat.seat]}
              </option>
            ))}
          </select>
        </label>
      )}
      <span class="tools-end">
        <Tool words={t("How to play")} title="g" act={props.guide} look="quiet" />
        <button type="button" class="quiet" title="?" onClick={props.keys}>
          <Sign name="keys" /> {t("Keys")}
        </button>
      </span>
    </div>
  );
}

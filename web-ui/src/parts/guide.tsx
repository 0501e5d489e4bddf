/** How to play a game, in a minute: the same text as in the documentation. */

import { useEffect, useState } from "preact/hooks";
import { ask, type Refused } from "../wire";
import type { GameInfo, GuideInfo } from "../wire_types";
import { currentLanguage, t } from "../words";
import { Dialog } from "./dialog";
import { Markdown } from "./markdown";

export function GuideDialog({ game, close }: { game: GameInfo; close: () => void }) {
  const [guide, setGuide] = useState("");
  useEffect(() => {
    const path = `/api/games/${encodeURIComponent(game.name)}/guide?language=${currentLanguage()}`;
    ask<GuideInfo>("GET", path).then(
      (found) => setGuide(found.text),
      (reason: Refused) => setGuide(reason.message),
    );
  }, [game.name]);
  return (
    <Dialog title={game.title} wide close={close}>
      <div class="guide" tabIndex={0}>
        {guide ? <Markdown text={guide} /> : <p class="soft">{t("Loading…")}</p>}
      </div>
    </Dialog>
  );
}

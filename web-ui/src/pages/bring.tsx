/** Bring your own: a record, a world, a tree or a model, opened from a file or written here, checked while one types. */

import type { GameInfo } from "../wire_types";
import { t } from "../words";

export function BringYourOwn({ games }: { games: GameInfo[] }) {
  return (
    <main class="narrow">
      <h1>{t("Bring your own")}</h1>
      <p class="soft">{games.length}</p>
    </main>
  );
}

/** The dialogs of a table's page: sharing, branching, how to play, the keys, and the tree of a small search. */

import type { AtTable } from "../sitting/at_table";
import { t } from "../words";
import { BranchDialog } from "./branch";
import { Dialog } from "./dialog";
import { GuideDialog } from "./guide";
import { KeysDialog } from "./keys";
import { ShareDialog } from "./share";

export function TableDialogs({ at }: { at: AtTable }) {
  const { description, game, sitting, names, dialog } = at;
  const { seats, ply, tree } = sitting;
  const close = () => at.setDialog(null);
  return (
    <>
      {dialog === "share" && (
        <ShareDialog
          description={description}
          seats={seats}
          names={names}
          ply={ply}
          live={at.now}
          over={at.over}
          free={at.free}
          close={close}
        />
      )}
      {dialog === "branch" && game && (
        <BranchDialog
          description={description}
          game={game}
          seats={seats}
          me={at.me}
          ply={ply}
          turn={sitting.frame?.turn ?? 0}
          close={close}
        />
      )}
      {dialog === "guide" && game && <GuideDialog game={game} close={close} />}
      {dialog === "keys" && <KeysDialog close={close} />}
      {tree && (
        <Dialog title={t("The tree of a small search")} wide close={() => sitting.forget("tree")}>
          <p class="soft">{tree.title}</p>
          <div class="tree-picture" tabIndex={0} ref={middle}>
            <img
              src={`data:image/svg+xml;utf8,${encodeURIComponent(tree.svg)}`}
              alt={tree.text}
              onLoad={(event) => middle(event.currentTarget.parentElement)}
            />
          </div>
        </Dialog>
      )}
    </>
  );
}

/** A wide picture is shown from its middle, where its root is. */
function middle(box: HTMLElement | null): void {
  if (box) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
}

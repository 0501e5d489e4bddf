/** Links to a table, and its record to keep. */

import { useState } from "preact/hooks";
import { invitations } from "../memory";
import { type Refused, saveFile } from "../wire";
import { t } from "../words";
import type { TableInfo, SeatInfo } from "../wire_types";
import { Dialog } from "./dialog";

interface ShareProps {
  description: TableInfo;
  seats: SeatInfo[];
  names: string[];
  ply: number;
  live: boolean;
  over: boolean;
  free: boolean;
  close: () => void;
}

function Link({ label, address }: { label: string; address: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <div class="link">
      <label>
        {label}
        <input readOnly value={address} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()}>
        {copied ? t("copied") : t("copy")}
      </button>
    </div>
  );
}

export function ShareDialog({ description, seats, names, ply, live, over, free, close }: ShareProps) {
  const here = `${location.origin}/t/${description.table}`;
  const open = invitations(description.table);
  const [refusal, setRefusal] = useState("");
  const record = `/api/tables/${description.table}/record`;
  const fileName = `${description.game.replace(/^.*\//, "").replace(/\W/g, "_")}-${description.table}`;
  /** Not every game of ours is one by their rules: the server says why. */
  const saveForHanabLive = () => {
    saveFile(`${record}?form=hanab.live`, `${fileName}.hanab.live.json`).then(
      () => setRefusal(""),
      (reason: Refused) => setRefusal(reason.message),
    );
  };
  return (
    <Dialog title={t("Share and save")} close={close}>
      {open.map(({ seat, token }) => (
        <Link
          key={seat}
          label={seats[seat]?.connected ? t("For {name}, who is here", { name: names[seat] ?? "" }) : t("For a friend")}
          address={`${here}?seat=${token}`}
        />
      ))}
      <Link label={t("To look on")} address={here} />
      {!live && <Link label={t("This very moment, move {ply}", { ply })} address={`${here}?ply=${ply}`} />}
      <h3>{t("Record")}</h3>
      {over || free ? (
        <>
          <p class="row">
            <a class="button" href={record} download={`${fileName}.json`}>
              {t("Download our record")}
            </a>
            {description.game === "hanabi" && (
              <button type="button" onClick={saveForHanabLive}>
                {t("Download for hanab.live")}
              </button>
            )}
          </p>
          {refusal && (
            <p class="error" role="alert">
              {refusal}
            </p>
          )}
        </>
      ) : (
        <p class="soft">{t("Until the game is over the record would tell what is hidden. It can be saved then.")}</p>
      )}
    </Dialog>
  );
}

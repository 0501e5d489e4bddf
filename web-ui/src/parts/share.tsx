/** Links to a table, and its record to keep. */

import { useState } from "preact/hooks";
import { invitations } from "../memory";
import type { Description, SeatInfo } from "../wire";
import { Dialog } from "./dialog";

interface ShareProps {
  description: Description;
  seats: SeatInfo[];
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
        {copied ? "copied" : "copy"}
      </button>
    </div>
  );
}

export function ShareDialog({ description, seats, ply, live, over, free, close }: ShareProps) {
  const here = `${location.origin}/t/${description.table}`;
  const open = invitations(description.table);
  const record = `/api/tables/${description.table}/record`;
  return (
    <Dialog title="Share and save" close={close}>
      {open.map(({ seat, token }) => (
        <Link
          key={seat}
          label={`For the friend in seat ${seat}${seats[seat]?.connected ? " (is here)" : ""}`}
          address={`${here}?seat=${token}`}
        />
      ))}
      <Link label="To look on" address={here} />
      {!live && <Link label={`This very moment, move ${ply}`} address={`${here}?ply=${ply}`} />}
      <h3>Record</h3>
      {over || free ? (
        <p class="row">
          <a class="button" href={record} download={`${description.game}-${description.table}.json`}>
            Download
          </a>
          {description.game === "hanabi" && (
            <a
              class="button"
              href={`${record}?form=hanab.live`}
              download={`hanabi-${description.table}.hanab.live.json`}
            >
              In hanab.live's form
            </a>
          )}
        </p>
      ) : (
        <p class="soft">Until the game is over the record would tell what is hidden. It can be saved then.</p>
      )}
    </Dialog>
  );
}

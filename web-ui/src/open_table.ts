/** To the table that was made, with the secrets of its seats. */

import { keepInvitations, keepToken } from "./memory";
import { go } from "./route";
import type { Refused } from "./wire";
import type { NewTableInfo } from "./wire_types";

export async function openTable(made: Promise<NewTableInfo>, fail: (text: string) => void): Promise<void> {
  try {
    const { table, token, invite } = await made;
    if (token) keepToken(table, token);
    keepInvitations(table, invite);
    go(`/t/${table}`);
  } catch (reason) {
    fail((reason as Refused).message);
  }
}

/** Any game: its screen as text. The moves stand in the list below every table. */

import type { TableProps } from "./table";

export function Plain({ screen }: TableProps) {
  return (
    <pre class="screen" tabIndex={0} aria-label="the table as text">
      {screen}
    </pre>
  );
}

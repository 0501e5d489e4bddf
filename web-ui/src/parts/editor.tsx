/** A text area with line numbers, in which findings are marked: at their line, and under the word they are about. */

import type { RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { pieces } from "../own";
import type { FindingInfo } from "../wire_types";

interface EditorProps {
  label: string;
  text: string;
  findings: FindingInfo[];
  area: RefObject<HTMLTextAreaElement | null>;
  change: (text: string) => void;
  drop: (file: File) => void;
}

/** The gravest finding of each line. */
function marks(findings: FindingInfo[]): Map<number, FindingInfo["severity"]> {
  const found = new Map<number, FindingInfo["severity"]>();
  for (const { line, severity } of findings) if (found.get(line) !== "error") found.set(line, severity);
  return found;
}

function Gutter({ lines, findings }: { lines: number; findings: FindingInfo[] }) {
  const marked = useMemo(() => marks(findings), [findings]);
  return (
    <ol>
      {Array.from({ length: lines }, (_, i) => (
        <li key={i} class={marked.has(i + 1) ? `is-${marked.get(i + 1)}` : ""} data-line={marked.has(i + 1) ? i + 1 : undefined}>
          {i + 1}
        </li>
      ))}
    </ol>
  );
}

export function Editor({ label, text, findings, area, change, drop }: EditorProps) {
  const gutter = useRef<HTMLDivElement>(null);
  const underlay = useRef<HTMLPreElement>(null);
  const lines = useMemo(() => text.split("\n").length, [text]);
  const marked = useMemo(() => pieces(text, findings), [text, findings]);
  const follow = () => {
    if (!area.current || !gutter.current || !underlay.current) return;
    gutter.current.scrollTop = underlay.current.scrollTop = area.current.scrollTop;
    underlay.current.scrollLeft = area.current.scrollLeft;
  };
  return (
    <div class="editor">
      <div class="gutter" ref={gutter} aria-hidden="true">
        <Gutter lines={lines} findings={findings} />
      </div>
      <div class="editor-text">
        <pre class="underlay" ref={underlay} aria-hidden="true">
          {marked.map((piece, i) => (piece.severity ? <mark key={i} class={`is-${piece.severity}`}>{piece.text}</mark> : piece.text))}
          {"\n"}
        </pre>
        <textarea
          ref={area}
          wrap="off"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-label={label}
          aria-describedby="findings"
          aria-invalid={findings.some((one) => one.severity === "error")}
          value={text}
          onInput={(event) => change(event.currentTarget.value)}
          onScroll={follow}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            const file = event.dataTransfer?.files[0];
            if (!file) return;
            event.preventDefault();
            drop(file);
          }}
        />
      </div>
    </div>
  );
}

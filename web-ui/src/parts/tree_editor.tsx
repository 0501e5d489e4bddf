/** Changing a tree by hand: the node that was pressed, its value, who moves, its probability, its children. */

import { useState } from "preact/hooks";
import {
  changedAt,
  cleanLabel,
  payoffsIn,
  treeAt,
  withChild,
  withMover,
  without,
  withProbability,
  written,
} from "../teaching";
import type { TreeInfo } from "../wire_types";
import { t } from "../words";

interface TreeEditorProps {
  tree: TreeInfo;
  /** The way to the chosen node; null: none is chosen. */
  path: number[] | null;
  change: (text: string) => void;
}

const numbersIn = (text: string): number[] => text.split(/[\s,]+/).filter(Boolean).map(Number);

export function TreeEditor({ tree, path, change }: TreeEditorProps) {
  const node = path && treeAt(tree, path);
  const apply = (next: TreeInfo) => change(written(next));
  return (
    <section class="panel tree-editor">
      <h2>{t("Change the tree")}</h2>
      {node && path ? (
        <NodeFields key={JSON.stringify([path, node])} tree={tree} node={node} path={path} apply={apply} />
      ) : (
        <p class="soft">{t("Press a node of the picture to change it.")}</p>
      )}
      <TextFields key={written(tree)} text={written(tree)} change={change} />
    </section>
  );
}

interface NodeFieldsProps {
  tree: TreeInfo;
  node: TreeInfo;
  path: number[];
  apply: (next: TreeInfo) => void;
}

function NodeFields({ tree, node, path, apply }: NodeFieldsProps) {
  const players = payoffsIn(tree);
  const above = treeAt(tree, path.slice(0, -1));
  const movers: [string, string][] =
    players === 1
      ? [["A", "MAX"], ["B", "MIN"], ["chance", t("chance")]]
      : [...["A", "B", "C", "D"].slice(0, players).map((one): [string, string] => [one, one]), ["chance", t("chance")]];
  const setValue = (text: string) => {
    const payoffs = numbersIn(text);
    if (payoffs.length === players && payoffs.every(Number.isFinite))
      apply(changedAt(tree, path, (one) => ({ ...one, payoffs })));
  };
  return (
    <div class="fields">
      {node.mover === "" ? (
        <label>
          {t("payoff")}
          <input
            class="leaf-value"
            value={node.payoffs.join(" ")}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        </label>
      ) : (
        <label>
          {t("who moves")}
          <select
            class="mover"
            value={node.mover}
            onChange={(event) => apply(withMover(tree, path, event.currentTarget.value))}
          >
            {movers.map(([mover, words]) => (
              <option key={mover} value={mover}>
                {words}
              </option>
            ))}
          </select>
        </label>
      )}
      {path.length > 0 && (
        <label>
          {t("label")}
          <input
            value={node.label}
            onChange={(event) => {
              const label = cleanLabel(event.currentTarget.value);
              apply(changedAt(tree, path, (one) => ({ ...one, label })));
            }}
          />
        </label>
      )}
      {path.length > 0 && above?.mover === "chance" && (
        <label>
          {t("probability")}
          <input
            type="number"
            min="0"
            max="1"
            step="any"
            value={node.probability}
            onChange={(event) => apply(withProbability(tree, path, Number(event.currentTarget.value)))}
          />
        </label>
      )}
      <p class="row">
        <button type="button" class="add-child" onClick={() => apply(withChild(tree, path))}>
          {t("Add a child")}
        </button>
        <button type="button" disabled={path.length === 0} onClick={() => apply(without(tree, path))}>
          {t("Take it out")}
        </button>
      </p>
    </div>
  );
}

function TextFields({ text, change }: { text: string; change: (text: string) => void }) {
  const [draft, setDraft] = useState(text);
  return (
    <details>
      <summary>{t("The tree as text")}</summary>
      <textarea
        rows={8}
        aria-label={t("The tree as text")}
        value={draft}
        spellcheck={false}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      <button type="button" disabled={draft === text} onClick={() => change(draft)}>
        {t("Draw this")}
      </button>
    </details>
  );
}

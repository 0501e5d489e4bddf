/** A tree of moves: leaves side by side, the way that was gone drawn thick. */

import { t } from "../../words";
import type { MoveTree, TreeNode } from "../../wire_types";
import { pressable, type Pressing } from "./pressing";

const STEP = 52;
const LEVEL = 84;
const RADIUS = 17;
const MOVERS = "ABCD";

interface Placed extends TreeNode {
  x: number;
  level: number;
}

/** Where each node stands: parents over the middle of their children. */
export function placed(nodes: TreeNode[]): Placed[] {
  const children = nodes.map(() => [] as number[]);
  nodes.forEach((node, i) => {
    if (node.parent >= 0) children[node.parent]!.push(i);
  });
  const found: Placed[] = nodes.map((node) => ({ ...node, x: 0, level: 0 }));
  let leaves = 0;
  const settle = (i: number, level: number): number => {
    const mine = found[i]!;
    mine.level = level;
    const xs = children[i]!.map((child) => settle(child, level + 1));
    mine.x = xs.length > 0 ? (xs[0]! + xs.at(-1)!) / 2 : leaves++;
    return mine.x;
  };
  if (nodes.length > 0) settle(0, 0);
  return found;
}

function outline(node: TreeNode): string {
  if (node.mover === -2) return t("chance");
  return node.mover < 0 ? node.value : t("{player} moves", { player: MOVERS[node.mover] ?? "?" });
}

export function TreeBlock({ tree, pressing, advised }: { tree: MoveTree; pressing: Pressing; advised: string[] }) {
  const nodes = placed(tree.nodes);
  const wide = STEP * (Math.max(0, ...nodes.map((node) => node.x)) + 1) + 20;
  const tall = LEVEL * (Math.max(0, ...nodes.map((node) => node.level)) + 1);
  const at = (node: Placed): [number, number] => [30 + node.x * STEP, 30 + node.level * LEVEL];
  return (
    <div class="tree-scroll" tabIndex={0}>
      <svg viewBox={`0 0 ${wide} ${tall}`} style={{ minWidth: `${Math.min(wide, 900)}px` }} class="move-tree" role="group" aria-label={tree.title}>
        {nodes.map((node, i) => {
          if (node.parent < 0) return null;
          const [x, y] = at(node);
          const [px, py] = at(nodes[node.parent]!);
          return (
            <g key={`road ${i}`}>
              <line x1={px} y1={py} x2={x} y2={y} class={`branch ${node.passed ? "passed" : ""}`} />
              {node.label && (
                <text x={(x + px) / 2 + (x < px ? -8 : 8)} y={(y + py) / 2} class="branch-name">
                  {node.label}
                </text>
              )}
            </g>
          );
        })}
        {nodes.map((node) => {
          const [x, y] = at(node);
          const move = pressing.movesOf(node.name)[0];
          const looks = `node ${node.here ? "here" : ""} ${node.passed ? "passed" : ""} ${move ? "reachable" : ""} ${advised.includes(node.name) ? "advised" : ""}`;
          return (
            <g
              key={node.name}
              class={looks}
              transform={`translate(${x} ${y})`}
              {...pressable(outline(node), move ? () => pressing.press(node.name) : null, move?.action)}
            >
              {node.mover >= 0 && <circle r={RADIUS} />}
              {node.mover === -2 && <path d={`M0 ${-RADIUS} ${RADIUS} 0 0 ${RADIUS} ${-RADIUS} 0Z`} />}
              {node.mover === -1 && <rect x={-RADIUS} y={-RADIUS + 4} width={2 * RADIUS} height={2 * RADIUS - 8} rx="4" />}
              <text y="5">{node.mover >= 0 ? MOVERS[node.mover] : node.mover === -1 ? node.value : ""}</text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

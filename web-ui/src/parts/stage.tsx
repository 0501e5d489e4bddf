/** The tree of a search on the page: the server's picture, of which every step changes a few nodes. */

import { useEffect, useRef } from "preact/hooks";
import { kindOf } from "../teaching";
import type { Change, Shape } from "../wire_types";
import { t } from "../words";

export interface Marks {
  /** The node where something happens. */
  at: number;
  line: number[];
  chosen: number | null;
  right: number[];
  wrong: number[];
}

interface StageProps {
  svg: string;
  nodes: Shape[];
  shown: Change[];
  marks: Marks;
  zoom: number;
  choose: (node: number) => void;
}

function looks(shape: Shape, change: Change, marks: Marks): string {
  const words = ["node", kindOf(shape.who), change.look];
  if (marks.line.includes(change.node) && change.look !== "cut") words.push("best");
  if (marks.at === change.node) words.push("now");
  if (marks.chosen === change.node) words.push("chosen");
  if (marks.right.includes(change.node)) words.push("right");
  if (marks.wrong.includes(change.node)) words.push("wrong");
  return words.join(" ");
}

export function Stage({ svg, nodes, shown, marks, zoom, choose }: StageProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    frame.current!.innerHTML = svg; // made by the server, which writes every text of others escaped
  }, [svg]);
  useEffect(() => {
    const picture = frame.current!.querySelector("svg");
    if (picture) picture.style.width = `${picture.viewBox.baseVal.width * zoom}px`;
    if (picture) picture.style.height = "auto";
  }, [svg, zoom]);
  useEffect(() => {
    shown.forEach((change, i) => {
      const look = looks(nodes[i]!, change, marks);
      for (const id of [`n${i}`, `r${i}`]) {
        const group = frame.current!.querySelector(`#${id}`);
        if (group && group.getAttribute("class") !== look) group.setAttribute("class", look);
      }
      const group = frame.current!.querySelector(`#n${i}`);
      const value = group?.querySelector(nodes[i]!.who === "MORE" ? ".small" : ".value");
      if (value && value.textContent !== change.value) value.textContent = change.value;
      const note = group?.querySelector(".note");
      if (note && note.textContent !== change.note) note.textContent = change.note;
      group?.querySelector(".under")?.setAttribute("visibility", change.note ? "visible" : "hidden");
    });
    const here = frame.current!.querySelector(`#n${marks.at}`);
    const outer = frame.current!;
    if (here) {
      const box = here.getBoundingClientRect();
      const view = outer.getBoundingClientRect();
      if (box.left < view.left || box.right > view.right) outer.scrollLeft += box.left - view.left - view.width / 2;
      if (box.top < view.top || box.bottom > view.bottom) outer.scrollTop += box.top - view.top - view.height / 2;
    }
  }, [svg, nodes, shown, marks]);
  const press = (event: MouseEvent) => {
    const group = (event.target as Element).closest("g.node");
    const number = Number(group?.id.slice(1) ?? Number.NaN);
    if (Number.isInteger(number) && nodes[number] && nodes[number]!.who !== "MORE") choose(number);
  };
  return <div class="stage" ref={frame} tabIndex={0} role="group" aria-label={t("the tree")} onClick={press} />;
}

/** Things that move are seen to move: each element named by `data-thing` glides from where it was to where it is, and a
new one comes from the place (`data-seat`) of whoever moved. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { pace } from "./memory";

const MILLISECONDS = 320;

type Places = Map<string, DOMRect>;

const still = (): boolean => pace() === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;

function placesIn(box: HTMLElement): Places {
  const found: Places = new Map();
  for (const element of box.querySelectorAll<HTMLElement>("[data-thing]")) {
    const name = element.dataset.thing!;
    if (!found.has(name)) found.set(name, element.getBoundingClientRect());
  }
  return found;
}

function glide(element: Element, from: DOMRect, to: DOMRect, appears: boolean): void {
  const dx = from.x + from.width / 2 - to.x - to.width / 2;
  const dy = from.y + from.height / 2 - to.y - to.height / 2;
  if (Math.abs(dx) < 2 && Math.abs(dy) < 2) return;
  const start = { transform: `translate(${dx}px, ${dy}px)`, opacity: appears ? 0.3 : 1, zIndex: 5 };
  element.animate([start, { transform: "none", opacity: 1, zIndex: 5 }], { duration: MILLISECONDS, easing: "ease-out" });
}

/** Animate the difference whenever `moment` changes; `mover` has made the move between. */
export function useMotion(moment: string, mover: number) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef<{ moment: string; places: Places }>({ moment: "", places: new Map() });
  useLayoutEffect(() => {
    if (!box.current) return;
    const now = placesIn(box.current);
    const was = before.current;
    before.current = { moment, places: now };
    if (was.moment === moment || was.places.size === 0 || still()) return;
    const home = box.current.querySelector(`[data-seat="${mover}"]`)?.getBoundingClientRect();
    for (const element of box.current.querySelectorAll<HTMLElement>("[data-thing]")) {
      const name = element.dataset.thing!;
      const from = was.places.get(name) ?? home;
      const to = now.get(name);
      if (from && to) glide(element, from, to, !was.places.has(name));
    }
  });
  return box;
}

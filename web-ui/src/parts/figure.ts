/** A drawing of the page as an SVG file of its own: what the style sheets say is written into it. */

const WRITTEN = ["fill", "stroke", "stroke-width", "fill-opacity", "font-size", "font-family", "text-anchor"];

/** The drawing as the text of a file. */
export function figureText(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(originals[i]!);
    for (const name of WRITTEN) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
    element.removeAttribute("style");
  });
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}

export function saveFigure(drawing: SVGSVGElement, name: string): void {
  const link = document.createElement("a");
  link.href = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(figureText(drawing))}`;
  link.download = `${name}.svg`;
  link.click();
}

import { type IconName, iconShapes } from "./iconShapes.ts";

const NAMESPACE = "http://www.w3.org/2000/svg";

/** A 16×16 line icon in the colour of the text around it, hidden from screen readers: a word always stands beside it. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(NAMESPACE, "path");
  path.setAttribute("d", iconShapes[name]);
  svg.append(path);
  return svg;
}

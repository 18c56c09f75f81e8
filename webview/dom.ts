import { type IconName, iconShapes } from "./iconShapes.ts";

/** What `h` sets on a new element besides its children. */
export interface ElementProps {
  readonly class?: string;
  readonly title?: string;
  readonly hidden?: boolean;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly onClick?: () => void;
}

/** Makes an element. Strings become text nodes, never markup; null children are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: ElementProps = {},
  ...children: readonly (Node | string | null)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (props.class !== undefined) element.className = props.class;
  if (props.title !== undefined) element.title = props.title;
  if (props.hidden) element.hidden = true;
  for (const [name, value] of Object.entries(props.attributes ?? {}))
    element.setAttribute(name, value);
  if (props.onClick) element.addEventListener("click", props.onClick);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/**
 * Sets the text of `element` unless it is the same already: an unchanged row causes no layout and
 * no announcement.
 */
export function setText(element: Node, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * A 16×16 line icon in the color of the text around it, hidden from screen readers: a word always
 * stands beside it.
 */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", iconShapes[name]);
  svg.append(path);
  return svg;
}

/** A ring that is filled to a percentage, hidden from screen readers. */
export function ring(): { readonly element: SVGSVGElement; update(percent: number): void } {
  const element = document.createElementNS(SVG, "svg");
  element.setAttribute("viewBox", "0 0 16 16");
  element.setAttribute("class", "icon ring");
  element.setAttribute("aria-hidden", "true");
  const [whole, filled] = [
    document.createElementNS(SVG, "circle"),
    document.createElementNS(SVG, "circle"),
  ];
  for (const circle of [whole, filled])
    for (const [name, value] of RING) circle.setAttribute(name, value);
  element.append(whole, filled);
  return {
    element,
    update: (percent) => filled.setAttribute("stroke-dasharray", `${percent} 100`),
  };
}

const RING = Object.entries({
  cx: "8",
  cy: "8",
  r: "5.5",
  pathLength: "100",
  transform: "rotate(-90 8 8)",
});

/** An ARIA live region. Sentences announced in one frame are read together. */
export class LiveRegion {
  readonly element = h("div", {
    class: "hidden-word",
    attributes: { "aria-live": "polite", role: "status" },
  });
  private pending: string[] = [];

  announce(sentence: string): void {
    this.pending.push(sentence);
    if (this.pending.length > 1) return;
    // Screen readers read a region when it changes; a repeated sentence needs an empty moment
    // between.
    this.element.textContent = "";
    requestAnimationFrame(() => {
      this.element.textContent = this.pending.join(" ");
      this.pending = [];
    });
  }
}

/**
 * Gives `parent` these children, and takes none of them away for a moment: a button keeps the focus,
 * and a click that has begun.
 */
export function keepChildren(parent: HTMLElement, children: readonly HTMLElement[]): void {
  for (const child of [...parent.children])
    if (!children.some((each) => each === child)) child.remove();
  for (const [at, child] of children.entries())
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
}

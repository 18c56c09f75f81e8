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
  for (const [name, value] of Object.entries(props.attributes ?? {})) element.setAttribute(name, value);
  if (props.onClick) element.addEventListener("click", props.onClick);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** Sets the text of `element` unless it is the same already, so that an unchanged row causes no work for layout or screen readers. */
export function setText(element: Node, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

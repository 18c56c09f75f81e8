/** Stands in for the attribute `style` in markup, until the property is set. */
const HELD = "data-held-style";

/**
 * Lets a library style what it draws under a policy that wants a nonce on style sheets, and styles
 * that are set by properties. Only for a frame of its own.
 */
export function allowStyles(nonce: string): void {
  const { createElement, createElementNS } = document;
  const mark = <T extends Element>(element: T): T => {
    if (element instanceof HTMLStyleElement || element instanceof SVGStyleElement)
      element.nonce = nonce;
    return element;
  };
  Object.assign(document, {
    createElement: (name: string, options?: ElementCreationOptions) =>
      mark(createElement.call(document, name, options)),
    createElementNS: (space: string | null, name: string) =>
      mark(createElementNS.call(document, space, name)),
  });
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    if (name === "style" && canStyle(this)) this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
  const hold = (markup: string) =>
    markup
      .replace(/<style\b/gi, `<style nonce="${nonce}"`)
      .replace(/(<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*?\s)style(?=\s*=)/gi, `$1${HELD}`);
  const inner = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
  if (inner?.set)
    Object.defineProperty(Element.prototype, "innerHTML", {
      ...inner,
      set(this: Element, markup: unknown) {
        inner.set?.call(this, hold(String(markup)));
        release(this);
      },
    });
  const { parseFromString } = DOMParser.prototype;
  DOMParser.prototype.parseFromString = function (markup, type) {
    const parsed = parseFromString.call(this, hold(String(markup)), type);
    release(parsed);
    return parsed;
  };
}

function canStyle(element: Element): element is Element & ElementCSSInlineStyle {
  return "style" in element;
}

function release(root: ParentNode): void {
  for (const element of root.querySelectorAll(`[${HELD}]`)) {
    if (canStyle(element)) element.style.cssText = element.getAttribute(HELD) ?? "";
    element.removeAttribute(HELD);
  }
}

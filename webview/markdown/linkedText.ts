import { h } from "../dom.ts";
import { splitAddresses } from "./linkTarget.ts";

/** Plain text whose web addresses are links, which `followLinks` follows. */
export function linkedText(text: string): readonly (Node | string)[] {
  return splitAddresses(text).map(({ text: shown, url }) => {
    if (url === null) return shown;
    const link = h(
      "a",
      { class: "link", title: url, attributes: { role: "link", tabindex: "0" } },
      shown,
    );
    link.dataset.url = url;
    return link;
  });
}

/** Sets the text of `element` with links for its web addresses, unless it is the same already. */
export function setLinkedText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.replaceChildren(...linkedText(text));
}

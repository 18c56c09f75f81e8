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

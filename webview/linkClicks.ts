import type { PanelContext } from "./panelContext.ts";

/** Turns clicks and Enter on the links of answers, which have no address of their own, into messages to the host. */
export function followLinks(root: HTMLElement, context: PanelContext): void {
  const follow = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a.link") : null;
    if (!link) return;
    event.preventDefault();
    const { url, path, line } = link.dataset;
    if (url !== undefined) context.post({ type: "open-link", url });
    else if (path !== undefined) context.post({ type: "open-file", path, line: line === undefined ? null : Number(line) });
  };
  root.addEventListener("click", follow);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter") follow(event);
  });
}

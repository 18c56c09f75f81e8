import type { Token } from "marked";

/** A part of HTML that folds: its begin, its title, its end, or Markdown in it. */
export type FoldPart =
  | { readonly type: "fold-open"; readonly isOpen: boolean }
  | { readonly type: "fold-title"; readonly text: string }
  | { readonly type: "fold-close" }
  | { readonly type: "fold-text"; readonly text: string };

const TAG = /<details(\s+open(?:="[^"]*")?)?\s*>|<\/details\s*>|<summary\s*>|<\/summary\s*>/gi;

/** True for a block of HTML that begins or ends `<details>`. */
export function isFold(token: Token): boolean {
  return token.type === "html" && /^\s*<\/?(?:details|summary)[\s>]/i.test(token.raw);
}

/** The parts of a block of HTML, in order. Other HTML in it is part of its Markdown. */
export function foldParts(html: string): FoldPart[] {
  const parts: FoldPart[] = [];
  let at = 0;
  let inTitle = false;
  const add = (text: string) => {
    if (text.trim() === "") return;
    parts.push(
      inTitle
        ? { type: "fold-title", text: text.trim() }
        : { type: "fold-text", text: `${text}\n` },
    );
  };
  for (const { 0: tag, 1: open, index } of html.matchAll(TAG)) {
    add(html.slice(at, index));
    at = index + tag.length;
    const name = tag.toLowerCase();
    inTitle = name.startsWith("<summary");
    if (name.startsWith("<details")) parts.push({ type: "fold-open", isOpen: open !== undefined });
    else if (name.startsWith("</details")) parts.push({ type: "fold-close" });
  }
  add(html.slice(at));
  return parts;
}

/** What folds as plain text, while more of it arrives. */
export function foldText(html: string): string {
  return html.replace(TAG, " ").trim();
}

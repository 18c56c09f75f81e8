import type { Neighbors } from "../drafts/lineChange.ts";
import type { LinesAround } from "../guards/whitespaceWarnings.ts";

/** The lines of a text, without an empty one after a final line break. */
export function linesOfText(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/(?:\r\n|\r|\n)$/, "").split(/\r\n|\n|\r/);
}

/** The lines around a place; `head` is the text up to it, as earlier blocks leave it. */
export function linesAround({ textsAbove, textsBelow }: Neighbors, head: string): LinesAround["around"] {
  const [textAbove, textBelow] = [textsAbove[0] ?? null, textsBelow[0] ?? null];
  const text = head.trimEnd();
  const above = text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
  return { textAbove, textBelow, newAbove: above === "" || above === textAbove?.trimEnd() ? null : above };
}

import type { Neighbors } from "../drafts/lineChange.ts";
import type { LinesAround } from "../guards/whitespaceRules.ts";

/** The lines of a text, without an empty one after a final line break. */
export function linesOfText(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/(?:\r\n|\r|\n)$/, "").split(/\r\n|\n|\r/);
}

/** The lines around a place. */
export function linesAround({
  textsAbove,
  textsBelow,
  standingAbove: above,
}: Neighbors): LinesAround["around"] {
  const [textAbove, textBelow] = [textsAbove[0] ?? null, textsBelow[0] ?? null];
  return {
    textAbove,
    textBelow,
    newAbove: above === "" || above === textAbove?.trimEnd() ? null : above,
  };
}

import { textLines } from "../../base/text/lines.ts";
import type { LineSpan } from "../../ports/editorState.ts";

/** A line as agents number it: `12\t`, `12→`, `00012| `, `12: `. */
const NUMBERED = /^\s*(\d{1,7})(?:\t|→|\| ?|: )(.*)$/;

/**
 * The lines of `text` that what an agent's tool gave proves to be shown: those it has under their
 * number, or all where it holds the whole text. 1-based and inclusive.
 */
export function linesShown(text: string, output: string): readonly LineSpan[] {
  const lines = textLines(text).map((line) => line.text);
  const plain = output.replaceAll("\r\n", "\n");
  const whole = lines.join("\n").trimEnd();
  if (whole !== "" && `\n${plain}\n`.includes(`\n${whole}\n`))
    return [{ first: 1, last: lines.length }];
  const spans: { first: number; last: number }[] = [];
  for (const line of plain.split("\n")) {
    const [, number = "", shown] = NUMBERED.exec(line) ?? [];
    const at = Number(number);
    if (shown === undefined || lines[at - 1] !== shown) continue;
    const open = spans.at(-1);
    if (open && open.last + 1 === at) open.last = at;
    else spans.push({ first: at, last: at });
  }
  return spans;
}

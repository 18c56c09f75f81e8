import type { EditBlock } from "./editBlock.ts";

/** A replacement in UTF-16 offsets, half-open. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Replacements as line blocks, one for each run of neighbouring lines. They are sorted, do not overlap, and hold no line breaks. */
export function lineBlocks(text: string, edits: readonly Replacement[]): readonly EditBlock[] {
  const lines = text.split("\n");
  const changed = new Map<number, string>();
  let lineStart = 0;
  let next = 0;
  lines.forEach((line, index) => {
    let rewritten = "";
    let copied = 0;
    for (let edit = edits[next]; edit && edit.start <= lineStart + line.length; edit = edits[++next]) {
      rewritten += line.slice(copied, edit.start - lineStart) + edit.newText;
      copied = edit.end - lineStart;
      changed.set(index, "");
    }
    if (changed.has(index)) changed.set(index, rewritten + line.slice(copied));
    lineStart += line.length + 1;
  });
  const blocks: EditBlock[] = [];
  for (const index of changed.keys()) {
    if (changed.has(index - 1)) continue;
    const body: string[] = [];
    for (let line = changed.get(index); line !== undefined; line = changed.get(index + body.length)) body.push(line);
    blocks.push({ address: `${index + 1}:${index + body.length}`, body: body.join("\n") });
  }
  return blocks;
}

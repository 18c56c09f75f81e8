import { numberLines, splitLines, type TextLine } from "../base/text.ts";
import type { FileSnapshot } from "../ports/workspace.ts";
import { outlineText } from "../syntax/outlineText.ts";
import type { SyntaxDocument } from "../syntax/syntaxTypes.ts";
import type { EditMode } from "./blockCapture.ts";
import { blockFormat } from "./blockFormat.ts";
import type { LineNumbersParameter } from "./modeMessages.ts";

/** How much of the file, and of its outline, the answer holds, in UTF-16 units. */
const TEXT_BUDGET = 48_000;
const OUTLINE_BUDGET = 8_000;
const MAX_LINE_LENGTH = 4_000;

/** What a session was opened with. */
export interface Activation {
  readonly snapshot: FileSnapshot;
  readonly mode: EditMode;
  readonly useLineNumbers: LineNumbersParameter;
  readonly document: SyntaxDocument | null;
  /** True when the numbered text belongs into the answer in any mode. */
  readonly withText: boolean;
}

/** What the model is told when edit mode is on: the file, the mode, the format of a block, the addresses, and how to end. */
export function activationText(activation: Activation): string {
  const { snapshot, document } = activation;
  const { path } = snapshot.file;
  const lines = splitLines(snapshot.text.replace(/^\uFEFF/, ""));
  const state = snapshot.exists
    ? `exists, ${lines.length} ${lines.length === 1 ? "line" : "lines"}`
    : "does not exist yet and will be created";
  // Without a grammar there is nothing but lines to ask for.
  const asked = activation.mode ?? (document ? null : "lines");
  const parts = [`Edit mode is on for ${path} (${state}). ${modeLine(activation)}`, blockFormat(asked, path)];
  if (document && activation.mode !== "lines" && activation.mode !== "complete") parts.push(outlinePart(document));
  if (snapshot.exists && (asked === "lines" || activation.withText)) parts.push(numberedText(path, lines));
  parts.push("End your message to apply the changes; you are then told what became of each.");
  return parts.join("\n\n");
}

function modeLine({ mode, useLineNumbers, document }: Activation): string {
  if (mode === "complete") return "Mode: complete file.";
  if (mode === "lines") return "Mode: line numbers (use_line_numbers=true).";
  if (mode === "ast") return "Mode: AST paths (use_line_numbers=false).";
  if (useLineNumbers === undefined && document) return "Mode: AST paths preferred (use_line_numbers not set).";
  return "There is no grammar for this kind of file, so AST paths do not work in it. Use line numbers.";
}

function outlinePart(document: SyntaxDocument): string {
  const entries = document.outline();
  if (entries.length === 0) return "The file has no elements yet; `@imports` and `@file` can be addressed.";
  return `Outline (AST paths):\n${outlineText(entries, OUTLINE_BUDGET)}`;
}

/** The head line `path (lines A-B of N)`, then numbered lines as `read_file` gives them. */
function numberedText(path: string, lines: readonly TextLine[]): string {
  const shown: string[] = [];
  let left = TEXT_BUDGET;
  for (const { text } of lines) {
    const clipped =
      text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}… [line cut off: ${text.length} characters in all]` : text;
    const line = numberLines([{ text: clipped, eol: "" }], shown.length + 1);
    left -= line.length + 1;
    if (left < 0 && shown.length > 0) break;
    shown.push(line);
  }
  const head = `${path} (lines 1-${shown.length} of ${lines.length})`;
  const rest = shown.length < lines.length ? [`[Cut off after line ${shown.length}; the file has ${lines.length} lines.]`] : [];
  return [head, ...shown, ...rest].join("\n");
}

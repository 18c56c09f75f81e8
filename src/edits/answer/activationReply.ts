import { textLines } from "../../base/text/lines.ts";
import { pluralize } from "../../base/text/sentence.ts";
import type { FileSnapshot } from "../../ports/workspace.ts";
import { outlineText } from "../../syntax/outline/outlineText.ts";
import type { SyntaxDocument } from "../../syntax/syntax.ts";
import { numberedLines } from "../../tools/files/numberedLines.ts";
import { proposalNotes } from "../../tools/files/proposalNotes.ts";
import type { ViewedFiles } from "../../tools/files/viewedFiles.ts";
import { parameterText } from "../../turns/blockMessages.ts";
import { blockFormat } from "./blockFormat.ts";
import type { AddressFormat, LineNumbersParameter } from "./captureOptions.ts";

/** Maximum length of the outline in the reply, in UTF-16 units. */
const OUTLINE_BUDGET = 8_000;

const NEW_NUMBERS =
  "The file may have changed since you last saw it. Line numbers refer to the text below.";
const OLD_NUMBERS =
  "The file may have changed since you last saw it. Read it again before you use line numbers.";

const SAME_LINES =
  "Line numbers refer to the lines as you read them; the file has not changed since.";
const SAME_OUTLINE = "Outline (AST paths): as you read it; the file has not changed since.";

/** What a session was opened with. */
export interface Activation {
  readonly snapshot: FileSnapshot;
  readonly mode: AddressFormat;
  /** As it was given. */
  readonly useLineNumbers: LineNumbersParameter;
  readonly document: SyntaxDocument | null;
  /** Why there is no document; "" when there is one. */
  readonly noOutline: string;
  /** Other files that are in edit mode. */
  readonly otherFiles: readonly string[];
  /** True when the reply holds the numbered text in any mode. */
  readonly withText: boolean;
  /** What the model has seen before. */
  readonly shown: ViewedFiles;
  readonly turnId: string;
}

/** The reply to the model, and how many of the file's lines it shows, from the first one. */
export interface ActivationReply {
  readonly text: string;
  readonly shownLines: number;
}

/** Tells the model that edit mode is on, for which file, and how to write and address blocks. */
export function activationReply(activation: Activation): ActivationReply {
  const { snapshot, document, shown, turnId } = activation;
  const { path } = snapshot.file;
  const text = snapshot.text.replace(/^\uFEFF/, "");
  const lines = textLines(text);
  const state = snapshot.exists
    ? `exists, ${pluralize(lines.length, "line")}`
    : "does not exist yet and will be created";
  // Without a grammar only lines can be addressed.
  const asked = activation.mode ?? (document ? null : "lines");
  const { otherFiles } = activation;
  const named = otherFiles.length > 0;
  const also = named
    ? ` Still in edit mode: ${otherFiles.join(", ")}. From now on, end each opener with its file's path.`
    : "";
  const parts = [
    `Edit mode is on for ${path} (${state}). ${modeLine(activation)}${also}`,
    blockFormat(asked, path, named),
    ...proposalNotes(snapshot),
  ];
  if (document && activation.mode !== "lines" && activation.mode !== "complete")
    parts.push(outlinePart(document, activation));
  const wantsLines = snapshot.exists && (asked === "lines" || activation.withText);
  const numbered =
    wantsLines && !shown.showsAll(path, turnId, text)
      ? numberedLines(
          path,
          lines,
          { first: 1, last: lines.length },
          (end) => `Cut off after line ${end}; the file has ${lines.length} lines.`,
        )
      : null;
  const seen = shown.latest(path, turnId);
  if (seen && snapshot.exists && seen.text !== text)
    parts.push(numbered ? NEW_NUMBERS : OLD_NUMBERS);
  if (numbered) parts.push(numbered.text);
  else if (wantsLines) parts.push(SAME_LINES);
  parts.push("End your message to propose the changes; you then get a report on each.");
  return { text: parts.join("\n\n"), shownLines: numbered?.last ?? 0 };
}

function modeLine({ mode, useLineNumbers, document, noOutline }: Activation): string {
  if (mode === "complete") return "Mode: complete file.";
  const given = `(${parameterText(useLineNumbers ?? null)})`;
  if (mode === "lines") return `Mode: line numbers ${given}.`;
  if (mode === "ast") return `Mode: AST paths ${given}.`;
  if (document) return `Mode: AST paths preferred ${given}.`;
  return `Mode: line numbers ${given}. ${noOutline}`;
}

function outlinePart(document: SyntaxDocument, { snapshot, shown, turnId }: Activation): string {
  const { path } = snapshot.file;
  const entries = document.outline();
  if (entries.length === 0)
    return "The file has no elements yet; `@imports` and `@file` can be addressed.";
  const repeats = shown.outlined(
    path,
    turnId,
    outlineText(entries, Number.POSITIVE_INFINITY),
    OUTLINE_BUDGET,
  );
  // A clipped outline keeps the elements near the lines that the model saw last.
  const seen = shown.latest(path, turnId);
  const near = seen && seen.last >= seen.first ? seen : null;
  return repeats
    ? SAME_OUTLINE
    : `Outline (AST paths):\n${outlineText(entries, OUTLINE_BUDGET, near)}`;
}

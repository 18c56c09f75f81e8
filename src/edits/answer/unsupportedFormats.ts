import { isAddress } from "../../base/text/fenceOpener.ts";
import type { FenceEvent } from "../../base/text/fenceScanner.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import { squeezed } from "../text/lineChecks.ts";
import type { BlockClaims } from "./captureOptions.ts";
import { firstLineName, NAME, nameInLine, namesInInfo } from "./fileNames.ts";

/** What looks like an edit but is in no form of one. */
export interface UnsupportedFormat {
  readonly form: (BlockReason & { readonly code: "other-form" })["form"];
  /** Its first line. */
  readonly line: string;
  /** In the message, in UTF-16 units. */
  readonly start: number;
  /** The path of the file in edit mode that it names; null for none. */
  readonly file: string | null;
}

type Claims = Pick<BlockClaims, "isCaptured" | "openFile" | "baseTexts">;

/** A code block of a message, with its place in it in UTF-16 units. */
export interface Fenced {
  readonly info: string;
  readonly above: string;
  readonly start: number;
  readonly end: number;
  readonly closed: boolean;
  readonly lines: string[];
}

/** Adds to the code blocks of a message what a scanner found next. */
export function addFenced(blocks: Fenced[], events: readonly FenceEvent[]): void {
  for (const event of events) {
    const last = blocks.at(-1);
    if (event.type === "open")
      blocks.push({ ...event, end: event.start, closed: false, lines: [] });
    else if (event.type === "line") last?.lines.push(event.text);
    else if (event.type !== "supposed-close" && last)
      blocks.splice(-1, 1, { ...last, end: event.end, closed: event.type === "close" });
  }
}

interface Line {
  readonly text: string;
  readonly start: number;
}

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
/** A fence that does not begin its line. */
const AFTER_TEXT = /[^\s`~](?: *)(?:`{3,}|~{3,})([^`~]+)$/;
const SEARCH = /^\s*<{5,9} ?(?:SEARCH|ORIGINAL|OLD)\b/i;
const REPLACE = /^\s*>{5,9} ?(?:REPLACE|UPDATED|NEW)\b/i;
/** Lines as a heading names them: `Lines 4-7`, `src/a.ts (line 12)`. */
const LINES_IN_WORDS = new RegExp(
  `^(?:(?:replace|change|update|edit|in) )?(?:${NAME}[\\s,:(]+)?lines? \\d+(?:\\s*(?:[-–—:,]|to|through|and)\\s*\\d+)?\\)?$`,
  "i",
);
const HUNK = /^\s*(?:@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|\*\*\* (?:Update|Add|Delete) File: )/;

/**
 * Finds what looks like an edit but was not captured: with an address, the name of a file in edit
 * mode, or the marks of another format. `blocks` are all code blocks of the message.
 */
export function unsupportedFormats(
  message: string,
  blocks: readonly Fenced[],
  claims: Claims,
): readonly UnsupportedFormat[] {
  const found: UnsupportedFormat[] = [];
  const isCaptured = blocks.map(({ info, above }) => claims.isCaptured(info, above));
  const bodies = blocks
    .filter((_, index) => isCaptured[index])
    .map(({ lines }) => squeezed(lines.join("\n")));
  let at = 0;
  for (const [index, block] of blocks.entries()) {
    found.push(...inText(message, at, block.start));
    if (!isCaptured[index]) found.push(...inBlock(block, message, claims, bodies));
    at = block.end;
  }
  return [...found, ...inText(message, at, message.length)];
}

/** The form of an edit that a body is written in, instead of being the new text; null for none. */
export function formOfBody(body: readonly string[], old: string): "search-replace" | "diff" | null {
  const written = body.filter((line) => line.trim() !== "" && !/^(?:---|\+\+\+) /.test(line));
  const [first = ""] = written;
  if (SEARCH.test(first) && REPLACE.test(written.at(-1) ?? "") && !/^\s*<{5,9}/m.test(old))
    return "search-replace";
  return HUNK.test(first) && !/^@@ /m.test(old) ? "diff" : null;
}

/** What stands between blocks: a fence that opens none, and the marks of other formats. */
function inText(message: string, from: number, to: number): readonly UnsupportedFormat[] {
  const found: UnsupportedFormat[] = [];
  let closing: RegExp | null = null;
  for (const { text, start } of linesFrom(message.slice(from, to), from)) {
    if (closing) {
      if (closing.test(text)) closing = null;
      continue;
    }
    const quoted = /^\s*(?:>\s?)+/.exec(text)?.[0];
    const [, marks = "", info = ""] =
      FENCE.exec(quoted === undefined ? text : text.slice(quoted.length)) ?? [];
    const entry = { line: text.trim(), start, file: null };
    if (marks !== "" && isAddress(info.trim())) {
      const isOneLine = quoted === undefined && /^ {0,3}\S/.test(text);
      // Inline code with text after it only mentions the form.
      if (isOneLine && !/`{3,}\s*$/.test(info)) continue;
      found.push({
        ...entry,
        form: quoted !== undefined ? "quoted" : isOneLine ? "one-line" : "indented",
      });
    } else if (isAddress(AFTER_TEXT.exec(text)?.[1] ?? "")) {
      found.push({ ...entry, form: "after-text" });
    } else if (SEARCH.test(text)) {
      found.push({ ...entry, form: "search-replace" });
      closing = REPLACE;
    } else if (HUNK.test(text)) {
      found.push({ ...entry, form: "diff" });
      closing = /^\s*$/;
    }
  }
  return found;
}

/** `bodies` are those of the captured blocks, without white space. */
function inBlock(
  block: Fenced,
  message: string,
  claims: Claims,
  bodies: readonly string[],
): readonly UnsupportedFormat[] {
  const { above, start, lines, closed } = block;
  const opener = message.slice(start).split("\n", 1)[0]?.trim() ?? "";
  const [marks = ""] = /^(?:`+|~+)/.exec(opener) ?? [];
  const file = namedFile(block, claims);
  const named = (form: UnsupportedFormat["form"], line: string | undefined): UnsupportedFormat => ({
    form,
    line: line?.trim() || opener,
    start,
    file,
  });
  if (lines.some((line) => SEARCH.test(line)) && lines.some((line) => REPLACE.test(line))) {
    return [named("search-replace", lines[lines.findIndex((line) => SEARCH.test(line)) + 1])];
  }
  const hunk = lines.find((line) => HUNK.test(line));
  if (hunk !== undefined) return [named("diff", hunk)];
  if (isBareDiff(block, claims.baseTexts(), bodies)) return [named("diff", lines[0])];
  // A careful quotation has the longer fence.
  const inner = lines.filter((line) => {
    const [, own = "", address = ""] = FENCE.exec(line) ?? [];
    return own !== "" && isAddress(address.trim()) && (!closed || own.length >= marks.length);
  });
  if (inner.length > 0) return inner.map((line) => named("inside-block", line));
  const heading = above.replace(/^[\s>#*_`-]+|[*_`:\s]+$/g, "");
  const isAddressed =
    isAddress(heading) ||
    (LINES_IN_WORDS.test(heading) && !claims.baseTexts().some((text) => isQuotation(lines, text)));
  const isMeant = isAddressed || /\bast-path\b/.test(block.info);
  const isOfFile = file !== null && !isQuotation(lines, claims.openFile(file)?.baseText ?? "");
  return isMeant || isOfFile ? [named("no-address", isAddressed ? above : opener)] : [];
}

/** True for a diff without places of a file in edit mode, whose new lines no block wrote. */
function isBareDiff(
  { info, lines }: Fenced,
  texts: readonly string[],
  bodies: readonly string[],
): boolean {
  const filled = lines.filter((line) => line.trim() !== "");
  const of = (marks: RegExp) =>
    squeezed(filled.flatMap((line) => (marks.test(line) ? line.slice(1) : [])).join("\n"));
  const [old, added, removed] = [of(/^[ -]/), of(/^\+/), of(/^-/)];
  const isTagged = /^\s*(?:diff|patch|udiff)\b/i.test(info);
  if (!filled.every((line) => /^[ +-]/.test(line)) || old === "" || added + removed === "")
    return false;
  if (!isTagged && (info.trim() !== "" || added === "" || removed === "")) return false;
  const isDone = bodies.some((body) => (added === "" ? body === "" : body.includes(added)));
  return !isDone && texts.some((text) => squeezed(text).includes(old));
}

/** The file in edit mode that a plain block names: in its fence, above, or in its first line. */
function namedFile({ info, above, lines }: Fenced, { openFile }: Claims): string | null {
  const names = [...namesInInfo(info), nameInLine(above), firstLineName(lines.join("\n"))];
  for (const name of names) {
    const open = name === null ? null : openFile(name);
    if (open && !open.awaitsPlain) return open.file.path;
  }
  return null;
}

/** True for code that only shows what is in the file. */
function isQuotation(lines: readonly string[], file: string): boolean {
  const code = firstLineName(lines[0] ?? "") === null ? lines : lines.slice(1);
  return squeezed(file).includes(squeezed(code.join("\n")));
}

function linesFrom(text: string, from: number): readonly Line[] {
  let start = from;
  return text.split("\n").map((line) => {
    const found = { text: line.replace(/\r$/, ""), start };
    start += line.length + 1;
    return found;
  });
}

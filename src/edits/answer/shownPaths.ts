import type { OutlineEntry, SyntaxDocument } from "../../syntax/syntax.ts";
import type { View } from "../../tools/files/viewedFiles.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import { rewriteDocument } from "../text/changeSet.ts";
import { squeezed } from "../text/lineChecks.ts";
import { lineDiffOf } from "../text/lineDiff.ts";

/** What a path named in an earlier text that the model saw, if that is no longer what it names. */
export interface ShownPath {
  /** Why a block is refused whose path is found as `found`; null where it may stay. */
  missing(found: string): BlockReason | null;
  /** Why a body is refused that begins as the earlier element does, and not as the one of now. */
  reassigned(body: readonly string[]): BlockReason | null;
}

const MAX_TEXTS = 3;
const MAX_CANDIDATES = 8;

interface ShownText {
  readonly lines: readonly string[];
  readonly outline: readonly OutlineEntry[];
  /** The line now, 1-based, of one of its lines that did not change; null for others. */
  nowAt(line: number): number | null;
}

/**
 * Compares paths with the outlines of the earlier texts that the model saw. `document` holds the
 * text of now, and does again afterwards. Gives null for a path that names what it did.
 */
export function shownPaths(
  document: SyntaxDocument,
  views: readonly View[],
): (path: string) => ShownPath | null {
  const base = document.text;
  const texts = [
    ...new Set(views.flatMap(({ text }) => (text === null || text === base ? [] : [text]))),
  ].slice(0, MAX_TEXTS);
  if (texts.length === 0) return () => null;
  const outline = document.outline();
  const lines = splitText(base);
  const shown = texts.map((text): ShownText => {
    rewriteDocument(document, text);
    return {
      lines: splitText(text),
      outline: document.outline(),
      nowAt: unchangedLines(splitText(text), lines),
    };
  });
  rewriteDocument(document, base);
  return (path) => {
    for (const text of shown) {
      const then = text.outline.find((entry) => entry.path === path);
      if (!then) continue;
      const now = outline.find((entry) => entry.path === path);
      const line = text.nowAt(then.startLine);
      if (now && (line === null || line === now.startLine)) return null;
      const first = (entry: OutlineEntry | undefined, own: readonly string[]) =>
        squeezed(own[(entry?.startLine ?? 0) - 1] ?? "");
      const [was, is] = [first(then, text.lines), first(now, lines)];
      return {
        missing: (found) => {
          if (now || found === path) return null;
          const candidates = outline
            .filter((entry) => entry.path === found || entry.path.endsWith(`-${path}`))
            .slice(0, MAX_CANDIDATES);
          return { code: "unresolved-path", error: { code: "not-found", path, candidates } };
        },
        reassigned: (body) => {
          const begin = squeezed(body.find((own) => own.trim() !== "") ?? "");
          return now && was !== is && begin === was
            ? { code: "path-reassigned", path, line: now.startLine }
            : null;
        },
      };
    }
    return null;
  };
}

function unchangedLines(
  before: readonly string[],
  now: readonly string[],
): (line: number) => number | null {
  const runs = lineDiffOf(before, now);
  return (line) => {
    if (runs.some(({ beforeLines: { start, end } }) => start < line && line <= end)) return null;
    const last = runs.findLast(({ beforeLines }) => beforeLines.end < line);
    return line + (last ? last.afterLines.end - last.beforeLines.end : 0);
  };
}

function splitText(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

import { findElision } from "./elision.ts";

/** A replacement that removes at least this many lines and writes fewer than a quarter of them is flagged. */
const MANY_LINES = 20;

/** What is said of a body that leaves text out. */
export interface Elision {
  /** For the user, while the block is held back. */
  readonly notice: string;
  /** For the model. */
  readonly report: string;
  /** For the user, once he has the block proposed all the same. */
  readonly warning: string;
}

/** Why a body is not proposed unless the user asks for it: it leaves text out. Null when it may be. */
export function elisionOf(lines: readonly string[], oldText: string, path: string): Elision | null {
  const line = findElision(lines, oldText, kindOf(path));
  if (line === null) return null;
  return {
    notice: `It seems to leave text out (\`${line}\`), so it was not proposed.`,
    report: `it leaves out code (\`${line}\`); write the complete text, or address a smaller place`,
    warning: `It seems to leave text out: \`${line}\`.`,
  };
}

/** A sentence about a replacement that deletes far more than it writes, or null. */
export function deletionWarning(lines: readonly string[], oldText: string): string | null {
  const removed = filled(oldText.split(/\r\n|\n|\r/));
  const written = filled(lines);
  if (removed < MANY_LINES || written * 4 >= removed) return null;
  return `It deletes ${removed} lines and writes ${written}.`;
}

/** The sentence about a change after which a file without syntax errors has some. */
export const SYNTAX_WARNING = "It adds a syntax error to a file that had none.";

function filled(lines: readonly string[]): number {
  return lines.filter((line) => line.trim() !== "").length;
}

function kindOf(path: string): "code" | "dotted" | "prose" {
  if (/\.(md|mdx|markdown|txt|rst|adoc)$/i.test(path)) return "prose";
  return /\.(pyi?|ya?ml|tex|lua|p[lm]|r|m)$/i.test(path) ? "dotted" : "code";
}

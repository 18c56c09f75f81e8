import type { LineSpan } from "../../ports/editorState.ts";
import type { OutlineEntry } from "../../syntax/syntax.ts";
import { squeezed } from "../text/lineChecks.ts";
import { headPieces } from "./headPieces.ts";
import { HOLDS_STATEMENTS } from "./kinds.ts";
import { countNames, pathParts, unnumbered } from "./pathNames.ts";

/** Kinds of which there may be several of one name. */
const REPEATABLE: ReadonlySet<string> = new Set([
  "comment",
  "extension",
  "impl",
  "import",
  "macro",
  "module",
  "namespace",
  "object",
  "statement",
]);
/** Languages in which elements of one name may have other parameters. */
const OVERLOADS: ReadonlySet<string> = new Set([
  "",
  "cpp",
  "csharp",
  "java",
  "kotlin",
  "rust",
  "scala",
  "swift",
]);
const OVERLOAD_SIGNATURES: ReadonlySet<string> = new Set(["typescript", "tsx", "c"]);
/** Languages in which a variable is set as it is declared. */
const SETS: ReadonlySet<string> = new Set(["bash", "lua", "php", "python", "ruby"]);
/** A further part of one element, or one of several conditions. */
const FURTHER =
  /^\s*(?:@\w+\.(?:setter|getter|deleter|register)\b|@(?:typing\.)?overload\b|#\[cfg)/;
const ACCESSOR = /\b([gs]et)\b/;

/** An outline, and the lines of its text. */
export interface ChangedOutline {
  readonly before: readonly OutlineEntry[];
  readonly after: readonly OutlineEntry[];
  /** The lines after the change. */
  readonly lines: readonly string[];
  readonly language: string;
}

/** Tells which element written lines have doubled: its path, or `into` for itself; else null. */
export function doubledElements({
  before,
  after,
  lines,
  language,
}: ChangedOutline): (written: LineSpan, into: string | null) => string | null {
  const partsOf = pathParts(after.map(({ path }) => path));
  const [then, now] = [countNames(before), countNames(after)];
  return (written, into) => {
    const isWritten = ({ startLine }: OutlineEntry) =>
      written.first <= startLine && startLine <= written.last;
    const outer = into === null ? undefined : after.find(({ path }) => path === into);
    for (const entry of after) {
      if (!isWritten(entry) || REPEATABLE.has(entry.kind)) continue;
      const path = unnumbered(entry.path);
      const { parent, name } = partsOf(entry.path);
      if (
        outer &&
        parent === outer.path &&
        outer.kind === entry.kind &&
        name === partsOf(outer.path).name
      )
        return path;
      const known = then.get(path) ?? 0;
      // Names that repeat already may repeat.
      if (known > 1 || (now.get(path) ?? 0) <= Math.max(1, known)) continue;
      // Among statements, names of one path may be of several scopes.
      const isScoped =
        entry.kind !== "test" &&
        HOLDS_STATEMENTS.has(after.find((other) => other.path === parent)?.kind ?? "");
      const others = after.filter((other) => {
        const isBeside =
          other !== entry &&
          unnumbered(other.path) === path &&
          partsOf(other.path).parent === parent;
        return isBeside && !(isWritten(other) && other.startLine > entry.startLine);
      });
      if (!isScoped && others.some((other) => isRepeated(entry, other, name, lines, language)))
        return path;
    }
    return null;
  };
}

function isRepeated(
  entry: OutlineEntry,
  other: OutlineEntry,
  name: string,
  lines: readonly string[],
  language: string,
): boolean {
  const [text, otherText] = [entry, other].map(({ startLine, endLine }) =>
    lines.slice(startLine - 1, endLine).join("\n"),
  );
  if (text === undefined || otherText === undefined || REPEATABLE.has(other.kind)) return false;
  if (entry.kind === "variable" && SETS.has(language)) return false;
  // A tag without an id has no name.
  if (entry.kind === "element" && !new RegExp(`\\bid\\s*=\\s*["']?${name}\\b`, "i").test(text))
    return false;
  if (FURTHER.test(text) || FURTHER.test(otherText)) return false;
  const [own, signature] = [plainHead(text, entry.kind), plainHead(otherText, entry.kind)];
  if (own === signature) return true;
  if (
    isPrototype(text) !== isPrototype(otherText) ||
    (isPrototype(text) && OVERLOAD_SIGNATURES.has(language))
  )
    return false;
  if (entry.kind === "accessor" && ACCESSOR.exec(text)?.[1] !== ACCESSOR.exec(otherText)?.[1])
    return false;
  return !OVERLOADS.has(language) || !/\(/.test(own);
}

/** The declaration up to its body, without what stands before it. */
function plainHead(text: string, kind: string): string {
  const { declaration } = headPieces(text, kind);
  return squeezed(/^[^{]*/.exec(text.slice(declaration))?.[0] ?? "");
}

function isPrototype(text: string): boolean {
  return !text.includes("{") && /;\s*$/.test(text);
}

import type { OutlineEntry } from "../../syntax/syntax.ts";
import { squeezed } from "../text/lineChecks.ts";
import { headPieces } from "./headPieces.ts";
import { pathParts, unnumbered } from "./pathNames.ts";

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
const OVERLOADS: ReadonlySet<string> = new Set(["", "cpp", "csharp", "java", "kotlin", "rust", "scala", "swift"]);
const OVERLOAD_SIGNATURES: ReadonlySet<string> = new Set(["typescript", "tsx", "c"]);
/** Languages in which a variable is set as it is declared. */
const SETS: ReadonlySet<string> = new Set(["bash", "lua", "php", "python", "ruby"]);
/** A further part of one element, or one of several conditions. */
const FURTHER = /^\s*(?:@\w+\.(?:setter|getter|deleter|register)\b|@(?:typing\.)?overload\b|#\[cfg)/;
const ACCESSOR = /\b([gs]et)\b/;

/** Lines of the text, 1-based and inclusive. */
export interface InsertedLines {
  readonly first: number;
  readonly last: number;
}

/**
 * The path of an element in inserted lines that is there a second time, or that repeats the element it is put into; null for none.
 * `outline` is that of the text with `lines`.
 */
export function doubledElement(
  outline: readonly OutlineEntry[],
  lines: readonly string[],
  inserted: InsertedLines,
  into: string | null,
  language: string,
): string | null {
  const isInserted = ({ startLine, endLine }: OutlineEntry) => startLine >= inserted.first && endLine <= inserted.last;
  const partsOf = pathParts(outline.map(({ path }) => path));
  const outer = outline.find(({ path }) => path === into);
  for (const entry of outline) {
    if (!isInserted(entry) || REPEATABLE.has(entry.kind)) continue;
    const path = unnumbered(entry.path);
    const { parent, name } = partsOf(entry.path);
    if (outer && parent === outer.path && outer.kind === entry.kind && name === partsOf(outer.path).name) return path;
    const others = outline.filter(
      (other) =>
        other !== entry &&
        unnumbered(other.path) === path &&
        partsOf(other.path).parent === parent &&
        !(isInserted(other) && other.startLine > entry.startLine),
    );
    // Names that repeat already may repeat.
    const isNew = others.filter((other) => !isInserted(other)).length <= 1;
    if (isNew && others.some((other) => isRepeated(entry, other, name, lines, language))) return path;
  }
  return null;
}

/** True where one of two elements of a name is too many. */
function isRepeated(entry: OutlineEntry, other: OutlineEntry, name: string, lines: readonly string[], language: string): boolean {
  const [text, otherText] = [entry, other].map(({ startLine, endLine }) => lines.slice(startLine - 1, endLine).join("\n"));
  if (text === undefined || otherText === undefined || REPEATABLE.has(other.kind)) return false;
  if (entry.kind === "variable" && SETS.has(language)) return false;
  // A tag without an id has no name.
  if (entry.kind === "element" && !new RegExp(`\\bid\\s*=\\s*["']?${name}\\b`, "i").test(text)) return false;
  if (FURTHER.test(text) || FURTHER.test(otherText)) return false;
  const [own, signature] = [signatureOf(text, entry.kind), signatureOf(otherText, entry.kind)];
  if (own === signature) return true;
  if (isPrototype(text) !== isPrototype(otherText) || (isPrototype(text) && OVERLOAD_SIGNATURES.has(language))) return false;
  if (entry.kind === "accessor" && ACCESSOR.exec(text)?.[1] !== ACCESSOR.exec(otherText)?.[1]) return false;
  return !OVERLOADS.has(language) || !/\(/.test(own);
}

/** The declaration up to its body, without what stands before it. */
function signatureOf(text: string, kind: string): string {
  const { declaration } = headPieces(text, kind);
  return squeezed(/^[^{]*/.exec(text.slice(declaration))?.[0] ?? "");
}

function isPrototype(text: string): boolean {
  return !text.includes("{") && /;\s*$/.test(text);
}

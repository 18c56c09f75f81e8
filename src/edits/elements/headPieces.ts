import { lineEnd, type OffsetRange, skipSpace } from "../../base/text/scan.ts";

/** A part of what stands before a declaration: `export`, `@logged(true)`, or a comment. */
export interface HeadPiece extends OffsetRange {
  readonly kind: "comment" | "attribute" | "modifier";
  /** What tells it from others: an attribute's name, a modifier's word. */
  readonly name: string;
}

/** What stands before a declaration, and where that begins. */
export interface DeclarationHead {
  readonly pieces: readonly HeadPiece[];
  readonly declaration: number;
}

const MODIFIERS = new Set(
  (
    "abstract actual annotation async base case companion const consteval constexpr constinit convenience covariant crossinline data declare " +
    "default dynamic expect explicit export extern external factory file fileprivate final fixed friend get implicit indirect infix inline " +
    "inner internal late lateinit lazy local mixin mutable mutating native noinline nonisolated nonmutating open opaque operator optional " +
    "override package partial private protected pub public readonly ref reified required sealed set static strictfp suspend synchronized " +
    "tailrec thread_local transient transparent unowned unsafe value vararg virtual volatile weak"
  ).split(" "),
);
const WORD = /[A-Za-z_]+/y;
const ATTRIBUTE =
  /@(?!interface\b)[A-Za-z_][\w.:]*|#!?(?=\[)|(?=\[)|(?:__attribute__|__declspec|alignas)\s*(?=\()/y;
const COMMENT = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|#(?!!?\[)[^\r\n]*|--[^\r\n]*/y;
const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "<": ">" };
/** Kinds whose text does not begin with words of a language. */
const NO_CODE: ReadonlySet<string> = new Set([
  "comment",
  "element",
  "heading",
  "import",
  "object",
  "rule",
  "statement",
  "table",
  "test",
]);

/** What stands before an element's declaration, by the words of many languages. */
export function headPieces(text: string, kind: string): DeclarationHead {
  const pieces: HeadPiece[] = [];
  let at = skipSpace(text, 0, text.length);
  while (at < text.length && !NO_CODE.has(kind)) {
    const piece = pieceAt(text, at);
    if (!piece) break;
    pieces.push(piece);
    at = skipSpace(text, piece.end, text.length);
  }
  return { pieces, declaration: at };
}

function pieceAt(text: string, start: number): HeadPiece | null {
  const comment = matchAt(COMMENT, text, start);
  if (comment !== null) return { kind: "comment", name: "", start, end: start + comment.length };
  const attribute = matchAt(ATTRIBUTE, text, start);
  if (attribute !== null) return attributeAt(text, start, attribute);
  const word = matchAt(WORD, text, start);
  if (word === null) return null;
  if (word === "template") return templateAt(text, start);
  if (!MODIFIERS.has(word)) return null;
  let end = start + word.length;
  // `pub(crate)`, `private(set)`, `private[core]`, `extern "C"`
  const scope = /[([]/.test(text.charAt(end)) ? bracketsEnd(text, end) : null;
  if (scope !== null && /^[ \t]+\S/.test(text.slice(scope))) end = scope;
  end += /^\s+"[^"\n]*"(?=\s+\w)/.exec(text.slice(end, end + 40))?.[0].length ?? 0;
  // A name may be such a word.
  return /^\s+[\w$@#*[~<"'`&]/.test(text.slice(end, end + 200))
    ? { kind: "modifier", name: word, start, end }
    : null;
}

/** `@a.b(…)`, `#[a(…)]`, `[A(…)]`; a bracket that begins something else is none. */
function attributeAt(text: string, start: number, opener: string): HeadPiece | null {
  const at = start + opener.length;
  const opens = /[([]/.test(text.charAt(at)) ? bracketsEnd(text, at) : at;
  if (opens === null) return null;
  const isBracket = text[start] === "[" || text[start] === "#";
  if (isBracket && !/^\s+[\w@[/#]|^\s*$/.test(text.slice(opens, opens + 200))) return null;
  const name = isBracket ? /[\w.:]+/.exec(text.slice(at, opens))?.[0] : opener.slice(1);
  // `@count = 0` is a variable.
  if (/^[ \t]*[=+*/-]?=/.test(text.slice(opens, opens + 20))) return null;
  return { kind: "attribute", name: name ?? opener, start, end: opens };
}

/** `template <typename T>` with the requirement after it on its line. */
function templateAt(text: string, start: number): HeadPiece | null {
  const open = skipSpace(text, start + "template".length, text.length);
  const end = text[open] === "<" ? bracketsEnd(text, open) : null;
  if (end === null) return null;
  const rest = text.slice(end, lineEnd(text, end));
  const requires = /^\s*requires\b/.test(rest) ? rest.trimEnd().length : 0;
  return { kind: "attribute", name: "template", start, end: end + requires };
}

/** The end of the bracket pair at an offset, null for one that does not close. */
function bracketsEnd(text: string, offset: number): number | null {
  const stack: string[] = [];
  for (let at = offset; at < text.length; at++) {
    const sign = text.charAt(at);
    const closer = CLOSERS[sign];
    if ((sign === '"' || sign === "'") && stack.at(-1) !== ">") {
      const close = text.indexOf(sign, at + 1);
      if (close > 0 && !/[\r\n]/.test(text.slice(at, close))) at = close;
    } else if (closer && (sign !== "<" || text[offset] === "<")) stack.push(closer);
    else if (sign === stack.at(-1)) stack.pop();
    if (stack.length === 0) return at + 1;
  }
  return null;
}

function matchAt(pattern: RegExp, text: string, offset: number): string | null {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? null;
}

import { isBlank, lineEnd, lineStart, nextLine, skipSpace } from "../../base/text/scan.ts";
import { indentOf } from "../text/indent.ts";
import { escaped } from "../text/whitespace.ts";
import { type DeclarationHead, type HeadPiece, headPieces } from "./headPieces.ts";

/** The element that a body replaces. */
export interface OldHead {
  readonly text: string;
  readonly kind: string;
  readonly language: string;
  /** The last name of its path. */
  readonly name: string;
  /** The indent of its first line. */
  readonly indent: string;
}

/** A body with what it lacks of the old head, what that is, and what it seems to drop. */
export interface KeptHead {
  readonly lines: readonly string[];
  readonly kept: readonly string[];
  readonly lost: readonly string[];
}

/** Modifiers of one choice: another one replaces them. */
const CHOICES: readonly ReadonlySet<string>[] = [
  new Set(["public", "private", "protected", "internal", "fileprivate", "package", "open", "pub"]),
  new Set(["get", "set"]),
  new Set(["final", "open", "abstract", "sealed", "const", "readonly", "virtual", "override"]),
];
/** What a declaration without a body has, and a definition must not have. */
const WITHOUT_BODY: ReadonlySet<string> = new Set([
  "abstract",
  "declare",
  "extern",
  "external",
  "native",
]);

/**
 * Puts back what the head of an element had and a body lacks that begins with its bare declaration:
 * attributes where the body has none, modifiers where it has none. `isNamed` tells whether the
 * model speaks of a word.
 */
export function keepHead(
  body: readonly string[],
  old: OldHead,
  isNamed: (word: string) => boolean,
): KeptHead {
  const unchanged = { lines: body, kept: [], lost: [] };
  if (old.language === "yaml") return keepProperties(body, old);
  const before = headPieces(old.text, old.kind);
  if (before.pieces.every(({ kind }) => kind === "comment")) return unchanged;
  const text = body.join("\n");
  const start = ownStart(text, old, before);
  const own = text.slice(start);
  const after = headPieces(own, old.kind);
  const rest = own.slice(after.declaration);
  const declaration = declarationOf(rest, old.text.slice(before.declaration), old.name);
  const needless = ({ name }: HeadPiece) =>
    WITHOUT_BODY.has(name) && !old.text.includes("{") && rest.includes("{");
  const missing = before.pieces.filter((piece) => {
    return (
      piece.kind !== "comment" && !isWritten(piece, after.pieces, declaration) && !needless(piece)
    );
  });
  if (missing.length === 0 || rest.trim() === "" || holdsHead(text, old, before)) return unchanged;
  const isSame = text.slice(0, start).trim() === "" && holdsName(declaration, old.name);
  const has = (kind: HeadPiece["kind"]) => after.pieces.some((piece) => piece.kind === kind);
  const drops = ({ name, kind }: HeadPiece) => {
    const word = /\w+$/.exec(name)?.[0] ?? name;
    // Without a grammar nothing tells whether what is kept fits.
    return (
      old.language === "" || !isSame || has(kind) || isNamed(word) || mayDrop(name, old.text, rest)
    );
  };
  const named = (pieces: readonly HeadPiece[]) =>
    pieces.map(({ start, end }) => oneLine(old.text.slice(start, end)));
  const kept = missing.filter((piece) => !drops(piece));
  const lost = named(missing.filter(drops));
  if (kept.length === 0) return { ...unchanged, lost };
  return { lines: withPieces(text, after, old, before, kept).split("\n"), kept: named(kept), lost };
}

/** Where the element's own head begins in a body with other code before it; 0 for nowhere. */
function ownStart(text: string, old: OldHead, { declaration }: DeclarationHead): number {
  const rest = old.text.slice(declaration);
  const words = rest.slice(0, Math.max(0, rest.search(wordPattern(old.name)))).trim();
  const declares = new RegExp(
    `^${words.split(/\s+/).map(escaped).join("\\s+")}\\s*${wordPattern(old.name).source}`,
  );
  const margin = indentOf(text.slice(lineStart(text, skipSpace(text, 0, text.length))));
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    const line = text.slice(at);
    if (indentOf(line) !== margin || isBlank(text, at, lineEnd(text, at))) continue;
    if (declares.test(line.slice(headPieces(line, old.kind).declaration))) return at;
  }
  return 0;
}

/** True where a body has the whole old head, up to the name, below lines of its own. */
function holdsHead(body: string, old: OldHead, { pieces, declaration }: DeclarationHead): boolean {
  const first = pieces.find(({ kind }) => kind !== "comment")?.start ?? 0;
  const at = old.text.slice(declaration).search(wordPattern(old.name));
  if (at < 0) return false;
  const head = old.text
    .slice(first, declaration + at)
    .trim()
    .split(/\s+/)
    .map(escaped);
  return new RegExp(`${head.join("\\s+")}\\s+${escaped(old.name)}(?![\\w$])`).test(body);
}

/** A YAML key with its anchor and tag. */
const PROPERTIES =
  /^((?:\s*(?:- +)*(?:"[^"]*"|'[^']*'|[^\s"'#&!][^:#]*?))\s*:)((?:\s+[&!][^\s,[\]{}]*)+)(?=\s|$)/;

/** Puts back the anchor and the tag of a YAML value where the body has the same key without any. */
function keepProperties(body: readonly string[], old: OldHead): KeptHead {
  const [, key = "", properties = ""] = PROPERTIES.exec(old.text) ?? [];
  const at = body.findIndex((line) => line.trim() !== "" && !line.trim().startsWith("#"));
  const line = body[at] ?? "";
  const written = line.trimStart().startsWith(key.trim())
    ? line.indexOf(key.trim()) + key.trim().length
    : 0;
  const rest = line.slice(written);
  if (properties === "" || written === 0 || /^\s+[&!*]/.test(rest))
    return { lines: body, kept: [], lost: [] };
  const name = /(?<=[&!])\S+/.exec(properties)?.[0] ?? "";
  return {
    lines: body.with(at, line.slice(0, written) + properties + rest),
    kept: [properties.trim()].filter(() => name !== ""),
    lost: [],
  };
}

/** True for a piece that the new head has, also as another of its choice, or the declaration. */
function isWritten(piece: HeadPiece, pieces: readonly HeadPiece[], declaration: string): boolean {
  const choices = CHOICES.filter((choice) => choice.has(piece.name));
  const same = ({ kind, name }: HeadPiece) =>
    kind === piece.kind && (name === piece.name || choices.some((choice) => choice.has(name)));
  if (pieces.some(same)) return true;
  const name = piece.name === "virtual" ? "(?:virtual|override|final)" : piece.name;
  return piece.kind === "modifier" && new RegExp(`\\b${name}\\b`).test(declaration);
}

/** True where the rest of a body shows that it may mean to be without the piece. */
function mayDrop(name: string, old: string, rest: string): boolean {
  if (name === "async") return /\bawait\b/.test(old) && !/\bawait\b/.test(rest);
  if (name === "static") return /\bthis\b/.test(rest) && !/\bthis\b/.test(old);
  const params = /\(\s*(\w*)/.exec(rest)?.[1] ?? "";
  if (name === "staticmethod") return params === "self" || params === "cls";
  if (name === "classmethod") return params !== "cls" && /\(\s*cls\b/.test(old);
  if (name === "property") return /\(\s*\w+\s*,/.test(rest);
  return false;
}

/** The body with pieces of the old head before its declaration, attributes before modifiers. */
function withPieces(
  text: string,
  after: DeclarationHead,
  old: OldHead,
  before: DeclarationHead,
  kept: readonly HeadPiece[],
): string {
  const own = after.pieces.find(({ kind }) => kind !== "comment");
  const inserted = (into: string, pieces: readonly HeadPiece[], at: number) => {
    const indent = indentOf(into.slice(into.lastIndexOf("\n", at - 1) + 1));
    return (
      into.slice(0, at) +
      pieces.map((piece) => pieceText(piece, old, before, indent)).join("") +
      into.slice(at)
    );
  };
  // In the old order, where the body has nothing of its own.
  if (!own) return inserted(text, kept, after.declaration);
  const of = (kind: HeadPiece["kind"]) => kept.filter((piece) => piece.kind === kind);
  return inserted(inserted(text, of("modifier"), after.declaration), of("attribute"), own.start);
}

/** A piece of the old head with what separates it from the next one, at another indent. */
function pieceText(
  { start, end }: HeadPiece,
  old: OldHead,
  { pieces, declaration }: DeclarationHead,
  indent: string,
): string {
  const next = pieces.find((piece) => piece.start >= end)?.start ?? declaration;
  const [first = "", ...others] = old.text.slice(start, end).split(/\r\n|\n|\r/);
  const moved = others.map(
    (line) =>
      indent + (line.startsWith(old.indent) ? line.slice(old.indent.length) : line.trimStart()),
  );
  return (
    [first, ...moved].join("\n") + (/[\r\n]/.test(old.text.slice(end, next)) ? `\n${indent}` : " ")
  );
}

/** The lines of a declaration up to the one with the element's name; the first if none has it. */
function declarationOf(rest: string, oldRest: string, name: string): string {
  const at = oldRest.indexOf(name);
  const count = at < 0 ? 1 : oldRest.slice(0, at).split(/\r\n|\n|\r/).length;
  return rest.split("\n").slice(0, count).join("\n");
}

function holdsName(text: string, name: string): boolean {
  return wordPattern(name).test(text);
}

function wordPattern(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

import type { BlockReason } from "../../turns/blockReason.ts";
import { type Address, type AddressedLines, type EditOp, linesOf } from "../block.ts";
import { parseChecks } from "../text/lineChecks.ts";

/** What a fence's info string says. */
export type Opener =
  /** Ordinary chat. */
  | { readonly kind: "plain" }
  | (OpenerParts & {
      readonly kind: "address";
      readonly address: Address;
      readonly checks: readonly string[];
    })
  /** Meant as an address, but not valid. */
  | (OpenerParts & {
      readonly kind: "invalid";
      readonly format: Address["kind"];
      readonly reason: BlockReason;
    });

/** An opener with an address, or an attempt at one. */
export type AddressOpener = Exclude<Opener, { kind: "plain" }>;

interface OpenerParts {
  readonly op: EditOp;
  readonly file: string | null;
  /** The address as the opener has it, without operation, checks and file. */
  readonly written: string;
}

/** What the names in an opener may be. */
export interface KnownNames {
  /** True for the name of a file that is in edit mode. */
  isOpenFile(file: string): boolean;
  /** True where an AST path names an element, or did when the model was shown the paths. */
  namesElement(path: string): boolean;
}

const OPS: readonly EditOp[] = ["before", "after", "with-comment", "remove", "append", "prepend"];
const OP_WORDS = OPS.join("|");
const AST = "ast-path:";
/** Where a path ends: its operation, or lines inside the element. */
const END = `:(?:\\d+:\\d+(?::[A-Za-z-]+)?|${OP_WORDS})`;
const PATH_END = new RegExp(`${END}(?=\\s|$)`, "g");
const CHECKED_PATH_END = new RegExp(`${END}(?=\\s+")`);
const INNER_LINES = /:(\d+):(\d+)(?::([A-Za-z-]+))?$/;
const SINGLE_INNER_LINE = /:L?\d+(?:[-–,]L?\d+)?$/;
const SINGLE_LINE = /^L?\p{Nd}+([-–,]L?\p{Nd}+)?$/u;

/** What comes before an address: `ts:`, `ts :`, or `ts ` before what can only be one. */
const LANG = /^(?:(?=ast-path:)|[^\s:]*(?::|\s+:?(?=ast-path:|\d+:\d+(?::[A-Za-z-]+)?(?:\s|$))))/;

/** Lines in other words: `ts lines 2-3`, `ts L2-L3`. */
const OTHER_WORDS =
  /^[\w+#.-]+\s+(lines?[\s=]+L?\d+(?:\s*[-–,:]\s*L?\d+)?|L\d+(?:[-–:]L?\d+)?|\d+[-–]\d+)$/i;

/** The longest opener in UTF-16 units, to bound what is compared with names. */
const MAX_OPENER = 2000;

/**
 * Reads an opener: `[lang] ":" (START ":" END | "ast-path:" PATH [":" START ":" END]) [":" op]
 * *2(SP check) [SP file]`.
 *
 * A space may stand for the colon after `lang`, and `lang` and colon may be left out before
 * `ast-path:`. PATH may hold spaces and colons, as titles and headings do. It ends at the last op
 * word or pair of numbers before a space or the end, unless it names an element together with it
 * (`.a:before`); without one, at the first space before the name of an open file; else it is the
 * whole rest.
 */
export function parseOpener(info: string, names: KnownNames): Opener {
  if (info.length > MAX_OPENER) return { kind: "plain" };
  const other = OTHER_WORDS.exec(info)?.[1];
  if (other !== undefined) {
    return {
      kind: "invalid",
      format: "lines",
      reason: { code: "invalid-address" },
      op: "replace",
      file: null,
      written: other,
    };
  }
  const lang = LANG.exec(info)?.[0];
  if (lang === undefined) return { kind: "plain" };
  const rest = info.slice(lang.length).trim();
  return rest.startsWith(AST) ? astOpener(rest.slice(AST.length), names) : lineOpener(rest);
}

/**
 * The file of an opener that is an edit in any text, also of one who only may know the format: it
 * names an element and the file, or lines and how the first and the last of them begin, and the
 * file. Null for any other.
 */
export function provenFile(opener: Opener): string | null {
  if (opener.kind !== "address") return null;
  const lines = linesOf(opener.address);
  const ends = lines && lines.start < lines.end ? 2 : lines ? 1 : 0;
  return opener.checks.length < ends ? null : opener.file;
}

/** An address as people read it. */
export function targetOf(address: Address): string {
  if (address.kind === "lines") return `lines ${address.start}-${address.end}`;
  return `${AST}${address.path}${address.lines ? `:${address.lines.start}:${address.lines.end}` : ""}`;
}

function astOpener(rest: string, names: KnownNames): Opener {
  const { head, end, checks, file } = splitAstOpener(rest, names);
  const named = head.slice(0, head.length - end.length);
  const unquoted = /^`([^`]+)`$/.exec(named)?.[1];
  const path = unquoted !== undefined && !names.namesElement(named) ? unquoted : named;
  const inner = INNER_LINES.exec(end);
  const [, start, last, innerOp] = inner ?? [];
  const op = inner ? innerOp : end.slice(1) || undefined;
  const parts = {
    op: opNamed(op),
    file,
    written: `${AST}${path}${inner ? `:${start}:${last}` : ""}`,
  };
  const invalid = (reason: BlockReason): Opener => ({
    kind: "invalid",
    format: "ast",
    reason,
    ...parts,
  });
  if (path.trim() === "") return invalid({ code: "no-element-named" });
  if (!inner) {
    if (SINGLE_INNER_LINE.test(path) && !names.namesElement(path))
      return invalid({ code: "invalid-address" });
    return { kind: "address", address: { kind: "ast", path }, checks, ...parts };
  }
  const lines = readLines(start, last, op);
  return "code" in lines
    ? invalid(lines)
    : { kind: "address", address: { kind: "ast", path, lines }, checks, ...parts };
}

interface AstParts {
  /** The path with its `end`. */
  readonly head: string;
  /** The operation or the lines that follow the path, colon included; "" for none. */
  readonly end: string;
  readonly checks: readonly string[];
  readonly file: string | null;
}

function splitAstOpener(rest: string, names: KnownNames): AstParts {
  const lastQuote = rest.lastIndexOf('"');
  const mark =
    CHECKED_PATH_END.exec(rest) ??
    [...rest.matchAll(PATH_END)].findLast(({ index }) => index > lastQuote);
  if (!mark) return unmarked(rest, names);
  const { 0: end, index } = mark;
  // `.x::before` is a path; `Install::before` is one with an operation where a heading ends with a
  // colon.
  if (rest[index - 1] === ":" && !/\d/.test(end) && !names.namesElement(rest.slice(0, index)))
    return unmarked(rest, names);
  const head = rest.slice(0, index + end.length);
  const { checks, file } = parseChecks(rest.slice(head.length).trim());
  // Which session takes the block must not depend on its elements, so a file that is open stays the
  // file.
  const mayBeName = checks.length === 0 && (file === null || !names.isOpenFile(file));
  if (mayBeName && file !== null && names.namesElement(rest))
    return { head: rest, end: "", checks: [], file: null };
  return { head, end: names.namesElement(head) ? "" : end, checks, file };
}

/** A path without operation and lines, perhaps followed by checks and a file. */
function unmarked(rest: string, { isOpenFile, namesElement }: KnownNames): AstParts {
  let head = rest;
  let file: string | null = null;
  for (const space of rest.matchAll(/\s+/g)) {
    const name = rest.slice(space.index + space[0].length);
    if (!isOpenFile(name)) continue;
    head = rest.slice(0, space.index);
    file = name;
    break;
  }
  const quoted = /\s+"/.exec(head);
  if (!quoted || namesElement(head)) return { head, end: "", checks: [], file };
  const parsed = parseChecks(head.slice(quoted.index).trim());
  if (parsed.file !== null) return { head, end: "", checks: [], file };
  return { head: head.slice(0, quoted.index), end: "", checks: parsed.checks, file };
}

function opNamed(op: string | undefined): EditOp {
  return OPS.find((name) => name === op) ?? "replace";
}

function lineOpener(rest: string): Opener {
  const written = /^\S*/.exec(rest)?.[0] ?? "";
  const { checks, file } = parseChecks(rest.slice(written.length).trim());
  const [start = "", end, ...ops] = written.split(":");
  if (!(end === undefined ? SINGLE_LINE.test(start) : looksNumeric(start, end, ops)))
    return { kind: "plain" };
  const op = ops.length > 0 ? ops.join(":") : undefined;
  const parts = { op: opNamed(op), file, written: end === undefined ? start : `${start}:${end}` };
  const lines = readLines(start, end, op);
  if ("code" in lines) return { kind: "invalid", format: "lines", reason: lines, ...parts };
  return { kind: "address", address: { kind: "lines", ...lines }, checks, ...parts };
}

/** The lines that an address names, or why it is not valid. */
function readLines(start = "", end = "", op: string | undefined): AddressedLines | BlockReason {
  if (!isNumber(start) || !isNumber(end)) return { code: "invalid-address" };
  if (op === "with-comment" || op === "append" || op === "prepend")
    return { code: "needs-ast-path", op };
  if (op !== undefined && !OPS.some((name) => name === op))
    return { code: "unknown-operation", op };
  const [first, last] = [Number(start), Number(end)];
  return first >= 1 && first <= last && Number.isSafeInteger(last)
    ? { start: first, end: last }
    : { code: "invalid-address" };
}

/** Tells a failed attempt at lines (`3:x`, `x:y`, `src/a.ts:3:9`) from a file name or a URL. */
function looksNumeric(start: string, end: string, ops: readonly string[]): boolean {
  if ([start, end, ...ops].some((part) => /^[-+]?\p{Nd}+(\.\p{Nd}+)?$/u.test(part))) return true;
  return /^\w*$/.test(start) && /^\w+$/.test(end);
}

function isNumber(part: string): boolean {
  return /^\d+$/.test(part);
}

import type { BlockReason } from "../../turns/blockReason.ts";
import type { Address, EditOp } from "../drafts/draft.ts";
import { parseChecks } from "../text/lineChecks.ts";

/** What a fence's info string says. */
export type Opener =
  /** Ordinary chat. */
  | { readonly kind: "plain" }
  | (OpenerParts & { readonly kind: "address"; readonly address: Address; readonly checks: readonly string[] })
  /** Meant as an address, but not valid. */
  | (OpenerParts & { readonly kind: "invalid"; readonly format: Address["kind"]; readonly reason: BlockReason });

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
const END = `(?<!:):(?:\\d+:\\d+(?::[A-Za-z-]+)?|${OP_WORDS})`;
const PATH_END = new RegExp(`${END}(?=\\s|$)`, "g");
const CHECKED_PATH_END = new RegExp(`${END}(?=\\s+")`);
const INNER_LINES = /:(\d+):(\d+)(?::([A-Za-z-]+))?$/;
const SINGLE_INNER_LINE = /:(L?\d+(?:[-–,]L?\d+)?)$/;

/** Maximum length of an opener in UTF-16 units, to bound what is compared with the names of elements and files. */
const MAX_OPENER = 2000;

/**
 * Reads an opener: `[lang] ":" (START ":" END | "ast-path:" PATH [":" START ":" END]) [":" op] *2(SP check) [SP file]`.
 *
 * PATH may hold spaces and colons, as titles and headings do. It ends at the last op word or pair of numbers before a space or the end,
 * unless it names an element together with it (`.a:before`); without one, at the first space before the name of an open file; else it
 * is the whole rest.
 */
export function parseOpener(info: string, names: KnownNames): Opener {
  const colon = info.indexOf(":");
  if (colon < 0 || info.length > MAX_OPENER || /\s/.test(info.slice(0, colon))) return { kind: "plain" };
  const rest = info.slice(colon + 1).trim();
  return rest.startsWith(AST) ? astOpener(rest.slice(AST.length), names) : lineOpener(rest);
}

/** An address as people read it. */
export function targetOf(address: Address): string {
  if (address.kind === "lines") return `lines ${address.start}-${address.end}`;
  return `${AST}${address.path}${address.lines ? `:${address.lines.start}:${address.lines.end}` : ""}`;
}

function astOpener(rest: string, names: KnownNames): Opener {
  const { head, end, checks, file } = splitAstOpener(rest, names);
  const path = head.slice(0, head.length - end.length);
  const invalid = (reason: BlockReason, op: EditOp, written = AST + path): Opener => ({
    kind: "invalid",
    format: "ast",
    reason,
    op,
    file,
    written,
  });
  if (path.trim() === "") return invalid({ code: "no-element-named" }, opOf(end) ?? "replace");
  const inner = INNER_LINES.exec(end);
  if (!inner) {
    const single = SINGLE_INNER_LINE.exec(path);
    if (single?.[1] && !names.namesElement(path)) return invalid({ code: "single-line", written: single[1] }, opOf(end) ?? "replace");
    return {
      kind: "address",
      address: { kind: "ast", path },
      op: opOf(end) ?? "replace",
      checks,
      file,
      written: AST + path,
    };
  }
  const [, start = "", last = "", op] = inner;
  const written = `${AST}${path}:${start}:${last}`;
  const lines = readLines(start, last, op, []);
  if ("code" in lines) return invalid(lines, opOf(`:${op}`) ?? "replace", written);
  const { start: from, end: to } = lines;
  return {
    kind: "address",
    address: { kind: "ast", path, lines: { start: from, end: to } },
    op: lines.op,
    checks,
    file,
    written,
  };
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
  const mark = CHECKED_PATH_END.exec(rest) ?? [...rest.matchAll(PATH_END)].findLast(({ index }) => index > lastQuote);
  if (!mark) return unmarked(rest, names);
  const { 0: end, index } = mark;
  const head = rest.slice(0, index + end.length);
  const { checks, file } = parseChecks(rest.slice(head.length).trim());
  // Which session takes the block must not depend on its elements, so a file that is open stays the file.
  const mayBeName = checks.length === 0 && (file === null || !names.isOpenFile(file));
  if (mayBeName && file !== null && names.namesElement(rest)) return { head: rest, end: "", checks: [], file: null };
  if (names.namesElement(head)) return { head, end: "", checks, file };
  const inner = /:\d+:\d+/.exec(end)?.[0];
  const named = inner && inner !== end ? head.slice(0, index + inner.length) : null;
  return { head, end: named !== null && names.namesElement(named) ? end.slice(inner?.length) : end, checks, file };
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

function opOf(end: string): EditOp | undefined {
  return OPS.find((name) => end === `:${name}`);
}

function lineOpener(rest: string): Opener {
  const written = /^\S*/.exec(rest)?.[0] ?? "";
  const { checks, file } = parseChecks(rest.slice(written.length).trim());
  const [start = "", end, op, ...more] = written.split(":");
  if (end === undefined) return singlePart(written, file);
  if ((!isNumber(start) || !isNumber(end)) && !looksNumeric(start, end, op, more)) return { kind: "plain" };
  const lines = readLines(start, end, op, more);
  const address = `${start}:${end}`;
  if ("code" in lines) return { kind: "invalid", format: "lines", reason: lines, op: opOf(`:${op}`) ?? "replace", file, written: address };
  return {
    kind: "address",
    address: { kind: "lines", start: lines.start, end: lines.end },
    op: lines.op,
    checks,
    file,
    written: address,
  };
}

/** The lines and what is done with them, or why they are not valid. */
function readLines(
  start: string,
  end: string,
  op: string | undefined,
  more: readonly string[],
): { readonly start: number; readonly end: number; readonly op: EditOp } | BlockReason {
  if (!isNumber(start) || !isNumber(end)) return notNumbers(start, end, op);
  const known = op === undefined ? "replace" : OPS.find((name) => name === op);
  if (more.length > 0 || !known) return { code: "unknown-operation", op: [op, ...more].join(":") };
  const [first, last] = [Number(start), Number(end)];
  if (known === "with-comment" || known === "append" || known === "prepend") return { code: "needs-ast-path", op: known };
  if (first < 1) return { code: "line-zero" };
  if (!Number.isSafeInteger(last)) return { code: "not-a-line-number", written: end };
  if (last < first) return { code: "reversed-lines", start: first, end: last };
  return { start: first, end: last, op: known };
}

function singlePart(written: string, file: string | null): Opener {
  if (!/^L?\p{Nd}+([-–,]L?\p{Nd}+)?$/u.test(written)) return { kind: "plain" };
  return { kind: "invalid", format: "lines", reason: { code: "single-line", written }, op: "replace", file, written };
}

/** Tells a failed attempt at lines (`3:x`, `x:y`, `src/a.ts:3:9`) from a file name or a URL. */
function looksNumeric(start: string, end: string, op: string | undefined, more: readonly string[]): boolean {
  if ([start, end, op, ...more].some((part) => part !== undefined && /^[-+]?\p{Nd}+(\.\p{Nd}+)?$/u.test(part))) return true;
  return /^\w*$/.test(start) && /^\w+$/.test(end);
}

function notNumbers(start: string, end: string, op: string | undefined): BlockReason {
  if (isNumber(end) && op !== undefined && isNumber(op)) return { code: "file-name-in-address", address: `${end}:${op}`, file: start };
  const wrong = isNumber(start) ? end : start;
  if (wrong === "") return { code: isNumber(start) ? "last-line-missing" : "first-line-missing" };
  return { code: "not-a-line-number", written: wrong };
}

function isNumber(part: string): boolean {
  return /^\d+$/.test(part);
}

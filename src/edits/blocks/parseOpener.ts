import type { BlockReason } from "../../turns/blockReason.ts";
import type { Address, EditOp } from "../drafts/draft.ts";

/** What a fence's info string says. */
export type Opener =
  /** Ordinary chat. `lookalike` where it could be meant as an address, such as `ts:src/app.ts`. */
  | { readonly kind: "plain"; readonly lookalike: boolean }
  | { readonly kind: "address"; readonly address: Address; readonly op: EditOp; readonly file: string | null; readonly written: string }
  /** Meant as an address, but not valid. */
  | { readonly kind: "invalid"; readonly reason: BlockReason; readonly op: EditOp; readonly file: string | null; readonly written: string };

const OPS: readonly EditOp[] = ["before", "after", "with-comment", "remove", "append", "prepend"];
const AST = "ast-path:";

/** Maximum length of an opener in UTF-16 units, since parsing is not linear. */
const MAX_OPENER = 2000;

/**
 * Reads an opener: `[lang] ":" (START ":" END | "ast-path:" PATH) [":" op] [SP file]`.
 *
 * PATH may hold spaces and colons, as titles and headings do. It ends at the last op word before a space or the end; without one,
 * at the first space before the name of a file in edit mode (`isOpenFile`); else it is the whole rest.
 */
export function parseOpener(info: string, isOpenFile: (file: string) => boolean): Opener {
  const colon = info.indexOf(":");
  if (colon < 0 || info.length > MAX_OPENER || /\s/.test(info.slice(0, colon))) return { kind: "plain", lookalike: false };
  const rest = info.slice(colon + 1).trim();
  return rest.startsWith(AST) ? astOpener(rest.slice(AST.length), isOpenFile) : lineOpener(rest);
}

/** An address as people read it. */
export function targetOf(address: Address): string {
  return address.kind === "lines" ? `lines ${address.start}-${address.end}` : `${AST}${address.path}`;
}

function astOpener(rest: string, isOpenFile: (file: string) => boolean): Opener {
  const { path, op, file } = splitAstOpener(rest, isOpenFile);
  const written = AST + path;
  if (path.trim() === "") return { kind: "invalid", reason: { code: "no-element-named" }, op, file, written };
  return { kind: "address", address: { kind: "ast", path }, op, file, written };
}

function splitAstOpener(rest: string, isOpenFile: (file: string) => boolean): { path: string; op: EditOp; file: string | null } {
  const word = [...rest.matchAll(/:(before|after|with-comment|remove|append|prepend)(?=\s|$)/g)].at(-1);
  const op = OPS.find((name) => name === word?.[1]);
  if (word && op) {
    const file = rest.slice(word.index + word[0].length).trim();
    return { path: rest.slice(0, word.index), op, file: file || null };
  }
  for (const space of rest.matchAll(/\s+/g)) {
    const file = rest.slice(space.index + space[0].length);
    if (isOpenFile(file)) return { path: rest.slice(0, space.index), op: "replace", file };
  }
  return { path: rest, op: "replace", file: null };
}

function lineOpener(rest: string): Opener {
  const written = /^\S*/.exec(rest)?.[0] ?? "";
  const file = rest.slice(written.length).trim() || null;
  const [start = "", end, op, ...more] = written.split(":");
  if (end === undefined) return singlePart(written, file);
  const invalid = (reason: BlockReason, meant: EditOp = "replace"): Opener => ({
    kind: "invalid",
    reason,
    op: meant,
    file,
    written: `${start}:${end}`,
  });
  if (!isNumber(start) || !isNumber(end)) {
    return looksNumeric(start, end, op, more) ? invalid(notNumbers(start, end, op)) : { kind: "plain", lookalike: true };
  }
  const known = OPS.find((name) => name === op);
  if (more.length > 0 || (op !== undefined && !known)) {
    return invalid({ code: "unknown-operation", op: [op, ...more].join(":") });
  }
  const address = { kind: "lines" as const, start: Number(start), end: Number(end) };
  if (known === "with-comment" || known === "append" || known === "prepend") return invalid({ code: "needs-ast-path", op: known }, known);
  if (address.start < 1) return invalid({ code: "line-zero" }, known);
  if (!Number.isSafeInteger(address.end)) return invalid({ code: "not-a-line-number", written: end }, known);
  if (address.end < address.start) return invalid({ code: "reversed-lines", start: address.start, end: address.end }, known);
  return { kind: "address", address, op: known ?? "replace", file, written: `${start}:${end}` };
}

function singlePart(written: string, file: string | null): Opener {
  if (!/^L?\p{Nd}+([-–,]L?\p{Nd}+)?$/u.test(written)) return { kind: "plain", lookalike: written !== "" };
  return { kind: "invalid", reason: { code: "single-line", written }, op: "replace", file, written };
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

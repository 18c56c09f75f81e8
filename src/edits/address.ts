/** What a block does at its address; without a word for it in the opener, it replaces. */
export type EditOp = "replace" | "before" | "after" | "with-comment" | "remove" | "append" | "prepend";

/** The place a block is for: lines, 1-based and inclusive, or an element. */
export type Address =
  | { readonly kind: "lines"; readonly start: number; readonly end: number }
  | { readonly kind: "ast"; readonly path: string };

/** What a fence's info string says. */
export type Opener =
  /** Ordinary chat. `lookalike` is set for what could have been meant as an address, such as `ts:src/app.ts`. */
  | { readonly kind: "plain"; readonly lookalike: boolean }
  | { readonly kind: "address"; readonly address: Address; readonly op: EditOp; readonly file: string | null; readonly written: string }
  /** Meant as an address, but not a valid one; `written` is what stands in its place. */
  | { readonly kind: "invalid"; readonly reason: string; readonly op: EditOp; readonly file: string | null; readonly written: string };

const OPS: readonly EditOp[] = ["before", "after", "with-comment", "remove", "append", "prepend"];
const AST = "ast-path:";

/** No opener is longer, in UTF-16 units; looking for its parts may cost more than linear time. */
const MAX_OPENER = 2000;

/**
 * Reads an opener: `[lang] ":" (START ":" END | "ast-path:" PATH) [":" op] [SP file]`.
 *
 * PATH may hold spaces and colons, as titles and headings do. It ends at the last op word that a space or the end follows; without
 * one, at the first space behind which the name of a file in edit mode (`isOpenFile`) stands; else it is the whole rest.
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
  if (path.trim() === "") return { kind: "invalid", reason: "the address names no element behind `ast-path:`", op, file, written };
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
  const invalid = (reason: string): Opener => ({ kind: "invalid", reason, op: "replace", file, written: `${start}:${end}` });
  if (!isNumber(start) || !isNumber(end)) {
    return looksNumeric(start, end, op, more) ? invalid(notNumbers(start, end, op)) : { kind: "plain", lookalike: true };
  }
  const known = OPS.find((name) => name === op);
  if (more.length > 0 || (op !== undefined && !known)) {
    return invalid(
      `\`${[op, ...more].join(":")}\` is no operation; there are before, after and remove, and a file's name goes behind a space`,
    );
  }
  const address = { kind: "lines" as const, start: Number(start), end: Number(end) };
  const refused = (reason: string): Opener => ({ kind: "invalid", reason, op: known ?? "replace", file, written: `${start}:${end}` });
  if (known === "with-comment" || known === "append" || known === "prepend")
    return refused(`\`${known}\` works on AST paths only, not on lines`);
  if (address.start < 1) return refused("lines are counted from 1");
  if (address.end < address.start) return refused(`the last line, ${address.end}, is before the first, ${address.start}`);
  if (!Number.isSafeInteger(address.end)) return refused(`${end} is no line number`);
  return { kind: "address", address, op: known ?? "replace", file, written: `${start}:${end}` };
}

function singlePart(written: string, file: string | null): Opener {
  if (!/^L?\p{Nd}+([-–,]L?\p{Nd}+)?$/u.test(written)) return { kind: "plain", lookalike: written !== "" };
  const reason = `\`${written}\` is no address: write the first and the last line with a colon between them, such as \`3:9\``;
  return { kind: "invalid", reason, op: "replace", file, written };
}

/** Tells a failed attempt at lines (`3:x`, `x:y`, `src/a.ts:3:9`) from a file's name or an address on the net. */
function looksNumeric(start: string, end: string, op: string | undefined, more: readonly string[]): boolean {
  if ([start, end, op, ...more].some((part) => part !== undefined && /^[-+]?\p{Nd}+(\.\p{Nd}+)?$/u.test(part))) return true;
  return /^\w*$/.test(start) && /^\w+$/.test(end);
}

function notNumbers(start: string, end: string, op: string | undefined): string {
  if (isNumber(end) && op !== undefined && isNumber(op)) return `a file's name goes behind a space: \`${end}:${op} ${start}\``;
  const wrong = isNumber(start) ? end : start;
  if (wrong === "") return `the ${isNumber(start) ? "last" : "first"} line is missing; an address is START:END`;
  return `\`${wrong}\` is no line number; an address is START:END`;
}

function isNumber(part: string): boolean {
  return /^\d+$/.test(part);
}

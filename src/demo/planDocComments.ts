import { counted } from "../base/counted.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type DemoElement, type DemoSource, demoElements, memberNames } from "./demoSource.ts";
import type { EditBlock, EditPlan } from "./editPlan.ts";

/** Keeps an answer short enough to watch. */
const MAX_BLOCKS = 40;
const CALLABLE = /^(?:function|method|constructor)$/;
const PARAMETER = /^\s*(?:\.\.\.|\*{0,2})([\p{L}_$][\p{L}\p{N}_$]*)/u;

/**
 * Comments `target`, or each exported function and type without a comment. Where nothing is
 * exported, each top-level one. The error is a sentence.
 */
export function planDocComments(source: DemoSource, target: string | null): Result<EditPlan, string> {
  const { path, python } = source;
  const noun = python ? "docstring" : "doc comment";
  const elements = demoElements(source);
  const all = elements.filter(({ kind }) => CALLABLE.test(kind) || /^(?:class|interface|enum)$/.test(kind));
  const top = all.filter(({ topLevel }) => topLevel);
  const exported = top.filter((element) => isExported(source, element));
  const chosen = target !== null ? all.filter(({ name }) => name === target) : exported.length > 0 ? exported : top;
  if (chosen.length === 0) return err(`\`${path}\` has no function or class${target === null ? "" : ` \`${target}\``}.`);
  const lacking = chosen.filter((element) => !isDocumented(source, element) && !element.element.hasError).slice(0, MAX_BLOCKS);
  if (lacking.length === 0) return err(`Nothing to do: ${counted(chosen.length, "element")} in \`${path}\` already have a ${noun}.`);
  const what = `${target === null && exported.length > 0 ? "exported " : ""}element`;
  return ok({
    summary: `I add a ${noun} to ${counted(lacking.length, what)} in \`${path}\`, made of names and types.`,
    blocks: lacking.map((element) => commentBlock(source, element, elements)),
  });
}

function isExported({ text }: DemoSource, { element }: DemoElement): boolean {
  return /^(?:@[^\n]*\n\s*)*export\b/.test(text.slice(element.range.start, element.range.end));
}

function isDocumented({ text, python }: DemoSource, { element }: DemoElement): boolean {
  if (!python) return element.commentStart < element.range.start;
  if (!element.body) return true;
  const { start, end } = element.body.inner;
  return /["']\s*$/.test(text.slice(element.range.start, start)) || /^\s*[rRuU]?["']/.test(text.slice(start, end));
}

function commentBlock(source: DemoSource, element: DemoElement, elements: readonly DemoElement[]): EditBlock {
  const { python } = source;
  const callable = CALLABLE.test(element.kind);
  const code = (name: string) => (python ? name : `\`${name}\``);
  const { names, returns } = callable ? readSignature(source, element) : { names: memberNames(element, elements), returns: null };
  const listed = names
    .map(code)
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1");
  const holds = listed === "" ? "" : `, ${callable ? "given" : "with"} ${listed}`;
  const text = `${nameWords(element.name)}${holds}.${returns === null ? "" : ` Returns ${code(returns)}.`}`;
  const address = `ast-path:${element.path}`;
  if (python) return { address: `${address}:prepend`, body: `"""${text}"""${callable ? "" : "\n"}` };
  return { address: `${address}:before`, body: `/** ${text} */` };
}

/** A function's parameter names and result type. Destructured parameters have no name. */
function readSignature({ text }: DemoSource, { name, element }: DemoElement) {
  const head = text.slice(element.range.start, element.body?.inner.start ?? element.range.end);
  // Commas and brackets in strings and arrows do not count.
  const masked = head.replace(/(["'`])(?:\\.|(?!\1).)*\1|=>/gs, (found) => "_".repeat(found.length));
  const behindName = masked.search(new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`)) + name.length;
  const bare = /^\s*=\s*(?:async\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*=>/u.exec(head.slice(behindName))?.[1];
  let at = masked.indexOf("(", behindName);
  if (bare !== undefined || at < 0) return { names: bare === undefined ? [] : [bare], returns: null };
  const parts: string[] = [];
  let start = at + 1;
  for (let depth = 1; ++at < masked.length && depth > 0; ) {
    const char = masked[at] ?? "";
    if ("([{<".includes(char)) depth++;
    else if (")]}>".includes(char)) depth--;
    if (depth === 0 || (depth === 1 && char === ",")) {
      parts.push(head.slice(start, at));
      start = at + 1;
    }
  }
  const names = parts.flatMap((part) => PARAMETER.exec(part)?.[1] ?? []).filter((found) => found !== "self" && found !== "cls");
  const returns = /^\s*(?::|->)[^\S\n]*(\w[\w$<>[\]., |]{0,39}?)\s*(?:=>|\{|:|$)/.exec(head.slice(start))?.[1] ?? null;
  return { names, returns: returns === null || /\b(?:void|None|never)\b/.test(returns) ? null : returns };
}

/** `circleArea` gives `Circle area`. */
function nameWords(name: string): string {
  const words = name.replaceAll("_", " ").replace(/(?<=[\p{Ll}\d])\p{Lu}(?!\p{Lu})/gu, (letter) => ` ${letter.toLowerCase()}`);
  return words.trim().replace(/^./u, (letter) => letter.toUpperCase());
}

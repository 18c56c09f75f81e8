import { err, ok, type Result } from "../base/result.ts";
import { pluralize } from "../base/text/sentence.ts";
import { type DemoElement, type DemoSource, demoElements, isNamed } from "./demoSource.ts";
import type { DemoBlock, EditPlan } from "./editPlan.ts";

/** Keeps the answer short enough to watch. */
const MAX_BLOCKS = 40;
const CALLABLE = /^(?:function|method|constructor)$/;

/**
 * Plans comments for undocumented elements: `target`, else the exported ones, else all top-level
 * ones. The error is a sentence.
 */
export function planDocComments(
  source: DemoSource,
  target: string | null,
): Result<EditPlan, string> {
  const { path, python } = source;
  const noun = python ? "docstring" : "doc comment";
  const elements = demoElements(source);
  const all = elements.filter(
    ({ kind }) => CALLABLE.test(kind) || /^(?:class|interface|enum)$/.test(kind),
  );
  const top = all.filter(({ topLevel }) => topLevel);
  const exported = top.filter((element) => isExported(source, element));
  const chosen =
    target !== null
      ? all.filter((element) => isNamed(element, target))
      : exported.length > 0
        ? exported
        : top;
  if (chosen.length === 0)
    return err(`\`${path}\` has no function or class${target === null ? "" : ` \`${target}\``}.`);
  const lacking = chosen.filter((element) => !isDocumented(source, element)).slice(0, MAX_BLOCKS);
  if (lacking.length === 0)
    return err(
      `Nothing to do: ${pluralize(chosen.length, "element")} in \`${path}\` already ${chosen.length === 1 ? "has" : "have"} a ${noun}.`,
    );
  const what = `${target === null && exported.length > 0 ? "exported " : ""}element`;
  return ok({
    summary: `I'll add a ${noun} to ${pluralize(lacking.length, what)} in \`${path}\`, based on the names.`,
    blocks: lacking.map((element) => commentBlock(source, element)),
  });
}

function isExported({ text }: DemoSource, { element }: DemoElement): boolean {
  return /^(?:@[^\n]*\n\s*)*export\b/.test(text.slice(element.range.start, element.range.end));
}

function isDocumented({ text, python }: DemoSource, { element }: DemoElement): boolean {
  if (!python) return element.commentStart < element.range.start;
  if (!element.body) return true;
  const { start, end } = element.body.inner;
  return (
    /["']\s*$/.test(text.slice(element.range.start, start)) ||
    /^\s*[rRuU]?["']/.test(text.slice(start, end))
  );
}

function commentBlock({ python }: DemoSource, element: DemoElement): DemoBlock {
  const callable = CALLABLE.test(element.kind);
  const text = `${nameWords(element.name)}.`;
  const address = `ast-path:${element.path}`;
  if (python)
    return { address: `${address}:prepend`, body: `"""${text}"""${callable ? "" : "\n"}` };
  return { address: `${address}:before`, body: `/** ${text} */` };
}

/** `circleArea` becomes `Circle area`. */
function nameWords(name: string): string {
  const words = name
    .replaceAll("_", " ")
    .replace(/(?<=[\p{Ll}\d])\p{Lu}(?!\p{Lu})/gu, (letter) => ` ${letter.toLowerCase()}`);
  return words.trim().replace(/^./u, (letter) => letter.toUpperCase());
}

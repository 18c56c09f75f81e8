import { counted } from "../base/counted.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type DemoElement, type DemoSource, demoElements, isCallable, isType } from "./demoSource.ts";
import type { EditBlock } from "./editBlock.ts";
import { type EditPlan, MAX_BLOCKS } from "./editPlan.ts";
import { nameSentence } from "./nameWords.ts";
import { readSignature } from "./signature.ts";

const WIDTH = 100;

/**
 * A comment for each exported (or, where nothing is exported, each top-level) function and class that lacks one, or for `target`
 * alone. The comments repeat names and parameters: a script knows nothing else to be true. The error is a sentence.
 */
export function planDocComments(source: DemoSource, target: string | null, members: boolean): Result<EditPlan, string> {
  const { path, python } = source;
  const noun = python ? "docstring" : "doc comment";
  const elements = demoElements(source);
  const chosen = target === null ? candidates(source, elements, members) : named(elements, target);
  if (chosen.length === 0) {
    return err(
      target === null
        ? `I find no function or class in \`${path}\` to comment on.`
        : `I find no function or class \`${target}\` in \`${path}\`.`,
    );
  }
  const lacking = chosen.filter((element) => !isDocumented(source, element) && !element.element.hasError);
  const blocks = lacking.slice(0, MAX_BLOCKS).map((element) => commentBlock(source, element, elements));
  if (blocks.length === 0) {
    const subject =
      chosen.length === 1
        ? `\`${chosen[0]?.name}\` in \`${path}\` already has`
        : `All ${chosen.length} of them in \`${path}\` already have`;
    return err(`${subject} a ${noun}. There is nothing to do.`);
  }
  const rest = lacking.length > blocks.length ? ` I write the first ${blocks.length}; ask again for the rest.` : "";
  return ok({
    found: `${counted(lacking.length, scope(source, chosen, target))} in \`${path}\` ${lacking.length === 1 ? "lacks" : "lack"} a ${noun}.${rest}`,
    lineNumbers: false,
    words: `A ${noun} made of what the code says: ${source.typescript ? "names, parameters and result types" : "names and parameters"}.`,
    blocks,
  });
}

function scope(source: DemoSource, chosen: readonly DemoElement[], target: string | null): string {
  if (target !== null) return "element";
  return chosen.some((element) => isExported(source, element)) ? "exported element" : "top-level element";
}

function candidates(source: DemoSource, elements: readonly DemoElement[], members: boolean): readonly DemoElement[] {
  const top = elements.filter((element) => element.topLevel && (isCallable(element) || isType(element)));
  const exported = top.filter((element) => isExported(source, element));
  const chosen = new Set(exported.length > 0 ? exported : top);
  const memberOf = (element: DemoElement) => members && !element.topLevel && element.kind === "method";
  return elements.filter((element) => chosen.has(element) || memberOf(element));
}

function named(elements: readonly DemoElement[], target: string): readonly DemoElement[] {
  const documentable = elements.filter((element) => isCallable(element) || isType(element));
  const exact = documentable.filter((element) => element.path === target);
  return exact.length > 0 ? exact : documentable.filter((element) => element.name === target || element.path.endsWith(`-${target}`));
}

function isExported({ text }: DemoSource, { element }: DemoElement): boolean {
  return /^(?:@[^\n]*\n\s*)*export\b/.test(text.slice(element.range.start, element.range.end));
}

function isDocumented({ text, python }: DemoSource, { element }: DemoElement): boolean {
  if (!python) return element.commentStart < element.range.start;
  if (!element.body) return true;
  const { start, end } = element.body.inner;
  return /("""|'''|["'])\s*$/.test(text.slice(element.range.start, start)) || /^[ \t\r\n]*[rRuU]?["']/.test(text.slice(start, end));
}

function commentBlock(source: DemoSource, element: DemoElement, all: readonly DemoElement[]): EditBlock {
  const sentence = isType(element) ? typeSentence(element, all, source.python) : callableSentence(source, element);
  const indent = " ".repeat(element.topLevel ? 0 : 2);
  if (source.python) return { address: `ast-path:${element.path}:prepend`, body: `"""${sentence}"""${isType(element) ? "\n" : ""}` };
  const oneLine = `/** ${sentence} */`;
  const body =
    indent.length + oneLine.length <= WIDTH ? oneLine : ["/**", ...wrap(sentence, WIDTH - 8).map((line) => ` * ${line}`), " */"].join("\n");
  return { address: `ast-path:${element.path}:before`, body };
}

function callableSentence({ text, python }: DemoSource, { name, element }: DemoElement): string {
  const headEnd = element.body?.inner.start ?? element.range.end;
  const head = text.slice(element.range.start, headEnd);
  const arrow = element.body === null ? head.indexOf("=>") : -1;
  const signature = readSignature(arrow < 0 ? head : head.slice(0, arrow + 2), name);
  const code = (word: string) => (python ? word : `\`${word}\``);
  const given = (signature?.parameters ?? []).flatMap(({ names }) => names).map(code);
  const returns = signature?.returns;
  const told = returns && returns.length <= 40 && !/^(?:Promise<)?(?:void|None|never)\b/.test(returns) ? ` Returns ${code(returns)}.` : "";
  return `${nameSentence(name)}${given.length > 0 ? `, given ${listed(given)}` : ""}.${told}`;
}

function typeSentence(element: DemoElement, all: readonly DemoElement[], python: boolean): string {
  const members = all.filter(
    (other) =>
      other.path.startsWith(`${element.path}-`) &&
      !other.path.slice(element.path.length + 1).includes("-") &&
      other.kind !== "constructor" &&
      !/^_/.test(other.name),
  );
  const names = [...new Set(members.map(({ name }) => (python ? name : `\`${name}\``)))];
  const shown = names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : names;
  return `${nameSentence(element.name)}${shown.length > 0 ? `, with ${listed(shown)}` : ""}.`;
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

import { counted } from "../base/counted.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type CodeProbe, createCodeProbe } from "./codeProbe.ts";
import { type DemoElement, type DemoSource, demoElements, isCallable } from "./demoSource.ts";
import type { EditPlan } from "./editPlan.ts";
import { lineBlocks, type Replacement } from "./lineBlocks.ts";

const MAX_USES = 300;

/** Renames a function, class, variable or method and its uses in the file. The error is a sentence. */
export function planRename(source: DemoSource, from: string, to: string): Result<EditPlan, string> {
  const { path, document } = source;
  const name = from.slice(Math.max(from.lastIndexOf("."), from.lastIndexOf("-")) + 1);
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(to) || RESERVED.has(to)) return err(`\`${to}\` cannot be a name in this language.`);
  if (name === to) return err(`\`${name}\` already has that name.`);
  const elements = demoElements(source).filter((element) => element.name === name);
  const element = elements.find((other) => from.replace(".", "-") === other.path) ?? elements[0];
  if (!element) return err(`I find nothing named \`${name}\` in the outline of \`${path}\`.${suggestion(source, to)}`);
  const probe = createCodeProbe(document);
  const words = occurrences(source.text, name);
  if (words.length > MAX_USES) return err(`\`${name}\` stands ${words.length} times in \`${path}\`: too many for this demonstration.`);
  const taken = occurrences(source.text, to).slice(0, MAX_USES);
  if (taken.some((at) => probe.isCode(at, at + to.length))) return err(`\`${to}\` is already used in \`${path}\`. Choose another name.`);
  const uses = words.filter((at) => probe.isCode(at, at + name.length));
  const edits = uses.flatMap((at) => renameAt(source, element, at, name, to, probe));
  return ok({
    found: `\`${name}\` is the ${element.kind} at line ${element.startLine} of \`${path}\`, with ${counted(edits.length, "place")} to change.`,
    lineNumbers: true,
    words: [
      "Each line with the name is written anew; strings and comments stay as they are.",
      ...remarks(source, element, uses, edits),
    ].join(" "),
    blocks: lineBlocks(source.text, edits),
  });
}

function suggestion(source: DemoSource, to: string): string {
  const names = demoElements(source).flatMap((element) => (element.topLevel && isCallable(element) ? [`\`${element.name}\``] : []));
  return names.length === 0 ? "" : ` It has ${names.slice(0, 5).join(", ")}; for example: *rename ${names[0]} to \`${to}\`*.`;
}

const RESERVED = new Set(
  "and as assert async await break case catch class const continue debugger def default del delete do elif else enum except export extends false False finally for from function global if import in instanceof is lambda let new None nonlocal not null or pass raise return static super switch this throw true True try typeof var void while with yield".split(
    " ",
  ),
);

function occurrences(text: string, name: string): readonly number[] {
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$])`, "gu");
  return [...text.matchAll(word)].map((match) => match.index);
}

/** The change at one use, none where the name means something else. */
function renameAt(
  source: DemoSource,
  element: DemoElement,
  at: number,
  name: string,
  to: string,
  probe: CodeProbe,
): readonly Replacement[] {
  const { text, python } = source;
  const end = at + name.length;
  const before = codeBefore(text, at, probe);
  const after = text.slice(end).trimStart();
  const member = /(?<!\.\.)\.$/.test(before);
  const declared = at >= element.element.range.start && end <= declarationEnd(element);
  const change = [{ start: at, end, newText: to }];
  if (!element.topLevel) return declared || member ? change : [];
  if (member) return [];
  if (declared) return change;
  const opened = /[{,]$/.test(before);
  if (!python && isKey(before, /^\s*$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at)), after)) return [];
  if (python && /[(,]$/.test(before) && /^=(?!=)/.test(after)) return [];
  // `{ area }` as an object is `{ area: area }`; only its value is renamed.
  if (!python && opened && /^[,}]/.test(after) && probe.accepts(at, end, `${name}: ${name}`)) {
    return [{ start: at, end, newText: `${name}: ${to}` }];
  }
  return change;
}

/** The text before a place without the white space and the comments that end it. */
function codeBefore(text: string, at: number, probe: CodeProbe): string {
  let before = text.slice(0, at).trimEnd();
  while (before !== "") {
    const block = before.endsWith("*/");
    if (!block && probe.isCode(before.length - 1, before.length)) break;
    const comment = Math.max(...(block ? ["/*"] : ["//", "/*", "#"]).map((mark) => before.lastIndexOf(mark)));
    if (comment < 0) break;
    before = before.slice(0, comment).trimEnd();
  }
  return before;
}

/** True for a key of an object, a property of a type and the like, which only share the name. */
function isKey(before: string, beginsLine: boolean, after: string): boolean {
  return /^\??:/.test(after) && (beginsLine || /(?:[{,;]|\b(?:readonly|public|private|protected|static))$/.test(before));
}

/** What a reader of the diff should look at: a script knows no scopes and no other files. */
function remarks({ text }: DemoSource, element: DemoElement, uses: readonly number[], edits: readonly Replacement[]): readonly string[] {
  const { name } = element;
  const left = uses.length - edits.length;
  const local = edits.find(
    ({ start }) =>
      start > declarationEnd(element) && /\b(?:const|let|var|function|class|def)\s+$/.test(text.slice(Math.max(0, start - 20), start)),
  );
  return [
    ...(left > 0 ? [`${counted(left, "place")} where \`${name}\` names something else ${left === 1 ? "stays" : "stay"} too.`] : []),
    ...(local
      ? [`Look at line ${text.slice(0, local.start).split("\n").length}: it declares the same name again, and I know no scopes.`]
      : []),
    ...(/^(?:@[^\n]*\n\s*)*export\b/.test(text.slice(element.element.range.start)) ? ["Files that import it are not changed."] : []),
  ];
}

/** The end of the part of an element where its own name stands. */
function declarationEnd({ element }: DemoElement): number {
  return element.body?.inner.start ?? element.range.end;
}

import { err, ok, type Result } from "../base/result.ts";
import { pluralize } from "../base/text/sentence.ts";
import type { SyntaxDocument } from "../syntax/syntax.ts";
import { type DemoElement, type DemoSource, declaredElement } from "./demoSource.ts";
import { type EditPlan, lineBlocks, type Replacement } from "./editPlan.ts";

/** Grammars accept this character only in strings, comments and the like. */
const FOREIGN = "\u0001";
const MAX_USES = 300;
const RESERVED =
  /^(?:and|as|assert|async|await|break|case|catch|class|const|continue|def|default|del|delete|do|elif|else|enum|except|export|extends|false|finally|for|from|function|if|import|in|instanceof|is|lambda|let|new|not|null|or|pass|raise|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|None|True|False)$/;

/**
 * Plans the renaming of an element and its uses. `from` may be `Class.method`. The error is a
 * sentence.
 */
export function planRename(source: DemoSource, from: string, to: string): Result<EditPlan, string> {
  const { path, text, document } = source;
  const name = from.slice(from.lastIndexOf(".") + 1);
  const element = declaredElement(source, from);
  if (!element)
    return err(`\`${path}\` declares no \`${from}\`. Ask *Explain ${path}* to see what it has.`);
  if (to.includes(".") || RESERVED.test(to)) return err(`\`${to}\` cannot be a name here.`);
  const probe = createCodeProbe(document);
  const words = wordOffsets(text, name);
  const taken = wordOffsets(text, to);
  if (words.length + taken.length > MAX_USES)
    return err(`\`${name}\` is used too often in \`${path}\` for demo mode.`);
  if (taken.some((at) => probe.isCode(at, at + to.length)))
    return err(`\`${path}\` already uses \`${to}\`. Choose another name.`);
  const uses = words.filter((at) => probe.isCode(at, at + name.length));
  const edits = uses.flatMap((at) => renameAt(source, element, at, to, probe));
  return ok({
    summary: `I'll rename \`${name}\` to \`${to}\` in ${pluralize(edits.length, "place")} of \`${path}\`. Strings, comments and other files stay.`,
    blocks: lineBlocks(text, edits),
  });
}

function wordOffsets(text: string, name: string): readonly number[] {
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_$])${name.replace(/[$.]/g, "\\$&")}(?![\\p{L}\\p{N}_$])`,
    "gu",
  );
  return [...text.matchAll(word)].map((match) => match.index);
}

/** The change at one occurrence. Empty if the name means something else there. */
function renameAt(
  source: DemoSource,
  declared: DemoElement,
  at: number,
  to: string,
  probe: Probe,
): readonly Replacement[] {
  const { text, python } = source;
  const { topLevel, name, element } = declared;
  const end = at + name.length;
  const trimmed = text.slice(0, at).trimEnd();
  // A comment before the name tells nothing about it.
  const before = trimmed !== "" && probe.isCode(trimmed.length - 1, trimmed.length) ? trimmed : "";
  const after = text.slice(end).trimStart();
  const member = /(?<!\.\.)\.$/.test(before);
  const isDeclaration =
    at >= element.range.start && end <= (element.body?.inner.start ?? element.range.end);
  const change = [{ start: at, end, newText: to }];
  if (!topLevel) return isDeclaration || member ? change : [];
  if (member) return [];
  if (isDeclaration) return change;
  if (python) return /[(,]$/.test(before) && /^=(?!=)/.test(after) ? [] : change;
  const beginsLine = text.slice(text.lastIndexOf("\n", at - 1) + 1, at).trim() === "";
  if (
    /^\??:/.test(after) &&
    (beginsLine || /(?:[{,;]|\b(?:readonly|public|private|protected|static))$/.test(before))
  )
    return [];
  // `{ area }` is short for `{ area: area }`, and only the value changes.
  const shorthand =
    /[{,]$/.test(before) && /^[,}]/.test(after) && probe.accepts(at, end, `${name}: ${name}`);
  return shorthand ? [{ start: at, end, newText: `${name}: ${to}` }] : change;
}

type Probe = ReturnType<typeof createCodeProbe>;

/** Asks the parser about a position, by making a trial change and undoing it. */
function createCodeProbe(document: SyntaxDocument) {
  const errors = document.errorCount();
  /** Whether replacing the range adds no syntax error. */
  const accepts = (start: number, end: number, replacement: string): boolean => {
    const original = document.text.slice(start, end);
    document.edit({ start, end }, replacement);
    const accepted = document.errorCount() <= errors;
    document.edit({ start, end: start + replacement.length }, original);
    return accepted;
  };
  /** False in strings, comments, regular expressions and markup text. */
  const isCode = (start: number, end: number): boolean =>
    !accepts(
      start,
      end,
      document.text.slice(start, start + 1) + FOREIGN + document.text.slice(start + 1, end),
    );
  return { accepts, isCode };
}

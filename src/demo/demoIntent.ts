import type { Syntax } from "../syntax/syntax.ts";

/** The user's request, and the line that contains it. */
export type DemoIntent = { readonly line: string } & (
  | { readonly kind: "document"; readonly target: string | null }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "explain" }
);

const LEAD =
  /^(?:(?:hi|hello|hey|ok|okay|please|now|then|also|and|let's|(?:can|could|would|will) you|I(?: want|'d like| would like) (?:you )?to|in \S+?)[,.!:]?\s+)+/i;
const NAME = "[`'\"]?([\\p{L}_$][\\p{L}\\p{N}_$.]*)[`'\"]?";
const RENAME = new RegExp(
  `^rename\\s+(?:(?:the|function|method|class|interface|type|variable|constant)\\s+)*${NAME}(?:\\s+in\\s+\\S+)?\\s+(?:to|as|into)\\s+${NAME}`,
  "iu",
);
/**
 * Comments as the object of the verb: *add a function that strips comments* asks for something else.
 */
const DOCUMENT =
  /^(document|comment(?! (?:out|on)\b)|(?:add|write|create|put|generate)\s+(?:(?:an?|the|some|any|missing|more|short|brief|useful|simple|one-line|inline|code)\s+)*(?:(?:docs?|documentation|[jt]sdoc)[ -]?(?:strings?|comments?|blocks?)|docs?|[jt]sdocs?|comments?|documentation))(?![\p{L}\p{N}_-])/iu;
const CLAUSE_END =
  /[.,;:!?]+(?:\s|$)|\s(?:and|but|that|which|with|without|describing|explaining)\s/i;
const PLACE = /^(?:to|for|on|above|in|into|at|of|from|before|inside)$/i;
const KIND = /^(?:functions?|methods?|class(?:es)?|interfaces?|enums?)$/i;
/** Other words about code in general. */
const GENERAL =
  /^(?:please|an?|the|this|these|each|every|all|any|my|its|other|exported|public|undocumented|top-level|current|open|selected|it|them|here|everything|everywhere|exports|elements?|symbols?|members?|files?|code|selection)$/i;
const WORD = /^["'`]?([\p{L}_$][\p{L}\p{N}_$.]*?)(["'`]|\(\)["'`]?)?$/u;
const EXPLAIN =
  /^(?:explain|describe|summari[sz]e|outline(?: of)?|what(?:'s| is| does)|give me an? (?:overview|outline|summary))\b/i;
/** The file at hand. Anything else than a file, such as a function, has no script. */
const THIS_FILE =
  /\b(?:this|the|my|current) (?:current |open )?(?:file|outline|code|selection)\b|^\s*(?:of )?(?:what )?(?:this|it)(?: is| does| do)?[\s.?!]*$/i;
const PATH = /["'`]([^"'`\n]+\.\w+)["'`]|([\p{L}\p{N}_@~./\\-]+\.[A-Za-z]\w*)/gu;
const EDITABLE = /\.(?:[mc]?[jt]sx?|py[iw]?)$/i;

/** Whether demo mode edits files with this name. */
export function isEditable(path: string): boolean {
  return EDITABLE.test(path);
}

/** What may be a path in a line, with `/`. `Cart.add` looks like one, too. */
export function dottedWords(line: string): readonly string[] {
  return [...line.matchAll(PATH)].map((match) =>
    (match[1] ?? match[2] ?? "").replaceAll("\\", "/"),
  );
}

/** Whether one of the dotted words can only be a file: by its folder or its extension. */
export function namesFile(word: string, syntax: Pick<Syntax, "languageOf">): boolean {
  return word.includes("/") || isEditable(word) || syntax.languageOf(word, "") !== null;
}

/** Finds the last line that is a request, or null. */
export function demoIntent(said: string, syntax: Pick<Syntax, "languageOf">): DemoIntent | null {
  for (const line of said.split("\n").reverse()) {
    const text = line.replace(LEAD, "");
    const [, from, to] = RENAME.exec(text) ?? [];
    if (from !== undefined && to !== undefined)
      return { kind: "rename", line, from, to: to.replace(/\.+$/, "") };
    const documented = documentedIn(text, syntax);
    if (documented) return { kind: "document", line, ...documented };
    const subject = text.replace(EXPLAIN, "");
    if (subject === text) continue;
    if (THIS_FILE.test(subject) || dottedWords(line).some((word) => namesFile(word, syntax)))
      return { kind: "explain", line };
  }
  return null;
}

/** What a request to document asks about: a name, or null for code in general. Null for no request. */
function documentedIn(
  text: string,
  syntax: Pick<Syntax, "languageOf">,
): { readonly target: string | null } | null {
  const asked = DOCUMENT.exec(text);
  if (!asked) return null;
  const isVerb = !/\s/.test(asked[0]);
  const [clause = ""] = text.slice(asked[0].length).split(CLAUSE_END);
  const words = clause.split(/\s+/).filter((word) => word !== "");
  let target: string | null = null;
  for (const [index, word] of words.entries()) {
    if (PLACE.test(word) || KIND.test(word) || GENERAL.test(word)) continue;
    if (dottedWords(word).some((path) => namesFile(path, syntax))) continue;
    const [, name, mark] = WORD.exec(word) ?? [];
    const before = words[index - 1];
    const isNamed =
      mark !== undefined ||
      (before === undefined ? isVerb : PLACE.test(before) || KIND.test(before)) ||
      KIND.test(words[index + 1] ?? "");
    if (name === undefined || !isNamed) return null;
    target ??= name;
  }
  return { target };
}

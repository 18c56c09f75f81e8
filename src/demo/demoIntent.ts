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
const DOCUMENT =
  /^(?:(?:document|comment)\b|(?:add|write|create|put|generate)\b.*\b(?:docs?|docstrings?|[jt]sdoc|comments?|documentation)\b)/i;
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
    if (DOCUMENT.test(text)) {
      const target = /`([\p{L}\p{N}_$]+)(?:\(\))?`|(?<![\p{L}\p{N}_$])([\p{L}\p{N}_$]+)\(\)/u.exec(
        text,
      );
      return { kind: "document", line, target: target?.[1] ?? target?.[2] ?? null };
    }
    const subject = text.replace(EXPLAIN, "");
    if (subject === text) continue;
    if (THIS_FILE.test(subject) || dottedWords(line).some((word) => namesFile(word, syntax)))
      return { kind: "explain", line };
  }
  return null;
}

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
  /^(?:explain|describe|summari[sz]e|outline (?:of|the|this)|what(?:'s| is| does)|give me an? (?:overview|outline|summary))\b/i;

/** Finds the last line that is a request, or null. */
export function demoIntent(said: string): DemoIntent | null {
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
    if (EXPLAIN.test(text)) return { kind: "explain", line };
  }
  return null;
}

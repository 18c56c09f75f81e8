/** What the user asks for, as far as the demonstration understands it. */
export type DemoIntent =
  | { readonly kind: "document"; readonly target: string | null; readonly members: boolean }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "extract"; readonly literal: string | null; readonly name: string | null }
  | { readonly kind: "guard"; readonly target: string | null }
  | { readonly kind: "explain" }
  | { readonly kind: "unknown"; readonly hint: string | null };

const NAME = "[`'\"]?([A-Za-z_$][\\w$.-]*)[`'\"]?";
const KIND =
  "(?:(?:the|a|an|each|every|all|this|exported|public)\\s+)*(?:(?:function|method|class|interface|type|variable|constant|const|symbol|def)\\s+)?";

/** Reads a request in plain English; the words around the names do not matter. */
export function demoIntent(request: string): DemoIntent {
  const text = request.replace(/\s+/g, " ");
  if (/\brename\b/i.test(text)) {
    const names = new RegExp(`\\brename\\s+${KIND}${NAME}(?:\\s+in\\s+\\S+?)?\\s+(?:to|as|into|->|=>|→)\\s+${NAME}`, "i").exec(text);
    const [from, to] = [trimName(names?.[1]), trimName(names?.[2])];
    if (from && to) return { kind: "rename", from, to };
    return { kind: "unknown", hint: "To rename, tell me both names, for example: *rename `describe` to `summarize`*." };
  }
  if (/\b(extract|magic|hoist|pull out|constant for)\b/i.test(text)) {
    return { kind: "extract", literal: namedLiteral(text), name: constantName(text) };
  }
  if (/\b(guards?|validat\w*|precondition|argument check|check(s|ing)? (the )?(arguments?|parameters?))\b/i.test(text))
    return { kind: "guard", target: namedTarget(text) };
  if (/\b(doc|docs|docstrings?|jsdoc|tsdoc|comments?|documentation)\b|\bdocument\b(?! is)/i.test(text)) {
    return { kind: "document", target: namedTarget(text), members: /\bmethods?\b/i.test(text) };
  }
  if (/\b(explain\w*|outline|summar\w+|describe|overview|structure|what('s| is| does)|walk me)\b/i.test(text)) return { kind: "explain" };
  return { kind: "unknown", hint: null };
}

/** The last word of a request may carry its full stop. */
function trimName(name: string | undefined): string | null {
  return name?.replace(/[.-]+$/, "") || null;
}

function namedLiteral(text: string): string | null {
  const quoted = /(?:literal|string|text|value)\s+`?(["'])(.+?)\1`?/i.exec(text) ?? /`(["'])([^`]+)\1`/.exec(text);
  if (quoted) return JSON.stringify(quoted[2]);
  return /(?<![\w.$/-])(\d[\d_]*(?:\.\d+)?)(?![\w/-]|\.\d|\.\w)/.exec(text)?.[1] ?? null;
}

function constantName(text: string): string | null {
  const name = new RegExp(
    `\\b(?:to|into|as|named|called|name it|call it)\\s+(?:(?:a|an|the|top-level|named|constant|const|variable|called|module)\\s+)*${NAME}`,
    "i",
  ).exec(text)?.[1];
  const trimmed = trimName(name);
  // "to the top" and "into constants" name a place, not a constant.
  return trimmed && (/[A-Z]/.test(trimmed) || trimmed.includes("_")) && !/^(Constant|Top|File)s?$/i.test(trimmed) ? trimmed : null;
}

/** A name the request marks as code: in backticks, with a call's parentheses, or after the word for what it is. */
function namedTarget(text: string): string | null {
  const candidates = [
    ...text.matchAll(/`([A-Za-z_$][\w$.#-]*)(?:\(\))?`/g),
    ...text.matchAll(/\b([A-Za-z_$][\w$]*)\(\)/g),
    ...text.matchAll(/\b(?:function|method|class|def)\s+([A-Za-z_$][\w$]*)\b/g),
  ];
  const name = candidates
    .map((match) => match[1] ?? "")
    .find((found) => !/\.[a-z]{1,4}$/i.test(found) && !STOP_WORDS.has(found.toLowerCase()));
  return name?.replace(".", "-") ?? null;
}

const STOP_WORDS = new Set([
  "in",
  "of",
  "to",
  "that",
  "without",
  "lacking",
  "and",
  "or",
  "with",
  "which",
  "for",
  "at",
  "on",
  "from",
  "has",
  "has",
  "is",
]);

/** What a part of a proposal changes, as text. */
export interface PartText {
  readonly path: string;
  /** 1-based, in the proposal; null for a deletion or a move. */
  readonly line: number | null;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** The lines above that open what it is in, outermost first. */
  readonly scope: readonly string[];
  /** Its file before; "" for none. */
  readonly before: string;
}

const NAME = /[A-Za-z_$][\w$]+/g;
const COMMENT = /^\s*(?:\/\/|\/?\*|--|#(?!include|define))/;
const IMPORT =
  /^\s*(?:import\b|export\b.*\bfrom\b|from\b.*\bimport\b|use\s|using\s|#include|.*\brequire\()/;
/** A name in a list, as of an import over several lines. */
const LISTED = /^\s*(?:type\s+)?[\w$]+(?:\s+as\s+[\w$]+)?,?\s*$/;
const KEYWORD =
  /\b(?:function\*?|class|interface|type|enum|struct|trait|def|fn|func|fun|const|let|var|val|module|namespace|record|#define)\s+([A-Za-z_$][\w$]*)/g;
const METHOD =
  /^\s*(?:(?:public|private|protected|static|async|override|export|get|set|final|pub)\s+)*([A-Za-z_$][\w$]+)\s*(?:<[^>]*>)?\(.*\{\s*$/;
const MEMBER = /^\s*(?:readonly\s+)?["']?([A-Za-z_$][\w$]+)["']?\??\s*:(?!:)/;
const FLOW = new Set(["if", "for", "while", "switch", "catch", "return", "function", "default"]);
const TEST = /(?:^|[/\\._-])(?:tests?|specs?|__tests__)(?:[/\\._-]|$)/i;

/** The names in lines that are no comments. */
export function wordsIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => (COMMENT.test(line) ? [] : (line.match(NAME) ?? []))));
}

/** The names that lines define, as far as a line shows it in any language. */
export function definedIn(lines: readonly string[]): ReadonlySet<string> {
  const names = lines.flatMap((line) => {
    if (COMMENT.test(line) || IMPORT.test(line)) return [];
    const keywords = [...line.matchAll(KEYWORD)].map((match) => match[1] ?? "");
    const method = METHOD.exec(line)?.[1] ?? MEMBER.exec(line)?.[1] ?? "";
    return [...keywords, ...(FLOW.has(method) ? [] : [method])].filter((name) => name !== "");
  });
  return new Set(names);
}

/** The names that a part brings into its file from others. */
export function importedIn({ added, scope }: PartText): ReadonlySet<string> {
  const isInside = IMPORT.test(scope[0] ?? "");
  let isOpen = isInside;
  const lines = added.filter((line) => {
    if (IMPORT.test(line)) {
      isOpen = /[{(]\s*$/.test(line);
      return true;
    }
    if (isOpen && !LISTED.test(line)) isOpen = false;
    return isOpen;
  });
  return wordsIn(lines);
}

/** The lines that say what is done: no comments, imports, blank lines or brackets alone. */
export function codeLines(lines: readonly string[]): number {
  return lines.filter((line) => /\w/.test(line) && !COMMENT.test(line) && !IMPORT.test(line))
    .length;
}

/** True where all that was there stays, and only something is added to it. */
export function isAddition({ removed, added }: PartText): boolean {
  const words = (lines: readonly string[]): readonly string[] =>
    lines.join("\n").match(/\w+|[^\w\s]/g) ?? [];
  const now = words(added);
  let at = 0;
  return words(removed).every((word) => {
    at = now.indexOf(word, at) + 1;
    return at > 0;
  });
}

/** True for a file of tests, by its path. */
export function isTest(path: string): boolean {
  return TEST.test(path);
}

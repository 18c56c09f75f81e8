import { err, ok, type Result } from "../base/result.ts";
import type { OutlineEntry, Syntax, SyntaxDocument, SyntaxElement } from "../syntax/syntaxTypes.ts";

/** A file the demonstration works on. Lines are joined by `\n`, whatever the file has. */
export interface DemoSource {
  readonly path: string;
  readonly text: string;
  /** What stands before the colon of an edit block: `ts`, `py`. */
  readonly tag: string;
  readonly python: boolean;
  readonly typescript: boolean;
  /** False for a language that is outlined, but not edited. */
  readonly editable: boolean;
  readonly document: SyntaxDocument;
}

/** An element of the outline, with its place in the text. */
export interface DemoElement extends OutlineEntry {
  readonly element: SyntaxElement;
  /** The last segment of the path, without the number of a repeated name. */
  readonly name: string;
  /** True for an element that stands in no other. */
  readonly topLevel: boolean;
}

/** How `read_file` ends a line that is too long to show. */
const CUT_OFF = /… \[line cut off: \d+ characters in all\]$/m;

/** Parses a file. The error is a sentence. The document is the caller's to dispose of. */
export async function openDemoSource(path: string, text: string, syntax: Syntax, signal: AbortSignal): Promise<Result<DemoSource, string>> {
  const language = syntax.languageOf(path, "");
  const document = await syntax.openFile(path, "", text, signal);
  if (document === null) {
    return err(
      `I cannot parse \`${path}\`: there is no grammar for it. This demonstration works on TypeScript, JavaScript and Python files.`,
    );
  }
  if (CUT_OFF.test(text)) {
    document.dispose();
    return err(`\`${path}\` has lines so long that I am not shown all of them, so I leave it alone.`);
  }
  const typescript = language === "typescript" || language === "tsx";
  const python = language === "python";
  const tag = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? language ?? "";
  return ok({ path, text, tag, python, typescript, editable: python || typescript || language === "javascript", document });
}

/** The outline with ranges, without imports. */
export function demoElements({ document }: DemoSource): readonly DemoElement[] {
  const entries = document.outline().filter((entry) => !entry.path.startsWith("@") && entry.kind !== "import");
  const found: DemoElement[] = [];
  let outer: SyntaxElement | null = null;
  for (const entry of entries) {
    const resolved = document.resolve(entry.path);
    if (!resolved.ok) continue;
    const element = resolved.value;
    const topLevel: boolean = outer === null || element.range.start >= outer.range.end;
    if (topLevel) outer = element;
    found.push({ ...entry, element, topLevel, name: elementName(entry.path) });
  }
  return found;
}

/** True for a function or a method, also one held in a variable. */
export function isCallable({ kind }: OutlineEntry): boolean {
  return kind === "function" || kind === "method" || kind === "constructor";
}

/** True for what holds members of its own: a class or an interface. */
export function isType({ kind }: OutlineEntry): boolean {
  return kind === "class" || kind === "interface" || kind === "struct" || kind === "enum" || kind === "trait";
}

function elementName(path: string): string {
  return path.slice(path.lastIndexOf("-") + 1).replace(/#\d+$/, "");
}

import type { LineSpan } from "../../ports/editorState.ts";
import type { FileSnapshot } from "../../ports/workspace.ts";
import type { OutlineEntry, Syntax, SyntaxDocument } from "../../syntax/syntax.ts";
import { parseOpener } from "../answer/parseOpener.ts";
import { mapLines } from "../place/mapLines.ts";

/** Where a code block of an answer can go in a file; lines are 1-based and inclusive. */
export type CodePlace =
  /** Where its own fence says. */
  | { readonly kind: "address" }
  | {
      readonly kind: "element";
      readonly path: string;
      readonly first: number;
      readonly last: number;
    }
  | { readonly kind: "selection"; readonly first: number; readonly last: number }
  /** After the cursor's line, or in its place where it is blank. */
  | { readonly kind: "cursor"; readonly line: number }
  | { readonly kind: "end" }
  | { readonly kind: "file" };

/** What the file's editor shows. */
export interface CodeEditor {
  readonly text: string;
  readonly selection: LineSpan | null;
  readonly cursorLine: number;
}

/** The place of a code block where that is certain, else the possible ones, likeliest first. */
export interface CodePlaces {
  readonly certain: CodePlace | null;
  readonly places: readonly CodePlace[];
}

interface CodeElement {
  readonly name: string;
  readonly kind: string;
  /** True where nothing else but comments stands in the code. */
  readonly isAll: boolean;
}

/** Finds where `code` belongs: by its fence, its only element, the selection or the cursor. */
export async function codePlaces(
  { code, info }: { readonly code: string; readonly info: string },
  { file, exists, text, languageId }: FileSnapshot,
  document: SyntaxDocument | null,
  editor: CodeEditor | null,
  syntax: Syntax,
): Promise<CodePlaces> {
  const opener = parseOpener(info, {
    isOpenFile: (name) => name === file.path,
    namesElement: (path) => document?.resolve(path).ok ?? false,
  });
  if (!exists || text.trim() === "") return { certain: { kind: "file" }, places: [] };
  if (opener.kind !== "plain") return { certain: { kind: "address" }, places: [] };
  const language = syntax.languageOf(file.path, languageId);
  const elements = language === null || !document ? [] : await topElements(code, language, syntax);
  const found = document
    ? elements.flatMap((element) => sameElements(element, code, document))
    : [];
  const [only, ...others] = found;
  const certainly =
    only && others.length === 0 && only.isCertain && elements.length === 1 && elements[0]?.isAll
      ? only.place
      : null;
  const shown = editor ? editorPlace(editor, text) : null;
  const places = [
    ...found.map(({ place }) => place),
    ...(shown ? [shown] : []),
    { kind: "end" as const },
    { kind: "file" as const },
  ];
  return { certain: certainly ?? (found.length === 0 ? shown : null), places };
}

/** The elements of `code` that stand in no other one; members of a class are read as such. */
async function topElements(
  code: string,
  language: string,
  syntax: Syntax,
): Promise<readonly CodeElement[]> {
  for (const [before, after] of [
    ["", ""],
    ["class _ {\n", "\n}"],
  ] as const) {
    const document = await syntax.open(language, before + code + after);
    try {
      if (!document || document.errorCount() > 0) continue;
      const offset = before === "" ? 0 : 1;
      const own = document
        .outline()
        .filter(({ kind, path }) => kind !== "import" && path !== "_" && !path.startsWith("@"));
      const top = own.filter(
        (entry) => !own.some((other) => other !== entry && encloses(other, entry)),
      );
      if (top.length === 0) continue;
      const lines = code.split("\n");
      return top.map(({ path, kind, startLine, endLine }) => {
        const outside = lines.filter(
          (_, index) => index + 1 < startLine - offset || index + 1 > endLine - offset,
        );
        return {
          name: path.replace(/^_-/, ""),
          kind,
          isAll: outside.every((line) => SAYS_NOTHING.test(line)),
        };
      });
    } finally {
      document?.dispose();
    }
  }
  return [];
}

/** A blank line, or one of a comment. */
const SAYS_NOTHING = /^\s*(?:$|\/\/|\/?\*|#(?!\s*(?:include|define|if|pragma))|--|;)/;

function encloses(outer: OutlineEntry, inner: OutlineEntry): boolean {
  const isWider = outer.endLine - outer.startLine > inner.endLine - inner.startLine;
  return isWider && outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;
}

/** The elements that a definition may replace; certain for the only one of its kind. */
function sameElements(
  { name, kind }: CodeElement,
  code: string,
  document: SyntaxDocument,
): readonly { readonly place: CodePlace; readonly isCertain: boolean }[] {
  const found = document.resolve(name, code.split("\n"));
  const outline = document.outline();
  const paths = found.ok
    ? [found.value.path]
    : found.error.code === "ambiguous"
      ? found.error.candidates.map(({ path }) => path)
      : [];
  return outline.flatMap((entry) => {
    if (!paths.includes(entry.path)) return [];
    // A method of Python looks like a function where its class is left out.
    const isSame =
      entry.kind === kind || (entry.kind === "method" && /\(\s*(?:self|cls)\b/.test(code));
    const place = {
      kind: "element" as const,
      path: entry.path,
      first: entry.startLine,
      last: entry.endLine,
    };
    return [{ place, isCertain: found.ok && isSame }];
  });
}

/** The editor's selection, else its cursor, in lines of `text`; null where these lines differ. */
function editorPlace(
  { text: shown, selection, cursorLine }: CodeEditor,
  text: string,
): CodePlace | null {
  const { first, last } = selection ?? { first: cursorLine, last: cursorLine };
  const now = mapLines(shown, text, { start: first, end: last }, "replace");
  if (!now.ok) return null;
  return selection
    ? { kind: "selection", first: now.value.start, last: now.value.end }
    : { kind: "cursor", line: now.value.start };
}

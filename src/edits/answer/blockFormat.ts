import type { AddressFormat } from "./captureOptions.ts";
import { type ExampleWords, exampleWords } from "./exampleWords.ts";

/** An opener's `lang` for a file name; only for coloring. */
function fenceLanguage(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "text";
}

const RULES = `- Write the complete new text of each place, with its indentation; never leave out code with a comment like "rest unchanged".
- Lines and blank lines are inserted exactly as you write them.
- A body that itself holds fenced blocks needs a longer fence around it.
- Always quote both ends of lines, the one end of a single line: a wrong number then changes nothing.
- Several blocks may follow one another. Code blocks without an address change nothing.`;

/** Explains a mode's block format by examples; `named` where openers must end with the path. */
export function blockFormat(mode: AddressFormat, path: string, named: boolean): string {
  const lang = fenceLanguage(path);
  const end = named ? ` ${path}` : "";
  const words = exampleWords(path);
  if (mode === "complete") {
    const opener = named ? "without an address but with its path" : "without an address";
    return `Write the whole new content of the file as one plain fenced block, ${opener}:\n\n${example(lang + end, "all lines of the file")}`;
  }
  if (mode === "lines") return `${linesText(lang, end, words)}\n\n${RULES}`;
  if (mode === "ast") return `${astText(lang, end, words)}\n\n${RULES}`;
  return `${astText(lang, end, words)}\n\nInstead, all blocks may name lines (\`${lang}:3:9${end}\`, 1-based, inclusive, as the file is now). Do not mix the two; the first block decides.\n\n${RULES}`;
}

/** One line on the form of a block's opener; `named` as in {@link blockFormat}. */
export function openerHint(mode: AddressFormat, path: string, named: boolean): string {
  const lang = fenceLanguage(path);
  const end = named ? ` ${path}` : "";
  if (mode === "complete")
    return `Write the whole file as one fenced block without an address: \`\`\`${lang}${end}, the lines, \`\`\`.`;
  const lines = `\`\`\`${lang}:START:END${end} (lines of the file, 1-based and inclusive)`;
  const ast = `\`\`\`${lang}:ast-path:${exampleWords(path).element}${end} (a path from the file's outline)`;
  const forms = mode === "lines" ? lines : mode === "ast" ? ast : `${ast} or ${lines}`;
  return `A change is a fenced code block whose opener holds an address: ${forms}. Its body is the new text, and \`\`\` on a line of its own closes it.`;
}

function linesText(lang: string, end: string, { first, last }: ExampleWords): string {
  return `Write each change as a fenced code block that names lines (START:END, 1-based, both inclusive) of the file as you saw it; the numbers do not shift while you write.

Replace lines 3 to 9 (an empty body deletes them). The quotes hold the words that lines 3 and 9 begin with now, just enough to tell each from the two lines above and below it:
${example(`${lang}:3:9 "${first}" "${last}"${end}`, "the new lines")}

Insert before line 3:
${example(`${lang}:3:3:before${end}`, "the lines to insert")}

Insert after line 9:
${example(`${lang}:9:9:after${end}`, "the lines to insert")}

Delete lines 3 to 9:
${example(`${lang}:3:9:remove${end}`, null)}`;
}

function astText(
  lang: string,
  end: string,
  { element, longer, first, last }: ExampleWords,
): string {
  return `Write each change as a fenced code block that names an element by its AST path: names from the outermost to the element, joined by \`-\`, as in the outline; names at its beginning may be left out where no other path ends so. Its numbers (\`#2\`) do not shift while you write.

Replace an element of up to about 3 lines, with its decorators and modifiers, without the comment above it (an empty body deletes it):
${example(`${lang}:ast-path:${element}${end}`, "the complete new element")}

In a longer element replace only the lines that change, here 12 to 18 of the file as you saw it. The quotes hold the words that lines 12 and 18 begin with now, just enough to tell each from the two lines above and below it. Changes with up to two lines between them, blank ones aside, are one block:
${example(`${lang}:ast-path:${longer}:12:18 "${first}" "${last}"${end}`, "the new lines")}

An operation ends the address, as in \`${element}:with-comment\`, which also replaces the comment directly above. \`:before\` (above the comment) and \`:after\` insert lines, \`:remove\` deletes an element with its comment, \`:append\` and \`:prepend\` insert a last or first member of its body. Lines take \`:before\`, \`:after\` and \`:remove\`.

\`@imports\` is the import section (replace, append, prepend), \`@file\` the whole file (append, prepend, lines).`;
}

function example(opener: string, body: string | null): string {
  const lines = body === null ? [] : [body];
  return [`\`\`\`${opener}`, ...lines, "```"].join("\n");
}

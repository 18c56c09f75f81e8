import * as z from "zod/mini";
import { firstPart } from "../../base/text/clip.ts";
import { splitLines } from "../../base/text/lines.ts";
import type { CodeLocation, LanguageServices } from "../../ports/languageServices.ts";
import { readPath, type Workspace } from "../../ports/workspace.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { failed } from "../messages.ts";
import { firstLines, NOTES } from "../notes.ts";
import type { Tool, ToolResult } from "../tool.ts";
import { firstHits, NO_HITS } from "./searchHits.ts";

const MAX_PLACES = 200;
const MAX_LINE_LENGTH = 200;

const schema = z.object({
  file_path: z
    .string()
    .check(
      z.minLength(1),
      z.describe("A file that defines or uses the symbol, relative to the workspace."),
    ),
  line: z.int().check(z.minimum(1), z.describe("A line with the symbol, counted from 1.")),
  symbol: z
    .string()
    .check(z.minLength(1), z.describe("The symbol's name as written in that line.")),
});

/** `find_references`: where a symbol is used, according to the editor's language extensions. */
export function createFindReferences(workspace: Workspace, services: LanguageServices): Tool {
  return defineTool({
    name: "find_references",
    description:
      "Finds every use of the symbol at a place, and its definition, as `path:line<TAB>text`. Unlike search_in_files it distinguishes symbols of the same name.",
    category: "nav",
    effect: "read",
    maxRetries: 1,
    schema,
    async execute({ file_path, line, symbol }, { signal }): Promise<ToolResult> {
      const read = await readPath(workspace, file_path, signal);
      if (!read.ok) return fileToolError(read.error);
      const { file, text } = read.value;
      const character = splitLines(text)[line - 1]?.text.indexOf(symbol) ?? -1;
      if (character < 0) return failed("symbol-not-in-line", { path: file.path, line, symbol });
      const found = await services.findReferences(file, line - 1, character, signal);
      if (!found.ok) return failed("no-references", { detail: found.error });
      if (found.value.length === 0) return { ok: true, output: NOTES.noReferences, hits: NO_HITS };
      const lineOf = ({ path, line: at, text: code }: CodeLocation) =>
        `${path}:${at}\t${firstPart(code, MAX_LINE_LENGTH)}`;
      const output = firstLines(found.value, MAX_PLACES, lineOf);
      return { ok: true, output, hits: firstHits(found.value, MAX_PLACES) };
    },
  });
}

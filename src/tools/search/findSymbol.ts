import * as z from "zod/mini";
import type { CodeSymbol, LanguageServices } from "../../ports/languageServices.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { firstLines, NOTES } from "../notes.ts";
import type { Tool, ToolResult } from "../tool.ts";
import { outlineSymbols } from "./outlineSymbols.ts";
import { firstHits, NO_HITS } from "./searchHits.ts";

const MAX_SYMBOLS = 100;

const schema = z.object({
  name: z
    .string()
    .check(z.minLength(1), z.describe("The name, or a part of it: a class, function, method, …")),
});

/**
 * `find_symbol`: where a name is defined, according to the editor's language extensions, else to
 * the outlines of files with the name.
 */
export function createFindSymbol(
  workspace: Workspace,
  syntax: Syntax,
  services: LanguageServices,
): Tool {
  return defineTool({
    name: "find_symbol",
    description:
      "Finds where a class, function, method or other symbol is defined, as `path:line<TAB>kind name`. To find its uses call find_references, for other text search_in_files.",
    category: "nav",
    effect: "read",
    maxRetries: 1,
    schema,
    async execute({ name }, { signal }) {
      const known = await services.findSymbols(name, signal);
      if (known.ok && known.value.length > 0) return foundSymbols(known.value);
      const outlined = await outlineSymbols(workspace, syntax, name, signal);
      if (!outlined.ok) return fileToolError(outlined.error);
      const { symbols, unread, cut } = outlined.value;
      const rest = unread > 0 || cut ? `\n${NOTES.filesUnread(unread, cut)}` : "";
      if (symbols.length === 0)
        return { ok: true, output: `${NOTES.noSymbol}${rest}`, hits: NO_HITS };
      const listed = foundSymbols(symbols);
      return listed.ok ? { ...listed, output: `${listed.output}${rest}` } : listed;
    },
  });
}

function foundSymbols(symbols: readonly CodeSymbol[]): ToolResult {
  const lineOf = ({ path, line, kind, name, container }: CodeSymbol) =>
    `${path}:${line}\t${kind} ${name}${container === null ? "" : ` in ${container}`}`;
  const output = firstLines(symbols, MAX_SYMBOLS, lineOf, "Give more of the name.");
  return { ok: true, output, hits: firstHits(symbols, MAX_SYMBOLS) };
}

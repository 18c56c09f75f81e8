import * as z from "zod/mini";
import type { CodeSymbol, LanguageServices } from "../../ports/languageServices.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { firstLines, NOTES } from "../notes.ts";
import type { Tool, ToolResult } from "../tool.ts";
import { type OutlinedSymbols, outlineSymbols } from "./outlineSymbols.ts";
import { firstHits, NO_HITS } from "./searchHits.ts";

const MAX_SYMBOLS = 100;
const MAX_MENTIONS = 20;
/** Longer ones make a regular expression too large, in UTF-16 units. */
const MAX_NAME = 1_000;

const schema = z.object({
  name: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(MAX_NAME),
      z.describe("The name, or a part of it: a class, function, method, …"),
    ),
});

/**
 * `find_symbol`: where a name is defined, according to the editor's language extensions, else to
 * the outlines of files with the name. `pending` are the files that proposals change.
 */
export function createFindSymbol(
  workspace: Workspace,
  syntax: Syntax,
  services: LanguageServices,
  pending: () => readonly string[] = () => [],
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
      if (known.ok && known.value.length > 0)
        return foundSymbols(known.value, gapNote(known.value, pending()));
      const outlined = await outlineSymbols(workspace, syntax, name, signal);
      if (!outlined.ok) return fileToolError(outlined.error);
      const { symbols } = outlined.value;
      return symbols.length > 0
        ? foundSymbols(symbols, restNote(outlined.value))
        : { ok: true, output: notDefined(outlined.value), hits: NO_HITS };
    },
  });
}

/** Language extensions know the files as they are. */
function gapNote(symbols: readonly CodeSymbol[], pending: readonly string[]): string {
  const other = pending.filter((path) => symbols.some((symbol) => symbol.path === path));
  return other.length === 0 ? "" : NOTES.symbolsOfFiles(other);
}

/** What was not looked at; "" where everything was. */
function restNote({ unread, cut }: Pick<OutlinedSymbols, "unread" | "cut">): string {
  return unread > 0 || cut ? NOTES.filesUnread(unread, cut) : "";
}

/** That nothing was found is said only where everything was looked at. */
function notDefined(outlined: OutlinedSymbols): string {
  const { mentions, read, cut } = outlined;
  const unread = outlined.unread + outlined.withoutOutline;
  if (mentions.length === 0) return NOTES.noSymbol;
  const lines = firstLines(
    mentions,
    MAX_MENTIONS,
    ({ path, line, text }) => `${path}:${line}\t${text}`,
    "search_in_files finds them.",
  );
  return [
    unread === 0 && !cut ? NOTES.noDefinition(read) : NOTES.notFoundYet(read),
    ...[restNote({ unread, cut })].filter((note) => note !== ""),
    `${NOTES.mentions}\n${lines}`,
  ].join("\n");
}

function foundSymbols(symbols: readonly CodeSymbol[], note: string): ToolResult {
  const lineOf = ({ path, line, kind, name, container }: CodeSymbol) =>
    `${path}:${line}\t${kind} ${name}${container === null ? "" : ` in ${container}`}`;
  const output = firstLines(symbols, MAX_SYMBOLS, lineOf, "Give more of the name.");
  return {
    ok: true,
    output: note === "" ? output : `${output}\n${note}`,
    hits: firstHits(symbols, MAX_SYMBOLS),
  };
}

import * as z from "zod/mini";
import type { Workspace } from "../../ports/workspace.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { literalGlob } from "../meantGlob.ts";
import { NOTES } from "../notes.ts";
import type { Tool } from "../tool.ts";
import { linePattern, spansLines } from "./linePattern.ts";
import { NO_HITS } from "./searchHits.ts";

const MAX_MATCHES = 200;
const MAX_PATTERN = 1_000;

const schema = z.object({
  pattern: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(MAX_PATTERN),
      z.describe("The text to find, within one line."),
    ),
  is_regexp: z
    .optional(z.boolean())
    .check(z.describe("true: the pattern is a regular expression. Default false.")),
  case_sensitive: z.optional(z.boolean()).check(z.describe("Default false.")),
  include: z
    .optional(z.string().check(z.maxLength(MAX_PATTERN)))
    .check(z.describe("Only files that match this glob, such as src/**/*.ts.")),
  path: z.optional(z.string()).check(z.describe("Only this folder or file.")),
});

/** `search_in_files`: the matching lines, as `path:line<TAB>text`. */
export function createSearchInFiles(workspace: Workspace): Tool {
  return defineTool({
    name: "search_in_files",
    description:
      "Searches all text files, except ignored ones and those that may hold keys, and lists up to 200 matching lines as `path:line<TAB>text`. To find a definition use find_symbol, to find files by name find_files.",
    category: "search",
    effect: "read",
    schema,
    maxRetries: 2,
    async execute(
      { pattern, is_regexp = false, case_sensitive = false, include: glob = null, path = "" },
      { signal },
    ) {
      const place = /^[./]*$/.test(path) ? null : await workspace.list(path, signal);
      if (place && !place.ok && place.error.code !== "is-file") return fileToolError(place.error);
      const include = place ? within(path, place.ok ? glob : null) : glob;
      const line = linePattern(pattern, is_regexp);
      if (!line) return fileToolError({ code: "multiline-pattern", path: "" });
      const query = {
        pattern: line.pattern,
        isRegExp: is_regexp,
        caseSensitive: case_sensitive,
        include,
        limit: MAX_MATCHES,
      };
      const found = await workspace.search(query, signal);
      if (!found.ok) return fileToolError(found.error);
      const { matches, truncated, proposed = [], unsearched = [] } = found.value;
      const notes = [
        ...(unsearched.length > 0 ? [NOTES.unsearched(unsearched)] : []),
        ...(line.isPart ? [NOTES.onlyLine(line.pattern)] : []),
      ];
      if (matches.length === 0) {
        if (is_regexp && spansLines(pattern)) notes.push(NOTES.lineByLine);
        return { ok: true, output: [NOTES.noMatches(include), ...notes].join(" "), hits: NO_HITS };
      }
      const lines = matches.map(({ path, line, text }) => `${path}:${line}\t${text}`);
      if (truncated)
        lines.push(
          NOTES.onlyFirst(
            matches.length,
            "matches are shown",
            "Narrow the search with include or a longer pattern.",
          ),
        );
      if (proposed.length > 0) lines.push(NOTES.proposedMatches(proposed));
      lines.push(...notes);
      const hits = { shown: matches.length, more: truncated };
      return { ok: true, output: lines.join("\n"), hits };
    },
  });
}

/** A glob within a folder, or of all that is in a place. */
function within(path: string, glob: string | null): string {
  const place = literalGlob(path);
  if (glob === null) return place;
  const plain = glob.replace(/^(?:\.?\/)+/, "");
  if (literalGlob(plain).startsWith(`${place}/`) || plain.startsWith(`${place.slice(1)}/`))
    return plain;
  return plain.includes("/") ? `${place}/${plain}` : `${place}/**/${plain}`;
}

import * as z from "zod/mini";
import type { Diagnostic, LanguageServices } from "../../ports/languageServices.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { failed, firstLines, NOTES } from "../messages.ts";
import type { Tool, ToolResult } from "../tool.ts";

const MAX_DIAGNOSTICS = 100;

const schema = z.object({
  file_path: z
    .optional(z.string())
    .check(z.describe("Only this file. Default: every file that the editor has checked.")),
});

const RANK: Readonly<Record<Diagnostic["severity"], number>> = {
  error: 0,
  warning: 1,
  information: 2,
  hint: 3,
};

/** `get_diagnostics`: errors and warnings that the editor shows, errors first. */
export function createGetDiagnostics(workspace: Workspace, services: LanguageServices): Tool {
  return defineTool({
    name: "get_diagnostics",
    description:
      "Lists the errors and warnings that the editor shows, from compilers and linters. Use it after edits are accepted; it runs nothing itself.",
    category: "nav",
    effect: "read",
    maxRetries: 1,
    schema,
    async execute({ file_path }): Promise<ToolResult> {
      const file = file_path === undefined ? null : await workspace.resolve(file_path);
      if (file && !file.ok) return fileToolError(file.error);
      const found = await services.diagnostics(file?.value ?? null);
      if (!found.ok) return failed("no-diagnostics", { detail: found.error });
      if (found.value.length === 0) return { ok: true, output: NOTES.noProblems };
      const sorted = [...found.value].sort(
        (a, b) =>
          RANK[a.severity] - RANK[b.severity] ||
          (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
      );
      return { ok: true, output: firstLines(sorted, MAX_DIAGNOSTICS, diagnosticLine) };
    },
  });
}

/** A problem as the model reads it. */
export function diagnosticLine({ path, line, severity, source, message }: Diagnostic): string {
  return `${path}:${line}\t${severity}: ${message.replace(/\s*\n\s*/g, " ")}${source === "" ? "" : ` (${source})`}`;
}

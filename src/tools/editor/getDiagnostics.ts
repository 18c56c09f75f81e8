import * as z from "zod/mini";
import type { Diagnostic, LanguageServices } from "../../ports/languageServices.ts";
import type { SavedFiles } from "../../ports/savedFiles.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { checkNote } from "../command/messages.ts";
import type { ReportCheck } from "../command/proposalCheck.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { failed } from "../messages.ts";
import { firstLines, NOTES } from "../notes.ts";
import type { Tool, ToolResult } from "../tool.ts";

const MAX_DIAGNOSTICS = 100;
/** As long as the longest check. */
const TIMEOUT_MS = 1_800_000;

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

/**
 * `get_diagnostics`: errors and warnings that the editor shows, errors first. The editor does not see
 * proposals (`pending` names their files), so the user's check follows, which does, or else the
 * advice to run one.
 */
export function createGetDiagnostics(
  workspace: Workspace,
  services: LanguageServices,
  reportCheck: ReportCheck,
  pending: SavedFiles["pending"],
): Tool {
  return defineTool({
    name: "get_diagnostics",
    description:
      "Lists the errors and warnings that the editor shows, from compilers and linters. With changes waiting, the user's check runs on them.",
    category: "nav",
    effect: "read",
    timeoutMs: TIMEOUT_MS,
    schema,
    async execute({ file_path }, { signal }): Promise<ToolResult> {
      const file = file_path === undefined ? null : await workspace.resolve(file_path);
      if (file && !file.ok) return fileToolError(file.error);
      const found = await services.diagnostics(file?.value ?? null);
      if (!found.ok) return failed("no-diagnostics", { detail: found.error });
      const report = await reportCheck(signal);
      const unchecked = pending().length > 0 ? `\n\n${NOTES.unchecked}` : "";
      const more = report ? `\n\n${checkNote(report)}` : unchecked;
      if (found.value.length === 0) return { ok: true, output: NOTES.noProblems + more };
      const sorted = [...found.value].sort(
        (a, b) =>
          RANK[a.severity] - RANK[b.severity] ||
          (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
      );
      return { ok: true, output: firstLines(sorted, MAX_DIAGNOSTICS, diagnosticLine) + more };
    },
  });
}

/** A problem as the model reads it. */
export function diagnosticLine({ path, line, severity, source, message }: Diagnostic): string {
  return `${path}:${line}\t${severity}: ${message.replace(/\s*\n\s*/g, " ")}${source === "" ? "" : ` (${source})`}`;
}

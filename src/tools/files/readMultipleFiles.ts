import * as z from "zod/mini";
import type { Workspace } from "../../ports/workspace.ts";
import type { FileView } from "../../turns/turnEvent.ts";
import { defineTool } from "../defineTool.ts";
import { failed } from "../messages.ts";
import { NOTES } from "../notes.ts";
import { readCaution } from "../permissions/readCaution.ts";
import type { Tool } from "../tool.ts";
import { toolResultText } from "../toolResultText.ts";

const MAX_FILES = 20;
/**
 * The longest result in UTF-16 units, below the length at which the router clips. The first file is
 * always included.
 */
const BUDGET = 58_000;

const schema = z.object({
  file_paths: z
    .array(z.string().check(z.minLength(1)))
    .check(
      z.minLength(1),
      z.maxLength(MAX_FILES),
      z.describe(`At most ${MAX_FILES} files, relative to the workspace.`),
    ),
});

/** `read_multiple_files`: several whole files, each as `readFile` returns it. */
export function createReadMultipleFiles(
  workspace: Pick<Workspace, "resolve" | "trusted">,
  readFile: Tool,
): Tool {
  return defineTool({
    name: "read_multiple_files",
    description:
      "Reads several short files at once, each in full and in the format of read_file. For long files, or parts of files, call read_file.",
    category: "file",
    effect: "read",
    schema,
    question: ({ file_paths: paths }, t) => ({
      summary: t("Read {paths}, some of which may hold keys or passwords", {
        paths: paths.join(", "),
      }),
      look: async () => ({ caution: await readCaution(workspace, paths) }),
    }),
    async execute({ file_paths }, context) {
      const parts: string[] = [];
      const views: FileView[] = [];
      let size = 0;
      let failures = 0;
      for (const file_path of new Set(file_paths)) {
        if (context.signal.aborted) break;
        const call = readFile.prepare({ file_path });
        const result = call.ok ? await call.value.run(context) : call;
        const text = result.ok ? result.output : `${file_path}: ${toolResultText(result)}`;
        if (!result.ok) failures += 1;
        if (parts.length > 0 && size + text.length > BUDGET) {
          parts.push(NOTES.fileOmitted(file_path));
          continue;
        }
        parts.push(text);
        size += text.length;
        if (result.ok) views.push(...(result.views ?? []));
      }
      const output = parts.join("\n\n");
      return failures < parts.length
        ? { ok: true, output, views }
        : failed("no-file-read", { detail: output });
    },
  });
}

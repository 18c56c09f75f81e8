import * as z from "zod/mini";
import { defineTool, type Tool, type ToolContext } from "./tool.ts";
import { toolResultText } from "./toolResultText.ts";

const MAX_FILES = 20;
/** How much all files together may hold, in UTF-16 units: less than what the router clips at. The first one is always given. */
const BUDGET = 58_000;

const schema = z.object({
  file_paths: z
    .array(z.string().check(z.minLength(1)))
    .check(z.minLength(1), z.maxLength(MAX_FILES), z.describe(`At most ${MAX_FILES} files, relative to the workspace.`)),
});

/** `read_multiple_files`: whole files one after the other, each as `readFile` gives it. */
export function createReadMultipleFiles(readFile: Tool): Tool {
  return defineTool({
    name: "read_multiple_files",
    description: "Reads several short files at once, each whole and as read_file does. For long files, or parts, call read_file.",
    category: "file",
    effect: "read",
    schema,
    async execute({ file_paths }, context) {
      const parts: string[] = [];
      let size = 0;
      let failed = 0;
      for (const file_path of new Set(file_paths)) {
        if (context.signal.aborted) break;
        const { text, ok } = await readOne(readFile, file_path, context);
        const fits = parts.length === 0 || size + text.length <= BUDGET;
        if (!ok) failed += 1;
        parts.push(fits ? text : `${file_path}: left out, it makes this answer too long. Read it with another call.`);
        if (fits) size += text.length;
      }
      const output = parts.join("\n\n");
      if (failed < parts.length) return { ok: true, output };
      return { ok: false, error: { category: "not-found", message: output, recovery: null } };
    },
  });
}

async function readOne(readFile: Tool, file_path: string, context: ToolContext): Promise<{ readonly text: string; readonly ok: boolean }> {
  const call = readFile.prepare({ file_path });
  const result = call.ok ? await call.value.run(context) : { ok: false as const, error: call.error };
  return { text: result.ok ? result.output : `${file_path}: ${toolResultText(result)}`, ok: result.ok };
}

import * as vscode from "vscode";
import { z } from "zod";

const askedSchema = z.object({ grep: z.string(), timeout: z.number() });

/**
 * Which tests to run, as a regular expression over their titles, and for how many milliseconds
 * each: all where the workspace has no scenario of test/harness/integration.mjs.
 */
export async function askedTests(): Promise<z.infer<typeof askedSchema>> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) return { grep: "", timeout: 180_000 };
  const file = vscode.Uri.joinPath(folder.uri, "graft-scenario.json");
  return vscode.workspace.fs.readFile(file).then(
    (bytes) => askedSchema.parse(JSON.parse(new TextDecoder().decode(bytes))),
    () => ({ grep: "", timeout: 180_000 }),
  );
}

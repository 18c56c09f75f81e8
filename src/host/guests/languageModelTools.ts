import * as vscode from "vscode";
import type { App } from "../app.ts";

/** The tools that VS Code's own agents see, and the guest's tools that they are. */
const LANGUAGE_MODEL_TOOLS = {
  graft_outline: "file_outline",
  graft_read: "read_file",
  graft_edit: "edit_file",
} as const;

/** Offers Graft's tools to the agents inside VS Code. Their changes are proposals. */
export function registerLanguageModelTools(graft: () => Promise<App>): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(LANGUAGE_MODEL_TOOLS).map(([name, tool]) =>
      vscode.lm.registerTool<object>(name, {
        async invoke({ input }, token) {
          const abort = new AbortController();
          const cancelling = token.onCancellationRequested(() => abort.abort());
          try {
            const { guests } = await graft();
            const { text } = await guests.inside.call(tool, input, abort.signal);
            return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
          } finally {
            cancelling.dispose();
          }
        },
      }),
    ),
  );
}

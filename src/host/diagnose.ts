import * as vscode from "vscode";
import { visibleLine } from "../base/text/visibleText.ts";
import type { ProcessTools } from "../tools/processTools.ts";
import type { Host } from "./host.ts";
import { t } from "./localize.ts";
import { type Diagnosis, diagnosisText } from "./messages.ts";
import { diskFolders } from "./terminal/diskFolders.ts";

/** What the command looks at. */
interface Diagnosed {
  readonly host: Pick<Host, "context" | "adapters">;
  readonly storage: vscode.Uri;
  /** Null where no process can start. */
  readonly machine: Pick<ProcessTools, "backend"> | null;
  /** True where this window decides on the workspace's proposals. */
  hasProposals(): boolean;
}

/** Opens what helps to understand a problem, as a text without keys and contents of files. */
export async function diagnose({
  host: { context, adapters },
  storage,
  machine,
  hasProposals,
}: Diagnosed): Promise<void> {
  const { packageJSON } = context.extension;
  const facts: Diagnosis = {
    version: String(packageJSON?.version ?? ""),
    editor: `${vscode.env.appName} ${vscode.version}`,
    isTrusted: vscode.workspace.isTrusted,
    machine: (await adapters.machineFacts?.(diskFolders())) ?? null,
    commands: (await machine?.backend(new AbortController().signal)) ?? null,
    storage: storage.scheme === "file" ? storage.fsPath : storage.toString(true),
    hasProposals: hasProposals(),
  };
  const content = diagnosisText(t, facts).map(visibleLine).join("\n");
  const document = await vscode.workspace.openTextDocument({ language: "plaintext", content });
  await vscode.window.showTextDocument(document, { preview: true });
}

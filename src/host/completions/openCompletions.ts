import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { pause } from "../../base/pause.ts";
import { type FillInFailure, fillIn } from "../../model/completions/fillIn.ts";
import { gapAt } from "../../model/completions/gapAt.ts";
import { createGapCache } from "../../model/completions/gapCache.ts";
import { OUTCOMES } from "../../model/modelFailure.ts";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import type { Host } from "../host.ts";
import { t } from "../localize.ts";
import { openGraftSettings } from "../settings/configuration.ts";
import type { VscodeWorkspace } from "../workspace/vscodeWorkspace.ts";
import { completionServer } from "./completionServer.ts";
import { completionFailureMessage } from "./messages.ts";

/** Milliseconds without a key press after which the server is asked. */
const QUIET_MS = 200;
/** Milliseconds for an answer. A later one would be about a text that is gone. */
const ANSWER_MS = 15_000;
/** The user's own files, and unsaved ones; not what extensions show. */
const DOCUMENTS = ["file", "untitled", "vscode-remote", "vscode-vfs", "vscode-notebook-cell"].map(
  (scheme) => ({ scheme }),
);

/**
 * Completes code with the model of `graft.completions.model`, where one is set; not in files that may
 * hold keys.
 */
export function openCompletions(host: Host, workspace: Places): void {
  const { configuration, stack } = host;
  let registered: Disposable | null = null;
  let wanted = "";
  const follow = () => {
    const now = vscode.workspace.isTrusted ? configuration.settings.completionModel : "";
    if (now === wanted) return;
    wanted = now;
    registered?.dispose();
    registered =
      now === ""
        ? null
        : vscode.languages.registerInlineCompletionItemProvider(
            DOCUMENTS,
            createProvider(host, workspace),
          );
  };
  follow();
  stack.add(configuration.onDidChange(follow));
  stack.add(vscode.workspace.onDidGrantWorkspaceTrust(follow));
  stack.add({ dispose: () => registered?.dispose() });
}

type Places = Pick<VscodeWorkspace, "resolveUri">;

function createProvider(host: Host, workspace: Places): vscode.InlineCompletionItemProvider {
  const cache = createGapCache();
  const tell = createTeller(host);
  const { configuration, context, environment } = host;
  return {
    async provideInlineCompletionItems(document, position, { triggerKind, ...shown }, token) {
      // VS Code shows only what begins like the entry chosen in its list.
      if (shown.selectedCompletionInfo) return null;
      const gap = gapAt(document.getText(), document.offsetAt(position));
      if (gap.prefix.trim() === "" && gap.suffix.trim() === "") return null;
      const known = cache.find(gap);
      if (known !== null) return itemsOf(known, position);
      const controller = new AbortController();
      const { signal } = controller;
      const cancelled = token.onCancellationRequested(() => controller.abort());
      try {
        if (triggerKind === vscode.InlineCompletionTriggerKind.Automatic)
          await pause(QUIET_MS, signal);
        if (await mayHoldKeys(workspace, document.uri)) return null;
        if (token.isCancellationRequested) return null;
        const { secrets } = context;
        const server = await completionServer(configuration.settings, { secrets, environment });
        if (!server.ok) {
          tell(server.error, server.error);
          return null;
        }
        const filled = await fillIn(server.value, gap, globalThis.fetch, signal, ANSWER_MS);
        if (!filled.ok) {
          const { host: baseUrl } = new URL(server.value.baseUrl);
          tell(filled.error, { baseUrl, model: server.value.model });
          return null;
        }
        cache.keep(gap, filled.value);
        return itemsOf(filled.value, position);
      } finally {
        cancelled.dispose();
      }
    },
  };
}

/** Of what is outside the workspace the name decides. */
async function mayHoldKeys(workspace: Places, uri: vscode.Uri): Promise<boolean> {
  const file = await workspace.resolveUri(uri);
  return file.ok ? file.value.secret !== undefined : isSecretPath(uri.path);
}

function itemsOf(text: string, position: vscode.Position): vscode.InlineCompletionItem[] {
  if (text.trim() === "") return [];
  return [new vscode.InlineCompletionItem(text, new vscode.Range(position, position))];
}

/** Tells each failure that stays once, and logs the others. */
function createTeller({ logger, run }: Host) {
  const told = new Set<string>();
  return (
    failure: FillInFailure,
    server: { readonly baseUrl: string; readonly model: string },
  ): void => {
    if (failure.code === "aborted") return;
    const message = completionFailureMessage(t, failure, server);
    const passes = failure.code !== "no-fill-in" && OUTCOMES[failure.code][1];
    if (passes || told.has(message)) {
      logger.warn(`Completing failed: ${message}`);
      return;
    }
    told.add(message);
    run("Telling of completions", showFailure(message));
  };
}

async function showFailure(message: string): Promise<void> {
  const chosen = await vscode.window.showWarningMessage(message, t("Open Settings"));
  if (chosen !== undefined) await openGraftSettings("graft.completions.model");
}

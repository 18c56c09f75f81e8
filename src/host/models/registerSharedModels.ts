import * as vscode from "vscode";
import type { App } from "../app.ts";
import { SHARED_VENDOR } from "../languageModels/sharedVendor.ts";
import { t } from "../localize.ts";

const SETTING = "graft.shareModels";

type CancelToken = Pick<
  vscode.CancellationToken,
  "isCancellationRequested" | "onCancellationRequested"
>;

/**
 * Offers the models of the user's connections to other extensions, while the setting says so. Where
 * VS Code has no such models, nothing is offered.
 */
export function registerSharedModels(graft: () => Promise<App>): vscode.Disposable {
  const register: unknown = Reflect.get(vscode.lm, "registerLanguageModelChatProvider");
  if (typeof register !== "function") return vscode.Disposable.from();
  const changed = new vscode.EventEmitter<void>();
  const watching = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("graft")) changed.fire();
  });
  const provider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: async (_options: unknown, token: CancelToken) =>
      isShared() ? (await graft()).sharedModels.list(signalOf(token)) : [],
    async provideLanguageModelChatResponse(
      { id }: { readonly id: string },
      messages: readonly vscode.LanguageModelChatMessage[],
      options: unknown,
      progress: vscode.Progress<unknown>,
      token: CancelToken,
    ) {
      if (!isShared()) throw new Error(t("Graft shares no models (graft.shareModels)."));
      const request = { id, messages, options, progress };
      await (await graft()).sharedModels.answer(request, signalOf(token));
    },
    // About four letters a token: what servers count, they say after the answer.
    provideTokenCount: async (_model: unknown, text: unknown) =>
      Math.ceil((typeof text === "string" ? text : JSON.stringify(text)).length / 4),
  };
  const registered: unknown = Reflect.apply(register, vscode.lm, [SHARED_VENDOR, provider]);
  const all = registered instanceof vscode.Disposable ? [registered] : [];
  return vscode.Disposable.from(changed, watching, ...all);
}

function isShared(): boolean {
  return vscode.workspace.getConfiguration().get(SETTING) === true;
}

function signalOf(token: CancelToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}

import * as vscode from "vscode";
import * as z from "zod/mini";
import { withDeadline } from "../../base/deadline.ts";
import type { ModelInfo } from "../../model/modelInfo.ts";

/** A model that another extension offers. Models of several vendors can have the same id. */
export interface LanguageModelChoice {
  readonly info: ModelInfo;
  readonly vendor: string;
  readonly chat: vscode.LanguageModelChat;
}

/** Fires when models come or go. */
export const onDidChangeLanguageModels: vscode.Event<void> = (...listener) => vscode.lm.onDidChangeChatModels(...listener);

/** Milliseconds that VS Code and the extensions that it starts for it may take. */
const LIST_MS = 10_000;

/** The models that other extensions offer, such as Copilot's; all without a selector, none after a time limit. Asks the user nothing. Never rejects. */
export async function listLanguageModels(selector: vscode.LanguageModelChatSelector = {}): Promise<readonly LanguageModelChoice[]> {
  try {
    const chats = await withDeadline(new AbortController().signal, LIST_MS, async () => vscode.lm.selectChatModels(selector));
    return (chats.ok ? chats.value : []).map((chat) => ({ info: languageModelInfo(chat), vendor: chat.vendor, chat }));
  } catch {
    return [];
  }
}

/** True where this version of VS Code can send images to its own models. */
export const canSendImages = Reflect.has(vscode, "LanguageModelDataPart");

/** VS Code says this since version 1.104. */
const capableSchema = z.object({
  capabilities: z.object({ supportsToolCalling: z.optional(z.boolean()), supportsImageToText: z.optional(z.boolean()) }),
});

/** What VS Code says of a model. Its limit is that of a request; a window of the same size is on the safe side. */
function languageModelInfo(chat: vscode.LanguageModelChat): ModelInfo {
  const { capabilities } = capableSchema.safeParse(chat).data ?? {};
  return {
    id: chat.id,
    label: chat.name || chat.id,
    contextWindow: chat.maxInputTokens > 0 ? chat.maxInputTokens : null,
    tools: capabilities?.supportsToolCalling ?? null,
    images: canSendImages ? (capabilities?.supportsImageToText ?? null) : false,
    reasoning: null,
    price: null,
  };
}

import * as vscode from "vscode";
import * as z from "zod/mini";
import { withDeadline } from "../../base/deadline.ts";
import type { ModelInfo } from "../../model/modelInfo.ts";
import { SHARED_VENDOR } from "./sharedVendor.ts";

/** A model of another extension. Models of different vendors can have the same ID. */
export interface LanguageModelChoice {
  readonly info: ModelInfo;
  readonly vendor: string;
  readonly chat: vscode.LanguageModelChat;
}

/** Fires when models are added or removed. */
export const onDidChangeLanguageModels: vscode.Event<void> = (...listener) =>
  vscode.lm.onDidChangeChatModels(...listener);

/** Time limit in milliseconds for VS Code and the extensions that it starts to list models. */
const LIST_MS = 10_000;

/**
 * Lists the models of other extensions, such as Copilot's. Without a selector, lists all of them.
 * Empty after a timeout. Never prompts the user and never rejects.
 */
export async function listLanguageModels(
  selector: vscode.LanguageModelChatSelector = {},
): Promise<readonly LanguageModelChoice[]> {
  try {
    const chats = await withDeadline(new AbortController().signal, LIST_MS, async () =>
      vscode.lm.selectChatModels(selector),
    );
    const others = (chats.ok ? chats.value : []).filter(({ vendor }) => vendor !== SHARED_VENDOR);
    return others.map((chat) => ({
      info: languageModelInfo(chat),
      vendor: chat.vendor,
      chat,
    }));
  } catch {
    return [];
  }
}

/** Whether this version of VS Code can send images to its own models. */
export const canSendImages = Reflect.has(vscode, "LanguageModelDataPart");

/** VS Code reports this since version 1.104. */
const capableSchema = z.object({
  capabilities: z.object({
    supportsToolCalling: z.optional(z.boolean()),
    supportsImageToText: z.optional(z.boolean()),
  }),
});

/**
 * Converts VS Code's model description. Its limit covers only the request, so using it as the
 * context window is conservative.
 */
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

import * as vscode from "vscode";
import * as z from "zod/mini";
import type { ModelConnection } from "../../agent/chatOptions.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { streamLanguageModel } from "../../model/languageModel/languageModelAnswer.ts";
import type {
  LanguageModelMessage,
  LanguageModelMessagePart,
  LanguageModelPart,
} from "../../model/languageModel/languageModelParts.ts";
import type { ToolSpec } from "../../model/message.ts";
import type { ModelClient, ModelTimeLimits } from "../../model/modelClient.ts";
import { type ModelError, modelError } from "../../model/modelFailure.ts";
import type { ModelInfo } from "../../model/modelInfo.ts";
import { t } from "../localize.ts";
import { languageModelJustification } from "../messages.ts";
import { tokenOf } from "../workspace/tokenOf.ts";
import { listLanguageModels } from "./languageModels.ts";

const thinkingSchema = z.object({
  value: z.optional(z.unknown()),
  id: z.optional(z.unknown()),
  metadata: z.optional(z.unknown()),
});
const dataSchema = z.object({ mimeType: z.optional(z.unknown()), data: z.optional(z.unknown()) });

/** Classes that only later versions of VS Code have. */
const ThinkingPart: unknown = Reflect.get(vscode, "LanguageModelThinkingPart");
const DataPart: unknown = Reflect.get(vscode, "LanguageModelDataPart");

/** Connects to the chosen model if VS Code still offers it. */
export async function connectLanguageModel(
  { vendor, model: { id, label } }: { readonly vendor: string; readonly model: ModelInfo },
  limits: ModelTimeLimits,
): Promise<Result<ModelConnection, ModelError>> {
  const [offered] = await listLanguageModels({ vendor, id });
  if (!offered)
    return err(
      modelError({ code: "lm-model-gone" }, { baseUrl: `vscode-lm:${vendor}`, model: label }),
    );
  return ok({
    client: createLanguageModelClient(offered.chat, limits),
    model: id,
    info: offered.info,
  });
}

/**
 * A client for a model that VS Code offers. Its first request may show VS Code's consent dialog.
 */
export function createLanguageModelClient(
  chat: vscode.LanguageModelChat,
  limits: ModelTimeLimits,
): ModelClient {
  const baseUrl = `vscode-lm:${chat.vendor}`;
  const model = {
    baseUrl,
    send: (
      messages: readonly LanguageModelMessage[],
      specs: readonly ToolSpec[],
      signal: AbortSignal,
    ) => sendMessages(chat, messages, specs, signal),
  };
  return {
    baseUrl,
    stream: (request, signal) => streamLanguageModel(model, limits, request, signal),
  };
}

async function sendMessages(
  chat: vscode.LanguageModelChat,
  messages: readonly LanguageModelMessage[],
  tools: readonly ToolSpec[],
  signal: AbortSignal,
): Promise<AsyncIterable<LanguageModelPart>> {
  const justification = languageModelJustification(t);
  const options: vscode.LanguageModelChatRequestOptions = {
    justification,
    ...(tools.length > 0 && { tools: tools.map(chatTool) }),
  };
  const response = await chat.sendRequest(messages.map(chatMessage), options, tokenOf(signal));
  return partsOf(response.stream);
}

function chatTool({ name, description, parameters }: ToolSpec): vscode.LanguageModelChatTool {
  return { name, description, inputSchema: parameters };
}

function chatMessage({ role, parts }: LanguageModelMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(
    role === "user" ? User : Assistant,
    parts.flatMap(chatPart),
  );
}

function chatPart(part: LanguageModelMessagePart) {
  if (part.type === "text") return new vscode.LanguageModelTextPart(part.text);
  if (part.type === "image") {
    // If VS Code cannot send images, report that its models accept none.
    return typeof DataPart === "function"
      ? [Reflect.construct(DataPart, [part.data, part.mimeType])]
      : [];
  }
  if (part.type === "thinking") {
    return typeof ThinkingPart === "function"
      ? [Reflect.construct(ThinkingPart, [part.value, part.id, part.metadata])]
      : [];
  }
  if (part.type === "tool-call")
    return new vscode.LanguageModelToolCallPart(part.callId, part.name, part.input);
  return new vscode.LanguageModelToolResultPart(part.callId, [
    new vscode.LanguageModelTextPart(part.text),
  ]);
}

async function* partsOf(
  stream: AsyncIterable<unknown>,
): AsyncGenerator<LanguageModelPart, void, undefined> {
  for await (const part of stream) yield plainPart(part);
}

function plainPart(part: unknown): LanguageModelPart {
  if (part instanceof vscode.LanguageModelTextPart) return { type: "text", text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart)
    return { type: "tool-call", callId: part.callId, name: part.name, input: part.input };
  if (typeof ThinkingPart === "function" && part instanceof ThinkingPart) {
    const { value, id, metadata } = thinkingSchema.safeParse(part).data ?? {};
    return { type: "thinking", text: value, id, metadata };
  }
  const data =
    typeof DataPart === "function" && part instanceof DataPart
      ? dataSchema.safeParse(part).data
      : undefined;
  return data ? { type: "data", mimeType: data.mimeType, data: data.data } : { type: "unknown" };
}

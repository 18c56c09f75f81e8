import * as vscode from "vscode";
import * as z from "zod/mini";
import { DEFAULT_CONTEXT_WINDOW } from "../../agent/chatOptions.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { type Connection, describedModel, namedModel } from "../../model/connections/connection.ts";
import type { Message, ToolCall } from "../../model/message.ts";
import { failureMessage } from "../../model/messages.ts";
import type { StreamPart } from "../../model/streamPart.ts";
import type { Host } from "../host.ts";
import { t } from "../localize.ts";
import { allConnections } from "../settings/modelChoice.ts";
import { connectServer, findApiKey, timeLimits } from "../settings/modelConnection.ts";
import { serverOf } from "../settings/server.ts";
import { modelsOf } from "./findModels.ts";

/** The most of an answer that VS Code is told of, in tokens; servers have their own limits. */
const MAX_OUTPUT = 16_000;

const idSchema = z.tuple([z.string(), z.string()]);
const requestSchema = z.object({
  tools: z.catch(
    z.array(
      z.object({
        name: z.string(),
        description: z.catch(z.string(), ""),
        inputSchema: z.catch(z.record(z.string(), z.unknown()), { type: "object" }),
      }),
    ),
    [],
  ),
});

/** What serves the models of the user's connections to other extensions. */
type SharingHost = Pick<Host, "configuration" | "context" | "environment">;

/** The models of the user's connections, for other extensions. */
export interface SharedModels {
  /** As VS Code lists them. */
  list(signal: AbortSignal): Promise<readonly object[]>;
  /** Answers a request of another extension; rejects with words for it. */
  answer(request: SharedRequest, signal: AbortSignal): Promise<void>;
}

/** A request as VS Code passes it on. */
export interface SharedRequest {
  readonly id: string;
  readonly messages: readonly vscode.LanguageModelChatMessage[];
  readonly options: unknown;
  readonly progress: vscode.Progress<unknown>;
}

/** See {@link SharedModels}. */
export function createSharedModels(host: SharingHost): SharedModels {
  return {
    list: (signal) => listModels(host, signal),
    answer: (request, signal) => answer(host, request, signal),
  };
}

async function listModels(host: SharingHost, signal: AbortSignal): Promise<readonly object[]> {
  const { settings } = host.configuration;
  const connections = allConnections(settings);
  // A server that lists nothing has the model that graft.model names.
  const former = settings.baseUrl === null ? null : serverOf({ baseUrl: settings.baseUrl });
  const namedFor = ({ baseUrl }: Connection) =>
    baseUrl === former?.baseUrl && settings.model !== "" ? [namedModel(settings.model)] : [];
  const groups = await Promise.all(
    connections.map(async (connection) => ({
      connection,
      group: await modelsOf(connection, await findApiKey(connection, keysOf(host)), fetch, signal),
    })),
  );
  return groups.flatMap(({ connection, group }) =>
    (group.models.length > 0 ? group.models : namedFor(connection)).map(
      ({ id, label, contextWindow, tools, images }) => ({
        id: JSON.stringify([connection.name, id]),
        ...{ name: label, family: id, version: "1", detail: connection.name },
        maxInputTokens: contextWindow ?? DEFAULT_CONTEXT_WINDOW,
        maxOutputTokens: MAX_OUTPUT,
        capabilities: { toolCalling: tools !== false, imageInput: images === true },
      }),
    ),
  );
}

function keysOf({ context, environment }: SharingHost) {
  return { secrets: context.secrets, environment };
}

async function answer(
  host: SharingHost,
  { id, messages: given, options, progress }: SharedRequest,
  signal: AbortSignal,
): Promise<void> {
  const specs = requestSchema.parse(options ?? {}).tools;
  const tools = specs.map(({ inputSchema: parameters, ...tool }) => ({ ...tool, parameters }));
  const { settings } = host.configuration;
  const [name = "", model = ""] = idSchema.safeParse(parseJson(id)).data ?? [];
  const connection = allConnections(settings).find((each) => each.name === name);
  if (!connection) throw new Error(t("The connection {name} no longer exists.", { name }));
  const connected = await connect(host, connection, model);
  if (!connected.ok) throw new Error(failureMessage(connected.error, t));
  const images = new Map<string, Uint8Array>();
  const messages = given.flatMap((message) => sharedMessages(message, images));
  const request = { model, messages, tools, images };
  for await (const part of connected.value.client.stream(request, signal)) {
    if (part.type === "error") throw new Error(failureMessage(part.error, t));
    const shown = shownPart(part);
    if (shown) progress.report(shown);
  }
}

function connect(host: SharingHost, connection: Connection, model: string) {
  const { settings } = host.configuration;
  const info = describedModel(connection, namedModel(model));
  const sources = { ...keysOf(host), learned: host.context.globalState, settings };
  return connectServer(connection, info, timeLimits(settings), sources);
}

function shownPart(part: StreamPart): unknown {
  if (part.type === "text-delta") return new vscode.LanguageModelTextPart(part.text);
  if (part.type !== "tool-call-end") return null;
  const { callId, name, argsText } = part;
  return new vscode.LanguageModelToolCallPart(callId, name, Object(parseJson(argsText) ?? {}));
}

/** A message of VS Code's; the bytes of its images go into `images`. */
function sharedMessages(
  { role, content }: vscode.LanguageModelChatMessage,
  images: Map<string, Uint8Array>,
): readonly Message[] {
  const parts: readonly unknown[] = typeof content === "string" ? [] : content;
  const texts = parts.flatMap((part) =>
    part instanceof vscode.LanguageModelTextPart ? [part.value] : [],
  );
  const text = typeof content === "string" ? content : texts.join("");
  if (role === vscode.LanguageModelChatMessageRole.Assistant) {
    const toolCalls = parts.flatMap((part): readonly ToolCall[] =>
      part instanceof vscode.LanguageModelToolCallPart
        ? [{ callId: part.callId, name: part.name, argsText: JSON.stringify(part.input) }]
        : [],
    );
    return [{ role: "assistant", text, toolCalls }];
  }
  const results = parts.flatMap((part): readonly Message[] =>
    part instanceof vscode.LanguageModelToolResultPart
      ? [{ role: "tool", callId: part.callId, text: part.content.map(resultText).join("") }]
      : [],
  );
  const own = parts.flatMap((part) => imageOf(part, images));
  if (text === "" && own.length === 0) return results;
  return [...results, { role: "user", text, ...(own.length > 0 && { images: own }) }];
}

function imageOf(part: unknown, images: Map<string, Uint8Array>) {
  const { mimeType, data } = dataSchema.safeParse(part).data ?? {};
  if (!mimeType || !data) return [];
  const id = `${images.size + 1}.${mimeType === "image/png" ? "png" : "jpeg"}`;
  images.set(id, data);
  return [{ id, name: "", width: 0, height: 0 }];
}

const dataSchema = z.object({
  mimeType: z.enum(["image/png", "image/jpeg"]),
  data: z.instanceof(Uint8Array),
});

function resultText(part: unknown): string {
  return part instanceof vscode.LanguageModelTextPart ? part.value : "";
}

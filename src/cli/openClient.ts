import * as path from "node:path";
import { connectionKind, kindOfUrl } from "../model/connections/connectionKinds.ts";
import { askOllamaOnce, windowOf } from "../model/connections/serverWindow.ts";
import { withoutQuery } from "../model/endpoint.ts";
import { learnedCapabilities, memoryStore } from "../model/learnedCapabilities.ts";
import type { ModelClient } from "../model/modelClient.ts";
import { createOpenaiClient } from "../model/openai/openaiClient.ts";
import { userFolder } from "../node/guests/userFolder.ts";
import { fileMemory } from "../node/storage/fileMemory.ts";
import type { Memory } from "../ports/memory.ts";
import type { CommandIo } from "./commandIo.ts";
import type { ModelArguments } from "./commandLine.ts";

const LIMITS = { connectMs: 15_000, firstTokenMs: 120_000, idleMs: 60_000 };

/** The client for the server that the arguments name; what it learns is kept in `learned`. */
export function openClient(
  { baseUrl, model, contextWindow }: Pick<ModelArguments, "baseUrl" | "model" | "contextWindow">,
  learned: Memory,
  { apiKey }: Pick<CommandIo, "apiKey">,
): ModelClient {
  const { fetch } = globalThis;
  const server = { kind: kindOfUrl(new URL(baseUrl)), baseUrl };
  const isOther = server.kind === "other";
  const takesWindow = isOther || connectionKind(server.kind).listing === "ollama";
  return createOpenaiClient({
    ...{ baseUrl, apiKey, limits: LIMITS },
    learned: learnedCapabilities(learned, withoutQuery(baseUrl), model),
    request: {
      numCtx: takesWindow ? contextWindow : undefined,
      ...(isOther && { isOllama: askOllamaOnce(server, apiKey, fetch) }),
    },
    window: windowOf(server, apiKey, model, fetch),
  });
}

/**
 * What the command line has learned of models: what they refuse, and how they edit best, by address
 * and name. Without a folder of the user's it lasts as long as the process.
 */
export async function learnedModels(): Promise<Memory> {
  try {
    return fileMemory(path.join(await userFolder("models"), "learned.json"));
  } catch {
    return memoryStore();
  }
}

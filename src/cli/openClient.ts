import * as path from "node:path";
import { connectionKind, kindOfUrl } from "../model/connections/connectionKinds.ts";
import { isOllama, windowOf } from "../model/connections/serverWindow.ts";
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
export async function openClient(
  { baseUrl, model, contextWindow }: Pick<ModelArguments, "baseUrl" | "model" | "contextWindow">,
  learned: Memory,
  { apiKey, interrupted }: CommandIo,
): Promise<ModelClient> {
  const { fetch } = globalThis;
  const server = { kind: kindOfUrl(new URL(baseUrl)), baseUrl };
  const takesWindow =
    contextWindow !== undefined &&
    (connectionKind(server.kind).listing === "ollama" ||
      (server.kind === "other" && (await isOllama(server, apiKey, fetch, interrupted))));
  return createOpenaiClient({
    ...{ baseUrl, apiKey, limits: LIMITS },
    learned: learnedCapabilities(learned, withoutQuery(baseUrl), model),
    ...(takesWindow && { request: { numCtx: contextWindow } }),
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

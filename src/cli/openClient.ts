import * as path from "node:path";
import { connectionKind, kindOfUrl } from "../model/connections/connectionKinds.ts";
import { discoverModels } from "../model/connections/discoverModels.ts";
import { askOllamaOnce, windowOf } from "../model/connections/serverWindow.ts";
import { withoutQuery } from "../model/endpoint.ts";
import { learnedCapabilities, memoryStore } from "../model/learnedCapabilities.ts";
import { failureMessage } from "../model/messages.ts";
import type { ModelClient } from "../model/modelClient.ts";
import { OUTCOMES } from "../model/modelFailure.ts";
import { createOpenaiClient } from "../model/openai/openaiClient.ts";
import { userFolder } from "../node/guests/userFolder.ts";
import { fileMemory } from "../node/storage/fileMemory.ts";
import type { Memory } from "../ports/memory.ts";
import type { CommandIo } from "./commandIo.ts";
import type { ModelArguments } from "./commandLine.ts";
import { commandLineWords } from "./messages.ts";

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

/** Why the server cannot be reached at all, as a sentence; null where it answers, with anything. */
export async function unreachableReason(
  { baseUrl, model }: Pick<ModelArguments, "baseUrl" | "model">,
  { apiKey, interrupted }: Pick<CommandIo, "apiKey" | "interrupted">,
): Promise<string | null> {
  const server = { kind: kindOfUrl(new URL(baseUrl)), baseUrl };
  const { fetch } = globalThis;
  const listed = await discoverModels(server, apiKey, fetch, interrupted, LIMITS.connectMs);
  if (listed.ok) return null;
  const [kind] = OUTCOMES[listed.error.code];
  return kind === "network" || kind === "connect-timeout"
    ? failureMessage({ ...listed.error, baseUrl: withoutQuery(baseUrl), model }, commandLineWords)
    : null;
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

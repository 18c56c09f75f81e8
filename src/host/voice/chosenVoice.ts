import { err, ok, type Result } from "../../base/result.ts";
import { createDemoVoice } from "../../demo/demoVoice.ts";
import { type Connection, requestHeaders } from "../../model/connections/connection.ts";
import { type ModelError, modelError } from "../../model/modelFailure.ts";
import { createSpeechClient, type SpeechClientOptions } from "../../model/speech/speechClient.ts";
import type { Voice } from "../../model/speech/voice.ts";
import type { ChosenModel } from "../settings/modelChoice.ts";
import { exposesKey, findApiKey, isKeyMissing, type KeySources, timeLimits } from "../settings/modelConnection.ts";
import { serverOf } from "../settings/server.ts";
import type { Settings } from "../settings/settings.ts";

/** What decides who hears and speaks. */
export interface VoiceSources extends KeySources {
  readonly settings: Pick<Settings, "connections" | "voice" | "timeouts">;
  /** The chat's model; null when nothing is chosen. */
  readonly chosen: ChosenModel | null;
}

/** Who hears and speaks now, by the settings: a connection's server, or the demonstration in demo mode. */
export function createChosenVoice(sources: () => VoiceSources): () => Voice {
  const demo = createDemoVoice();
  const server: Voice = {
    async transcribe(utterance, signal, onWords) {
      const options = await clientOptions(sources());
      return options.ok ? createSpeechClient(options.value).transcribe(utterance, signal, onWords) : options;
    },
    async *speak(text, signal) {
      const options = await clientOptions(sources());
      return options.ok ? yield* createSpeechClient(options.value).speak(text, signal) : options.error;
    },
  };
  return () => {
    const { settings, chosen } = sources();
    return settings.voice.connection === "" && (chosen === null || chosen.source === "demo") ? demo : server;
  };
}

async function clientOptions(sources: VoiceSources): Promise<Result<SpeechClientOptions, ModelError>> {
  const { voice } = sources.settings;
  const connection = voiceConnection(sources);
  const server = connection && serverOf(connection);
  const failed = (code: "no-voice" | "no-key" | "unencrypted-key") =>
    err(modelError({ code }, { baseUrl: server?.host ?? voice.connection, model: voice.transcriptionModel }));
  if (!connection || !server) return failed("no-voice");
  if (await isKeyMissing(connection, sources)) return failed("no-key");
  const apiKey = await findApiKey(connection, sources);
  if (exposesKey(connection, apiKey)) return failed("unencrypted-key");
  return ok({
    baseUrl: server.baseUrl,
    apiKey,
    headers: requestHeaders(connection, apiKey),
    limits: timeLimits(sources.settings),
    transcriptionModel: voice.transcriptionModel,
    speechModel: voice.speechModel,
    voice: voice.voice,
    language: voice.language || null,
    speed: voice.speed,
  });
}

/** The connection whose server hears and speaks; null where there is none. */
export function voiceConnection({ settings, chosen }: Pick<VoiceSources, "settings" | "chosen">): Connection | null {
  const { connection: name } = settings.voice;
  if (name === "") return chosen?.source === "connection" ? chosen.connection : null;
  return settings.connections.find((connection) => connection.name === name) ?? null;
}

import { err, ok, type Result } from "../../base/result.ts";
import { createDemoVoice } from "../../demo/demoVoice.ts";
import type { Connection } from "../../model/connections/connection.ts";
import { type ModelError, modelError } from "../../model/modelFailure.ts";
import { type SpeechServer, speak, transcribe } from "../../model/speech/speechServer.ts";
import type { Voice } from "../../model/speech/voice.ts";
import type { ChosenModel } from "../settings/modelChoice.ts";
import { type KeySources, reachServer, timeLimits } from "../settings/modelConnection.ts";
import type { Settings } from "../settings/settings.ts";

/** Settings that decide which server recognizes and speaks. */
export interface VoiceSources extends KeySources {
  readonly settings: Pick<Settings, "connections" | "voice" | "timeouts">;
  /** The chat's model, or null. */
  readonly chosen: ChosenModel | null;
}

/** The current voice by the settings: a connection's server, or the simulated one in demo mode. */
export function createChosenVoice(sources: () => VoiceSources): () => Voice {
  const demo = createDemoVoice();
  const server: Voice = {
    async transcribe(utterance, signal, onWords) {
      const reached = await speechServer(sources());
      return reached.ok ? transcribe(reached.value, utterance, signal, onWords) : reached;
    },
    async *speak(text, signal) {
      const reached = await speechServer(sources());
      return reached.ok ? yield* speak(reached.value, text, signal) : reached.error;
    },
  };
  return () => {
    const { settings, chosen } = sources();
    return settings.voice.connection === "" && (chosen === null || chosen.source === "demo")
      ? demo
      : server;
  };
}

async function speechServer(sources: VoiceSources): Promise<Result<SpeechServer, ModelError>> {
  const { voice } = sources.settings;
  const connection = voiceConnection(sources);
  if (!connection)
    return err(
      modelError(
        { code: "no-voice" },
        { baseUrl: voice.connection, model: voice.transcriptionModel },
      ),
    );
  const reached = await reachServer(
    connection,
    voice.transcriptionModel,
    timeLimits(sources.settings),
    sources,
  );
  return reached.ok ? ok({ ...reached.value, ...voice }) : reached;
}

/** The connection whose server recognizes and speaks, or null. */
export function voiceConnection({
  settings,
  chosen,
}: Pick<VoiceSources, "settings" | "chosen">): Connection | null {
  const { connection: name } = settings.voice;
  if (name === "") return chosen?.source === "connection" ? chosen.connection : null;
  return settings.connections.find((connection) => connection.name === name) ?? null;
}

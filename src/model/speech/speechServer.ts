import { createParser } from "eventsource-parser";
import * as z from "zod/mini";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { SAMPLE_RATE } from "../../ports/audioLine.ts";
import { type Endpoint, parseEndpoint } from "../endpoint.ts";
import type { ModelServer } from "../modelClient.ts";
import {
  type FailureCode,
  type ModelError,
  type ModelFailure,
  modelError,
} from "../modelFailure.ts";
import { type ErrorResponse, responseFailure } from "../openai/errorResponse.ts";
import { networkFailure } from "../openai/networkFailure.ts";
import { type ReadText, readAll, textReader } from "../openai/readChunks.ts";
import { type OpenResponse, sendRequest } from "../openai/sendRequest.ts";
import { RequestTimeouts } from "../requestTimeouts.ts";
import { wireText } from "../wireText.ts";
import { encodeWav, WavReader } from "./wav.ts";

/** A server that turns speech into text and text into speech. */
export interface SpeechServer extends ModelServer {
  readonly transcriptionModel: string;
  readonly speechModel: string;
  /** The name of a voice of the server. */
  readonly voice: string;
  /** The language that is spoken, such as `de`; "" where the server finds out. */
  readonly language: string;
  /** 1 is the voice's own speed. */
  readonly speed: number;
}

/** The longest transcript or refusal that is read, in UTF-16 units. */
const MAX_TEXT = 200_000;
/** The longest sentence that is played, in samples: 3 minutes. */
const MAX_SAMPLES = 180 * SAMPLE_RATE;

/** Servers answer with types of their own, such as plain text. */
const ANY_TYPE = { headers: { Accept: null } };

const transcriptSchema = z.object({ text: z.string() });
const transcriptEventSchema = z.union([
  z.object({ type: z.literal("transcript.text.delta"), delta: z.string() }),
  z.object({ type: z.literal("transcript.text.done"), text: z.string() }),
]);

/**
 * The words of an utterance, by `/audio/transcriptions` of any OpenAI-compatible server. See
 * `Voice`.
 */
export async function transcribe(
  server: SpeechServer,
  utterance: Int16Array,
  signal: AbortSignal,
  onWords?: (words: string) => void,
): Promise<Result<string, ModelError>> {
  const parsed = parseEndpoint(server, server.transcriptionModel);
  if (!parsed.ok)
    return err(modelError(parsed.error, { baseUrl: "", model: server.transcriptionModel }));
  const endpoint = parsed.value;
  const watch = new RequestTimeouts(server.limits, signal);
  let result: Result<string, ModelFailure>;
  try {
    const form = transcriptionForm(server, utterance);
    const ask = (stream: boolean) =>
      sendRequest(endpoint, globalThis.fetch, watch, ({ audio: { transcriptions } }) =>
        stream
          ? transcriptions.create({ ...form, stream }, ANY_TYPE)
          : transcriptions.create(form, ANY_TYPE),
      );
    let response = await ask(onWords !== undefined);
    if (!response.ok && onWords && /\bstream/i.test(response.error.body))
      response = await ask(false);
    result = response.ok
      ? await readTranscript(response.value, watch, onWords)
      : err(speechFailure(response.error, "no-transcription", endpoint));
  } catch (reason) {
    result = err(watch.timeout ?? networkFailure(reason, false, endpoint));
  } finally {
    watch.dispose();
  }
  if (signal.aborted) return err(modelError({ code: "aborted" }, endpoint));
  return result.ok ? result : err(modelError(result.error, endpoint));
}

function transcriptionForm({ transcriptionModel, language }: SpeechServer, utterance: Int16Array) {
  return {
    file: new File([encodeWav(utterance)], "utterance.wav", { type: "audio/wav" }),
    model: transcriptionModel,
    response_format: "json" as const,
    ...(language !== "" && { language }),
  };
}

/**
 * A transcript as JSON, as events or, where the server ignores `response_format`, as plain text.
 */
async function readTranscript(
  { body, type }: OpenResponse,
  watch: RequestTimeouts,
  onWords?: (words: string) => void,
): Promise<Result<string, ModelFailure>> {
  const readText = textReader(body, watch.signal, () => watch.enter("idle-timeout"));
  const read = () => watch.wait(readText());
  if (type.includes("event-stream")) return readEvents(read, onWords);
  const text = await readAll(read, MAX_TEXT);
  if (text.length > MAX_TEXT) return err({ code: "overlong" });
  if (/^\s*</.test(text)) return err({ code: "web-page" });
  if (text.trim() === "") return err({ code: "empty" });
  const transcript = transcriptSchema.safeParse(parseJson(text));
  if (transcript.success) return ok(transcript.data.text);
  return type.startsWith("text/plain") ? ok(text.trim()) : err({ code: "unreadable-transcript" });
}

async function readEvents(
  read: ReadText,
  onWords: ((words: string) => void) | undefined,
): Promise<Result<string, ModelFailure>> {
  let words = "";
  let whole: string | null = null;
  const parser = createParser({
    onEvent({ data }) {
      const event = transcriptEventSchema.safeParse(parseJson(data)).data;
      if (event?.type === "transcript.text.done") whole = event.text;
      if (event?.type !== "transcript.text.delta") return;
      words += event.delta;
      onWords?.(words);
    },
  });
  let length = 0;
  for (let text = await read(); text !== null && whole === null; text = await read()) {
    length += text.length;
    if (length > MAX_TEXT) return err({ code: "overlong" });
    parser.feed(text);
  }
  parser.feed("\n\n");
  return whole === null
    ? err({ code: words === "" ? "unreadable-transcript" : "interrupted" })
    : ok(whole);
}

/** The sound of a text, by `/audio/speech` of any OpenAI-compatible server. See `Voice`. */
export async function* speak(
  server: SpeechServer,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<Int16Array, ModelError | null, undefined> {
  const { speechModel: model, voice, speed } = server;
  const parsed = parseEndpoint(server, model);
  if (!parsed.ok) return modelError(parsed.error, { baseUrl: "", model });
  const endpoint = parsed.value;
  const watch = new RequestTimeouts(server.limits, signal);
  let failure: ModelFailure | null = null;
  let samples = 0;
  try {
    const request = {
      model,
      input: wireText(text),
      voice,
      response_format: "wav" as const,
      ...(speed !== 1 && { speed }),
    };
    const response = await sendRequest(endpoint, globalThis.fetch, watch, ({ audio }) =>
      audio.speech.create(request, ANY_TYPE),
    );
    if (!response.ok) failure = speechFailure(response.error, "no-speech", endpoint);
    else {
      const { body, type } = response.value;
      const reader = body.getReader();
      const isPage = type.includes("html");
      const wav = new WavReader();
      let isEmpty = true;
      for (
        let next = await watch.wait(reader.read());
        !next.done && failure === null;
        next = await watch.wait(reader.read())
      ) {
        isEmpty = false;
        watch.pause();
        const pcm = wav.push(next.value);
        if (pcm) yield pcm;
        samples += pcm?.length ?? 0;
        if (pcm === null) failure = { code: isPage ? "web-page" : "unreadable-audio" };
        else if (samples > MAX_SAMPLES) failure = { code: "overlong", begun: true };
        watch.enter("idle-timeout");
      }
      if (isEmpty) failure = { code: "empty" };
      else if (!wav.isComplete)
        failure ??=
          samples > 0 ? { code: "interrupted", begun: true } : { code: "unreadable-audio" };
    }
  } catch (reason) {
    failure = watch.timeout ?? networkFailure(reason, samples > 0, endpoint);
  } finally {
    watch.dispose();
  }
  if (signal.aborted) failure = { code: "aborted" };
  return failure && modelError(failure, endpoint);
}

/** What a refusal means to voice: the chat's remedies do not help. */
function speechFailure(
  refusal: ErrorResponse,
  missing: FailureCode,
  endpoint: Endpoint,
): ModelFailure {
  const failure = responseFailure(refusal, endpoint);
  if (failure.code === "api-not-found") return { ...failure, code: missing };
  if (failure.code === "model-not-found") return { ...failure, code: "no-voice-model" };
  return failure.code === "context-length" ? { ...failure, code: "rejected" } : failure;
}

import { ok } from "../../base/result.ts";
import type { ToolSpec } from "../message.ts";
import type { ModelRequest, ModelTimeLimits } from "../modelClient.ts";
import { ChunkDecoder } from "../openai/chunkDecoder.ts";
import { providerSource } from "../providerData.ts";
import { readAnswer } from "../readAnswer.ts";
import { RequestTimeouts } from "../requestTimeouts.ts";
import type { StreamPart } from "../streamPart.ts";
import { wireValue } from "../wireText.ts";
import { languageModelFailure } from "./languageModelFailure.ts";
import {
  chunkOfPart,
  finishChunk,
  type LanguageModelMessage,
  type LanguageModelPart,
  languageModelMessages,
} from "./languageModelParts.ts";

/** A model of VS Code's language model API, without its classes. */
export interface LanguageModelPort {
  readonly baseUrl: string;
  /**
   * Sends a request, after the user's consent where that is needed. May throw anything; `signal`
   * cancels it.
   */
  send(
    messages: readonly LanguageModelMessage[],
    tools: readonly ToolSpec[],
    signal: AbortSignal,
  ): PromiseLike<AsyncIterable<LanguageModelPart>>;
}

/** Streams one answer of a language model, as `ModelClient` promises. */
export function streamLanguageModel(
  model: LanguageModelPort,
  limits: ModelTimeLimits,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterable<StreamPart> {
  const endpoint = { baseUrl: model.baseUrl, model: request.model };
  const decoder = new ChunkDecoder(request);
  const watch = new RequestTimeouts(limits, signal);
  return readAnswer(
    {
      endpoint,
      decoder,
      watch,
      async open() {
        const { tools, messages, images } = request;
        watch.signal.throwIfAborted();
        // VS Code may ask for the user's consent first, so the time to connect is no limit here.
        watch.enter("first-token-timeout");
        const parts = await watch.wait(
          model.send(
            wireValue(languageModelMessages(messages, providerSource(endpoint), images)),
            wireValue(tools),
            watch.signal,
          ),
        );
        watch.enter("first-token-timeout");
        return ok(chunksOf(parts, () => watch.received()));
      },
      ended() {
        if (!decoder.hasContent) return { code: "empty" };
        decoder.push(finishChunk("stop"));
        return null;
      },
      thrown(reason, begun) {
        const failure = languageModelFailure(reason, begun);
        if (failure === null) decoder.push(finishChunk("length"));
        return failure;
      },
    },
    signal,
  );
}

async function* chunksOf(
  parts: AsyncIterable<LanguageModelPart>,
  received: () => void,
): AsyncGenerator<unknown, void, undefined> {
  let index = 0;
  for await (const part of parts) {
    received();
    const chunk = chunkOfPart(part, index++);
    if (chunk !== null) yield chunk;
  }
}

import type { ModelClient, ModelRequest } from "../../../src/model/modelClient.ts";
import { abortedError, modelError } from "../../../src/model/modelFailure.ts";
import type { StreamPart } from "../../../src/model/streamPart.ts";

/** A model client that replays given parts, and remembers what it was asked. */
export interface ReplayClient extends ModelClient {
  readonly requests: readonly ModelRequest[];
}

/**
 * The first request gets the first list of parts, and so on; one too many gets an error part. An
 * abort ends a replay with an error part.
 */
export function createReplayClient(answers: readonly (readonly StreamPart[])[]): ReplayClient {
  const requests: ModelRequest[] = [];
  return {
    baseUrl: "http://replay.invalid/v1",
    requests,
    async *stream(request, signal) {
      const parts = answers[requests.push(request) - 1];
      for (const part of parts ?? []) {
        await Promise.resolve();
        if (signal.aborted) {
          yield { type: "error", error: abortedError() };
          return;
        }
        yield part;
      }
      if (parts) return;
      const said = `The test has ${answers.length} answers only.`;
      yield {
        type: "error",
        error: modelError(
          { code: "rejected", status: 500, said },
          { baseUrl: "", model: request.model },
        ),
      };
    },
  };
}

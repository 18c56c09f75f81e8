import type { LanguageModelPort } from "../../../src/model/languageModel/languageModelAnswer.ts";
import type {
  LanguageModelMessage,
  LanguageModelPart,
} from "../../../src/model/languageModel/languageModelParts.ts";
import type { ToolSpec } from "../../../src/model/message.ts";
import { type ModelStep, pieces } from "./modelServer.ts";

/** One request that reached the model. */
export interface SentRequest {
  readonly messages: readonly LanguageModelMessage[];
  readonly tools: readonly ToolSpec[];
  /** True once it was canceled before the answer was complete. */
  closedEarly: boolean;
  /** Settles when the answer is over, completely or not. */
  readonly closed: Promise<void>;
}

/** A language model of VS Code that answers by a script, as `startModelServer` does over HTTP. */
export interface ScriptedLanguageModel extends LanguageModelPort {
  readonly requests: readonly SentRequest[];
  /** Settles with the request of the 0-based number once it has arrived. */
  request(index: number): Promise<SentRequest>;
}

/** Makes one. As over HTTP, the first "chunk" of a step is the beginning of the response. */
export function scriptedLanguageModel(steps: readonly ModelStep[]): ScriptedLanguageModel {
  const requests: SentRequest[] = [];
  const waiting = new Map<number, (request: SentRequest) => void>();
  return {
    baseUrl: "vscode-lm:scripted",
    requests,
    async request(index) {
      return requests[index] ?? new Promise((resolve) => waiting.set(index, resolve));
    },
    async send(messages, specs, signal) {
      let over = () => {};
      const closed = new Promise<void>((resolve) => {
        over = resolve;
      });
      const request: SentRequest = { messages, tools: specs, closedEarly: false, closed };
      const index = requests.push(request) - 1;
      let complete = false;
      const canceled = new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          request.closedEarly = !complete;
          resolve();
          over();
        });
      });
      const completed = () => {
        complete = true;
        over();
      };
      waiting.get(index)?.(request);
      const step = steps[index];
      if (!step) throw new Error(`The test's script has ${steps.length} steps only.`);
      if (step.dieAfter === 0) throw new Error("The provider's process ended.");
      if (step.stallAfter === 0) await canceled;
      return answer(step, canceled, completed);
    },
  };
}

async function* answer(
  step: ModelStep,
  canceled: Promise<void>,
  completed: () => void,
): AsyncGenerator<LanguageModelPart> {
  let sent = 1;
  for (const part of stepParts(step)) {
    if (sent === step.dieAfter) throw Object.assign(new Error("Canceled"), { name: "Canceled" });
    if (sent === step.stallAfter) await canceled;
    yield part;
    sent++;
  }
  completed();
  if (step.finish === "length") throw new Error("Response too long.");
}

/**
 * The parts that a step streams, in order. A call is whole; arguments that are no JSON come as
 * text.
 */
export function stepParts(step: ModelStep): readonly LanguageModelPart[] {
  const size = step.chunkSize ?? 16;
  const text = (whole: string) =>
    pieces(whole, size).map((each): LanguageModelPart => ({ type: "text", text: each }));
  const tokens = {
    prompt_tokens: step.promptTokens ?? 100,
    completion_tokens: 20,
    total_tokens: (step.promptTokens ?? 100) + 20,
  };
  return [
    ...pieces(step.reasoning ?? "", size).map(
      (each): LanguageModelPart => ({ type: "thinking", text: [each] }),
    ),
    ...(step.pieces?.map((each): LanguageModelPart => ({ type: "text", text: each })) ??
      text(step.text ?? "")),
    ...(step.toolCalls ?? []).map(
      ({ id, name, args }, position): LanguageModelPart => ({
        type: "tool-call",
        callId: id ?? `call_${position}`,
        name,
        input: args,
      }),
    ),
    ...text(step.textAfter ?? ""),
    { type: "data", mimeType: "usage", data: new TextEncoder().encode(JSON.stringify(tokens)) },
  ];
}

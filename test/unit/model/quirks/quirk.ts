import type { FailureCode, ModelError } from "../../../../src/model/modelFailure.ts";
import type { FinishReason } from "../../../../src/model/streamPart.ts";

/** One thing that a server does on the wire, and what it must be read as. */
export interface Quirk {
  readonly what: string;
  /** The whole body; objects are events, and texts stand as they are. */
  readonly body: readonly unknown[];
  readonly text?: string;
  readonly reasoning?: string;
  /** `id name arguments`; the id is `*` where the provider sent none that can be used. */
  readonly calls?: readonly string[];
  readonly finish?: FinishReason;
  readonly outputTokens?: number;
  /** Instead of a finish reason: the kind, the code, and part of what the server said. */
  readonly error?: readonly [kind: ModelError["kind"], code: FailureCode, said?: string];
}

/** A chunk with one choice. */
export const choice = (delta: unknown, finish: string | null = null, more: object = {}) => ({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish, ...more }],
});

/** A chunk of text. */
export const content = (text: string) => choice({ content: text });

/** A chunk with a piece of a call. */
export const call = (fields: object, name: string | null | undefined, args: unknown) =>
  choice({
    tool_calls: [
      {
        type: "function",
        ...fields,
        function: { ...(name === undefined ? {} : { name }), arguments: args },
      },
    ],
  });

/** The chunk that says that the model has stopped. */
export const stop = choice({}, "stop");

/** The chunk that says that the model has made calls. */
export const called = choice({}, "tool_calls");

/** The end mark. */
export const done = "data: [DONE]\n\n";

/** A call of `read_file` as a test expects it. */
export const read = (id: string) => `${id} read_file {"path":"a.ts"}`;

/** Arguments of `read_file`. */
export const path = '{"path":"a.ts"}';

import { err, ok, type Result } from "../base/result.ts";
import type { Message, ToolSpec } from "../model/message.ts";
import type { ModelError } from "../model/streamPart.ts";
import type { ContextWindow, FittedRequest, ReadOn } from "./contextWindow.ts";

/** A request that is to fit into the model's context window. */
export interface RequestParts {
  readonly window: ContextWindow;
  readonly tools: readonly ToolSpec[];
  /** The messages as of now. */
  build(): readonly Message[];
  /** Puts a summary in the place of the earlier turns; null where there are none, or where that was done in this turn. */
  readonly compact: (() => Promise<Result<null, ModelError>>) | null;
  readonly readOn: ReadOn;
}

/** Messages with calls whose results stay whole as long as something else can go. */
const KEPT = 2;

/**
 * The messages to send: old results clipped where they are too many, then the earlier turns summed up, once, then the newest results
 * clipped, too. The error says what is too large.
 */
export async function prepareRequest(parts: RequestParts): Promise<Result<readonly Message[], ModelError>> {
  const { window, tools, compact, readOn } = parts;
  let fitted = window.fit(parts.build(), tools, KEPT, readOn);
  if (fitted.fits) return ok(fitted.messages);
  if (compact) {
    const compacted = await compact();
    if (!compacted.ok) return compacted;
  }
  for (const kept of [1, 0]) {
    fitted = window.fit(parts.build(), tools, kept, readOn);
    if (fitted.fits) return ok(fitted.messages);
  }
  return err(tooLarge(fitted));
}

const USES_LESS = "Ask for a smaller part, start a new chat, or set graft.contextWindow if the model takes more.";
const NEEDS_NO_TOOLS =
  "Set graft.contextWindow if the model takes more. The command Graft: Start Edit Mode on File needs no tools, and so has room for a file.";

/** What takes the most, and what can be done about it. */
const LARGEST: Record<FittedRequest["largest"]["of"], readonly [name: string, advice: string]> = {
  tool: ["a tool's result", USES_LESS],
  tools: ["what tells the model of the tools", NEEDS_NO_TOOLS],
  system: ["Graft's instructions", NEEDS_NO_TOOLS],
  user: ["a message of yours, or what was told with it", USES_LESS],
  assistant: ["an answer of the model's", USES_LESS],
};

function tooLarge({ tokens, limit, largest }: FittedRequest): ModelError {
  const [name, advice] = LARGEST[largest.of];
  const most = `The largest part is ${name}, about ${rounded(largest.tokens)} tokens.`;
  const message = `The request is too large for the model: about ${rounded(tokens)} tokens, where ${rounded(limit)} are left for it in the context window. ${most} ${advice}`;
  return { kind: "context-length", message, status: null, retryable: false };
}

function rounded(tokens: number): string {
  return String(tokens < 1000 ? tokens : Math.round(tokens / 100) * 100);
}

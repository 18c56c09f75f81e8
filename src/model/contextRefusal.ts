import type { Endpoint } from "./endpoint.ts";
import { quoted, type RefusedAnswer, serverSentence } from "./modelErrors.ts";
import type { ModelError } from "./streamPart.ts";

/** Statuses that servers give to a request that is too long; some local servers say 500. */
const STATUSES: ReadonlySet<number> = new Set([400, 413, 422, 500]);

/** How servers say it: OpenAI, OpenRouter and vLLM; Anthropic; Gemini; llama.cpp, LM Studio and Ollama; Mistral; SGLang. */
const SENTENCES: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size|context_window_exceeded|string_above_max_length/i,
  /(?:maximum|max|model'?s) (?:allowed )?context (?:length|window|size)/i,
  /(?:exceed\w*|larger than|longer than|overflow\w*|too (?:large|long|big) for|outside)\b[^.]{0,60}\bcontext(?: (?:length|window|size|limit))?\b/i,
  /\b(?:prompt|input|request|conversation)(?: \w+){0,2} (?:is|are|was) too (?:long|large)\b/i,
  /\bcontext (?:length |window )?overflow/i,
  /input token count\b[^.]{0,60}\bexceeds/i,
  /(?:reduce|shorten) (?:the )?(?:length of )?(?:your |the )?(?:messages|prompt|input)/i,
  /too many (?:input |prompt )?tokens(?! per)/i,
];

/** The error for an answer that refuses the length of its request; else null. */
export function contextRefusal(answer: RefusedAnswer, endpoint: Endpoint): ModelError | null {
  if (!STATUSES.has(answer.status)) return null;
  if (answer.status !== 413 && !SENTENCES.some((sentence) => sentence.test(answer.body))) return null;
  const said = serverSentence(answer.body, endpoint);
  const message = `The request is too large for ${endpoint.baseUrl} (${answer.status}). Start a new chat, or attach less. If it happens again, set graft.contextWindow to what the model takes.${quoted(said)}`;
  return { kind: "context-length", message, status: answer.status, retryable: false };
}

/** The same for an error object that came in place of a chunk. */
export function streamedContextRefusal(error: unknown, endpoint: Endpoint): ModelError | null {
  return contextRefusal({ status: 400, retryAfter: null, body: JSON.stringify({ error }) }, endpoint);
}

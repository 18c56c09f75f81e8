import type { Endpoint } from "./endpoint.ts";
import { quoted, type RefusedAnswer, serverSentence } from "./modelErrors.ts";
import type { ModelError } from "./streamPart.ts";

/** Statuses that servers give to a request they would take without tools; some local servers say 500. */
const STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 422, 500, 501]);

const TOOLS = `(?:tools?|tool[ _-](?:use|usage|choice|calls?|calling)|functions?|function[ _-]call(?:s|ing)?)`;
const REFUSED = `(?:unsupported|not (?:be |yet |currently )?(?:supported|allowed|permitted|available|enabled|implemented)|requires?)`;

/** How servers say that they take no tools: Ollama, OpenRouter, vLLM, llama.cpp, and validators that do not know the field. */
const SENTENCES: readonly RegExp[] = [
  new RegExp(String.raw`(?:not|n't|cannot|unable to|never) (?:support|allow|accept|handle|use)\b[^.]{0,40}\b${TOOLS}\b`, "i"),
  new RegExp(String.raw`\b${TOOLS}\b[^.:]{0,60}\b${REFUSED}\b`, "i"),
  new RegExp(String.raw`\bno (?:endpoints?|models?|providers?)\b[^.]{0,60}\bsupports? ${TOOLS}\b`, "i"),
  /(?:unsupported|unknown|unrecognized|unexpected|extra|additional)[^.]{0,60}["'`](?:tools|tool_choice|functions)["'`]/i,
  /["'`](?:tools|tool_choice|functions)["'`][^.]{0,60}(?:unsupported|unknown|unrecognized|unexpected|extra|not (?:permitted|allowed))/i,
];

/** The error for an answer that refuses the tools of its request, and would not refuse the same request without them; else null. */
export function toolsRefusal(answer: RefusedAnswer, endpoint: Endpoint): ModelError | null {
  if (!STATUSES.has(answer.status)) return null;
  // Of what was sent, only the tools may be at fault: a history that is not valid is another matter.
  if (/tool_call_id|\bmessages?\b[^.]{0,30}\brole\b/i.test(answer.body)) return null;
  const body = answer.body.replaceAll('\\"', '"');
  if (!SENTENCES.some((sentence) => sentence.test(body))) return null;
  const said = serverSentence(answer.body, endpoint);
  const message = `${endpoint.baseUrl} does not take tools for the model "${endpoint.model}".${quoted(said)}`;
  return { kind: "tools-refused", message, status: answer.status, retryable: false };
}

/** The same for an error object that came in place of a chunk. */
export function streamedToolsRefusal(error: unknown, endpoint: Endpoint): ModelError | null {
  return toolsRefusal({ status: 400, retryAfter: null, body: JSON.stringify({ error }) }, endpoint);
}

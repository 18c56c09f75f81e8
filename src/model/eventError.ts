import * as z from "zod/mini";
import { lenient } from "./lenient.ts";

const anything = z.optional(z.unknown());
const text = lenient(z.string());

const eventSchema = z.object({
  error: anything,
  x_groq: lenient(z.object({ error: anything })),
  base_resp: lenient(z.object({ status_code: lenient(z.number()), status_msg: text })),
  choices: anything,
  message: text,
});

/**
 * The error that an event of a stream holds beside a chunk or in place of one: in `error`
 * (https://openrouter.ai/docs/api-reference/streaming); Groq's in `x_groq`; MiniMax's in `base_resp`, whose codes
 * https://platform.minimax.io/docs/api-reference/errorcode lists; or the event itself, in the form in which
 * Mistral and older versions of vLLM refuse a request. Null where there is none.
 */
export function eventError(event: unknown): unknown {
  const parsed = eventSchema.safeParse(event);
  if (!parsed.success) return null;
  const { error, x_groq, base_resp, choices, message } = parsed.data;
  if (error || x_groq?.error) return error || x_groq?.error;
  if (base_resp?.status_code) return { message: base_resp.status_msg ?? "" };
  return message && !choices ? event : null;
}

/** The error in a field of its own, `error: {…}`, as llama.cpp wrote it until September 2025 (https://github.com/ggml-org/llama.cpp/pull/16109). */
export function fieldError(lines: readonly string[]): unknown {
  const line = lines.find((each) => each.startsWith("error:"));
  if (line === undefined) return null;
  const said = line.slice("error:".length).trim();
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
}

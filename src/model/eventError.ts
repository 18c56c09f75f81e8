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
 * The error in an event, or null. It is in `error` (https://openrouter.ai/docs/api-reference/streaming), in Groq's `x_groq`, in
 * MiniMax's `base_resp` (https://platform.minimax.io/docs/api-reference/errorcode), or is the event itself (Mistral, older vLLM).
 */
export function eventError(event: unknown): unknown {
  const parsed = eventSchema.safeParse(event);
  if (!parsed.success) return null;
  const { error, x_groq, base_resp, choices, message } = parsed.data;
  if (error || x_groq?.error) return error || x_groq?.error;
  if (base_resp?.status_code) return { message: base_resp.status_msg ?? "" };
  return message && !choices ? event : null;
}

import { redactedLine } from "../endpoint.ts";
import type { FailureCode, ModelFailure } from "../modelFailure.ts";
import { lengthRefusal } from "../openai/lengthRefusal.ts";
import { causeChain } from "../openai/networkFailure.ts";

/**
 * How failures can be told: by the code of a `LanguageModelError`, by the name that Copilot gives
 * an error, and by the words of VS Code, Copilot and other providers. The first that fits counts.
 */
const CODES: readonly (readonly [RegExp, FailureCode])[] = [
  [/^NoPermissions\b/m, "lm-not-permitted"],
  [/^Blocked\b/m, "lm-blocked"],
  [/^NotFound\b/m, "lm-model-gone"],
  [/^\S* ChatQuotaExceeded\b/m, "lm-quota-spent"],
  [/^\S* ChatRateLimited\b/m, "lm-rate-limited"],
  [/\boff_topic\b/, "lm-off-topic"],
  [/\bfiltered\b|Responsible AI|content[ _]?filter|declined to respond/i, "content-filter"],
  [
    /(?:provider|model)\b.{0,200}\b(?:not registered|not (?:be )?found|is unknown)/i,
    "lm-model-gone",
  ],
  [/\bquota\b/i, "lm-quota-spent"],
  [/rate.?limit|too many requests|\b429\b/i, "lm-rate-limited"],
  [/^\S* (?:Canceled|CancellationError)\b/m, "interrupted"],
];

/** How Copilot reports an answer that reached the model's limit. */
const CUT_OFF = /Response too long/;

/**
 * Why a request failed, by what VS Code or the provider threw; null for an answer that was cut off.
 */
export function languageModelFailure(thrown: unknown, begun: boolean): ModelFailure | null {
  const causes = causeChain(thrown);
  const trace = causes.map(({ code, name, message }) => `${code} ${name} ${message}`).join("\n");
  if (begun && CUT_OFF.test(trace)) return null;
  const code =
    CODES.find(([pattern]) => pattern.test(trace))?.[1] ??
    (lengthRefusal(trace, null) ? "context-length" : "stream-error");
  const said = redactedLine(causes.findLast(({ message }) => message !== "")?.message ?? "", {
    apiKey: null,
  });
  return { code, said, begun };
}

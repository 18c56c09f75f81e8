import { describedModel } from "../../model/connections/connection.ts";
import type { ChosenModel } from "../settings/modelChoice.ts";

/** The efforts that are offered, as providers name them; any other one is a connection's setting. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

/** OpenAI's models that reason: its list does not say which do. */
const REASONS = /^(?:o\d|gpt-(?:[5-9]|\d\d))/;

/**
 * The reasoning effort of the chosen model's requests: a level, or `default` where none is sent. Null
 * for models that are not known to reason.
 */
export function reasoningEffort(chosen: ChosenModel | null): string | null {
  if (chosen?.source !== "connection") return null;
  const { connection, effort = connection.reasoningEffort } = chosen;
  const { id, reasoning } = describedModel(connection, chosen.model);
  const reasons = reasoning ?? REASONS.test(id);
  return effort ?? (reasons ? "default" : null);
}

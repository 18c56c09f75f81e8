import { describedModel } from "../../model/connections/connection.ts";
import { withoutQuery } from "../../model/endpoint.ts";
import { learnedCapabilities } from "../../model/learnedCapabilities.ts";
import type { Memory } from "../../ports/memory.ts";
import type { ChosenModel } from "../settings/modelChoice.ts";
import { serverOf } from "../settings/server.ts";

/** The efforts that are offered, as providers name them; any other one is a connection's setting. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

/** OpenAI's models that reason: its list does not say which do. */
const REASONS = /^(?:o\d|gpt-(?:[5-9]|\d\d))/;

/**
 * The reasoning effort of the chosen model's requests: a level, or `default` where none is sent, as
 * where the model refused one. Null for models that are not known to reason.
 */
export function reasoningEffort(chosen: ChosenModel | null, learned: Memory): string | null {
  if (chosen?.source !== "connection") return null;
  const baseUrl = withoutQuery(serverOf(chosen.connection)?.baseUrl ?? "");
  const { refused } = learnedCapabilities(learned, baseUrl, chosen.model.id);
  if (refused.has("reasoning-with-tools")) return "none";
  const { connection, effort = connection.reasoningEffort } = chosen;
  const { id, reasoning } = describedModel(connection, chosen.model);
  const reasons = reasoning ?? REASONS.test(id);
  if (effort !== undefined && !refused.has("reasoning-effort")) return effort;
  return effort !== undefined || reasons ? "default" : null;
}

import type { ModelPrice } from "./modelInfo.ts";
import type { Usage } from "./streamPart.ts";

/**
 * The usage with its cost: as the server says, else by the model's price and marked as estimated;
 * without one where neither is known. Cache writes cost as input.
 */
export function withCost(usage: Usage, price: ModelPrice | null): Usage {
  const { inputTokens, outputTokens, cachedInputTokens: cached = 0, cost } = usage;
  if (cost !== undefined || price === null || inputTokens === null || outputTokens === null)
    return usage;
  const input = (inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input);
  const estimated = usage.estimated ?? "cost";
  return { ...usage, cost: (input + outputTokens * price.output) / 1_000_000, estimated };
}

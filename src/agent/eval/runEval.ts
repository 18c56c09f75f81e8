import { estimateTokens } from "../../base/text/estimateTokens.ts";
import type { MeasuredFormat } from "../../model/learnedCapabilities.ts";
import type { ModelPrice } from "../../model/modelInfo.ts";
import { withCost } from "../../model/usageCost.ts";
import type { EvalTask } from "./evalTask.ts";
import { type EvalResult, type MeasuredModel, runEvalTask } from "./runEvalTask.ts";

/** The formats that are measured, in the order in which equals are preferred. */
export const MEASURED_FORMATS: readonly MeasuredFormat[] = ["ast", "lines", "complete", "patch"];

/** What a run takes, by estimate, and the most that it may take. */
export interface EvalBudget {
  readonly tasks: number;
  readonly tokens: number;
  /** The run stops there. */
  readonly mostTokens: number;
  /** In US dollars; null without a price. */
  readonly cost: number | null;
}

/** The results of one format, added up. */
export interface EvalRow {
  readonly format: MeasuredFormat;
  readonly right: number;
  readonly repaired: number;
  readonly refused: number;
  readonly wrong: number;
  readonly failed: number;
  readonly tokens: number;
  readonly seconds: number;
  /** In US dollars; null where no price is known. */
  readonly cost: number | null;
  readonly isEstimated: boolean;
}

/** Tokens of instructions and of the format's description, beside the file. */
const OVERHEAD = { ast: 900, lines: 700, complete: 500, patch: 1_900 } as const;
/** How much more than estimated a run may take. */
const SLACK = 3;

/** What a run of these tasks takes. */
export function evalBudget(
  tasks: readonly Pick<EvalTask, "before" | "request">[],
  formats: readonly MeasuredFormat[],
  price: ModelPrice | null,
): EvalBudget {
  let inputTokens = 0;
  let outputTokens = 0;
  for (const format of formats)
    for (const { before, request } of tasks) {
      const file = estimateTokens(before);
      // An answer, and last words after the report.
      inputTokens += 2 * (OVERHEAD[format] + file + estimateTokens(request));
      outputTokens += (format === "complete" ? file : 120) + 40;
    }
  const tokens = inputTokens + outputTokens;
  const { cost = null } = withCost({ inputTokens, outputTokens }, price);
  return { tasks: tasks.length * formats.length, tokens, mostTokens: tokens * SLACK, cost };
}

/**
 * Gives each task to the model in each format, one after the other. `done` hears of each; stops when
 * the budget is spent, at a failure that the next task would meet too, and when aborted.
 */
export async function runEval(
  tasks: readonly EvalTask[],
  formats: readonly MeasuredFormat[],
  budget: EvalBudget,
  parts: MeasuredModel,
  done: (result: EvalResult) => void,
): Promise<{ readonly results: readonly EvalResult[]; readonly isComplete: boolean }> {
  const results: EvalResult[] = [];
  let tokens = 0;
  for (const format of formats)
    for (const task of tasks) {
      if (parts.signal.aborted || tokens > budget.mostTokens) return { results, isComplete: false };
      const result = await runEvalTask(task, format, parts);
      if (parts.signal.aborted) return { results, isComplete: false };
      results.push(result);
      tokens += result.inputTokens + result.outputTokens;
      done(result);
      if (result.outcome === "failed" && result.error?.retryable === false)
        return { results, isComplete: false };
    }
  return { results, isComplete: true };
}

/** The results by format. */
export function evalRows(results: readonly EvalResult[]): readonly EvalRow[] {
  return MEASURED_FORMATS.flatMap((format) => {
    const own = results.filter((each) => each.format === format);
    const count = (outcome: EvalResult["outcome"]) =>
      own.filter((each) => each.outcome === outcome).length;
    const sum = (of: (each: EvalResult) => number) => own.reduce((all, each) => all + of(each), 0);
    if (own.length === 0) return [];
    return {
      ...{ format, right: count("right"), repaired: count("repaired") },
      ...{ refused: count("refused"), wrong: count("wrong"), failed: count("failed") },
      tokens: sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
      seconds: sum(({ seconds }) => seconds),
      cost: own.some(({ cost }) => cost !== null) ? sum(({ cost }) => cost ?? 0) : null,
      isEstimated: own.some(({ isEstimated }) => isEstimated),
    };
  });
}

/**
 * The format with most right results, repaired ones included; of equals the one with fewer wrong
 * ones, then the one with fewer tokens. Null where none got one right.
 */
export function bestFormat(rows: readonly EvalRow[]): MeasuredFormat | null {
  const good = ({ right, repaired }: EvalRow) => right + repaired;
  const sorted = [...rows].sort(
    (a, b) => good(b) - good(a) || a.wrong - b.wrong || b.right - a.right || a.tokens - b.tokens,
  );
  const [best] = sorted;
  return best && good(best) > 0 ? best.format : null;
}

import { EVAL_TASKS } from "../../agent/eval/evalTasks.ts";
import {
  bestFormat,
  type EvalRow,
  evalBudget,
  evalRows,
  MEASURED_FORMATS,
  runEval,
} from "../../agent/eval/runEval.ts";
import type { MeasuredModel } from "../../agent/eval/runEvalTask.ts";
import { learnedCapabilities, type MeasuredFormat } from "../../model/learnedCapabilities.ts";
import type { Memory } from "../../ports/memory.ts";
import { createSyntax } from "../../syntax/createSyntax.ts";
import { costText, turnErrorMessage } from "../../turns/messages.ts";
import { type CommandIo, complain, fail, print, printJson, stderrLogger } from "../commandIo.ts";
import type { CliCommand } from "../commandLine.ts";
import { commandLineWords } from "../messages.ts";
import { learnedModels, openClient, unreachableReason } from "../openClient.ts";

/** The arguments of `graft eval`. */
export type EvalArguments = Extract<CliCommand, { name: "eval" }>;

/** Formats as the setting graft.edits.format names them. */
export const FORMAT_NAMES: Readonly<Record<MeasuredFormat, string>> = {
  ast: "elements",
  lines: "lines",
  complete: "wholeFile",
  patch: "searchReplace",
};

/** `graft eval`: measures how well a model edits. Returns the exit status. */
export async function evalCommand(command: EvalArguments, io: CommandIo): Promise<number> {
  const { model } = command;
  const logger = stderrLogger(io);
  const unreachable = await unreachableReason(command, io);
  if (io.interrupted.aborted) return 130;
  // Each task would try it again for a while.
  if (unreachable !== null) return fail(io, unreachable, 1);
  const learned = await learnedModels();
  const client = openClient(command, learned, io);
  const info = null;
  const syntax = createSyntax(io.grammars, logger);
  const signal = io.interrupted;
  const parts = { connection: { client, model, info }, syntax, logger, signal };
  if (command.tasks !== null) {
    const { evalPolyglot } = await import("./evalPolyglot.ts");
    return evalPolyglot({ ...command, tasks: command.tasks }, parts, io);
  }
  return evalOwnTasks(command, parts, learned, io);
}

async function evalOwnTasks(
  command: EvalArguments,
  parts: MeasuredModel,
  learned: Memory,
  io: CommandIo,
): Promise<number> {
  const formats = command.formats ?? MEASURED_FORMATS;
  const tasks = EVAL_TASKS.slice(0, command.limit ?? EVAL_TASKS.length);
  const estimate = evalBudget(tasks, formats, null);
  const budget = { ...estimate, mostTokens: command.maxTokens ?? estimate.mostTokens };
  await complain(
    io,
    `${budget.tasks} tasks, about ${count(budget.tokens)} tokens; the run stops at ${count(budget.mostTokens)}.`,
  );
  const { results, isComplete } = await runEval(tasks, formats, budget, parts, (result) => {
    if (command.json) void printJson(io, result);
    else void complain(io, `${result.task}, ${FORMAT_NAMES[result.format]}: ${result.outcome}`);
  });
  if (parts.signal.aborted) return 130;
  const rows = evalRows(results);
  const best = bestFormat(rows);
  const isWhole = isComplete && formats.length > 1 && tasks.length === EVAL_TASKS.length;
  const isKept = isWhole && best !== null && (await keepBest(best, parts, learned));
  if (command.json) {
    const name = best && FORMAT_NAMES[best];
    await printJson(io, { rows, best: name, complete: isComplete, kept: isKept });
  } else {
    const sentence = bestSentence(best, isWhole, isKept);
    await print(io.stdout, `${evalTable(rows)}\n${sentence}\n`);
  }
  if (isComplete) return 0;
  const error = results.at(-1)?.error;
  if (error) return fail(io, turnErrorMessage(error, commandLineWords), 1);
  return fail(io, "The run stopped at its limit of tokens. Raise it with --max-tokens.", 1);
}

/** Remembers the best format of this model; false where that cannot be stored. */
async function keepBest(
  best: MeasuredFormat,
  { connection: { client, model } }: MeasuredModel,
  learned: Memory,
): Promise<boolean> {
  try {
    await learnedCapabilities(learned, client.baseUrl, model).setBest(best);
    return true;
  } catch {
    return false;
  }
}

function bestSentence(best: MeasuredFormat | null, isWhole: boolean, isKept: boolean): string {
  if (best === null) return "No format got a task right.";
  const name = FORMAT_NAMES[best];
  if (isKept) return `Best: ${name}. graft run and graft acp ask this model for it from now on.`;
  return isWhole
    ? `Best: ${name}. That could not be stored.`
    : `Best: ${name}. Only all tasks in two formats or more decide what graft run asks for.`;
}

/** The rows as a table of text. */
function evalTable(rows: readonly EvalRow[]): string {
  const heads = [
    "format",
    "right",
    "repaired",
    "refused",
    "wrong",
    "failed",
    "tokens",
    "seconds",
    "cost",
  ];
  const cells = rows.map((row) => [
    FORMAT_NAMES[row.format],
    ...[row.right, row.repaired, row.refused, row.wrong, row.failed].map(String),
    (row.isEstimated ? "≈" : "") + count(row.tokens),
    row.seconds.toFixed(1),
    row.cost === null ? "-" : costText(row.cost),
  ]);
  return textTable([heads, ...cells]);
}

/** Aligned columns, the first to the left. */
export function textTable(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, at) =>
    Math.max(...lines.map((line) => (line[at] ?? "").length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function count(tokens: number): string {
  return tokens.toLocaleString("en");
}

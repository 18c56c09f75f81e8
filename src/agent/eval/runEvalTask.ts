import { Deadline } from "../../base/deadline.ts";
import { newId } from "../../base/ids.ts";
import { ok } from "../../base/result.ts";
import { ChangeJournal } from "../../edits/history/changeJournal.ts";
import { createAutoReviewer } from "../../edits/review/autoReviewer.ts";
import type { MeasuredFormat } from "../../model/learnedCapabilities.ts";
import type { Approval } from "../../ports/approval.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import type { EditStatus } from "../../turns/editBlock.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { TurnEvent } from "../../turns/turnEvent.ts";
import { discardingLog } from "../../turns/turnStore.ts";
import { Chat } from "../chat/chat.ts";
import type { ModelConnection } from "../chatOptions.ts";
import { checkResult } from "./checkResult.ts";
import type { EvalTask } from "./evalTask.ts";
import { type TaskFile, taskFile } from "./taskWorkspace.ts";

/**
 * What became of a task: right at once, right after a block was refused and told (`repaired`),
 * nothing placed (`refused`), another result (`wrong`), or no answer (`failed`).
 */
export type EvalOutcome = "right" | "repaired" | "refused" | "wrong" | "failed";

/** One task in one format. */
export interface EvalResult {
  readonly task: string;
  readonly format: MeasuredFormat;
  readonly outcome: EvalOutcome;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly seconds: number;
  /** In US dollars; null where no price is known. */
  readonly cost: number | null;
  /** True where Graft estimated the tokens or the cost. */
  readonly isEstimated: boolean;
  /** Why it failed, else null. */
  readonly error: TurnError | null;
}

/** What runs tasks. */
export interface MeasuredModel {
  readonly connection: ModelConnection;
  readonly syntax: Syntax;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Model answers a task may take: the edit, a repair, and last words; before, files are read. */
const MAX_STEPS = { oneFile: 4, severalFiles: 12 } as const;
/** How long a task may take, in milliseconds, and how long its answers may be, in UTF-16 units. */
const LIMIT_MS = 240_000;
const MAX_ANSWER = 40_000;
/** What an edit has become that was not placed. */
const UNPLACED: ReadonlySet<EditStatus> = new Set([
  ...(["refused", "ignored", "incomplete", "rejected", "held", "conflict"] as const),
]);
/** Only what is reviewed, in memory, is allowed. */
const reviewedOnly: Approval = {
  request: async ({ reviewed, effect }) => ({
    allowed: reviewed || effect === "read",
    by: "settings",
  }),
};

/** Gives one task to the model in one format. Nothing reaches the disk, and no command runs. */
export async function runEvalTask(
  task: EvalTask,
  format: MeasuredFormat,
  parts: MeasuredModel,
): Promise<EvalResult> {
  const file = taskFile(task.path, task.before);
  const request = format === "patch" ? patchRequest(task) : task.request;
  const seen = await askForEdit(file, task.path, request, format, parts);
  const text = file.text();
  const isRight = await checkResult(task, text, parts.syntax, parts.signal);
  const { usage, error, seconds } = seen;
  return {
    ...{ task: task.name, format, ...usage, error, seconds },
    outcome: scoreOf(isRight, text !== task.before, seen),
  };
}

/** What one request for an edit showed. */
export interface AskedEdit {
  /** Some block or call was not placed. */
  readonly wasRefused: boolean;
  readonly hasAnswered: boolean;
  readonly error: TurnError | null;
  readonly usage: Pick<EvalResult, "inputTokens" | "outputTokens" | "cost" | "isEstimated">;
  readonly seconds: number;
}

/**
 * Asks the model for an edit in one format, and writes what is placed without a warning. `path` is
 * the only file, or null where the request names several.
 */
export async function askForEdit(
  { workspace, write }: Pick<TaskFile, "workspace" | "write">,
  path: string | null,
  request: string,
  format: MeasuredFormat,
  { connection, syntax, logger, signal }: MeasuredModel,
): Promise<AskedEdit> {
  const limit = new Deadline(signal);
  const seen = new TaskWatch();
  const chat = await Chat.open({
    ...{ chatId: newId("chat"), workspace, syntax, logger },
    reviewer: createAutoReviewer("all", write),
    approval: reviewedOnly,
    tools: [],
    log: discardingLog,
    journal: new ChangeJournal(discardingLog, logger),
    connect: async () => ok(connection),
    maxSteps: () => (path === null ? MAX_STEPS.severalFiles : MAX_STEPS.oneFile),
    editFormat: () => (format === "patch" ? null : format),
    activeFile: () => null,
  });
  const stop = () => chat.stop();
  limit.signal.addEventListener("abort", stop);
  chat.onEvent((event) => {
    if (seen.takeEvent(event) > MAX_ANSWER) stop();
  });
  const started = performance.now();
  limit.restart(LIMIT_MS);
  try {
    const asked =
      format === "patch" || path === null ? chat.send(request) : chat.startEditMode(path, request);
    if (limit.signal.aborted) stop();
    await asked;
  } finally {
    limit.dispose();
    limit.signal.removeEventListener("abort", stop);
    await chat.dispose();
  }
  const { wasRefused, hasAnswered, error, usage } = seen;
  const seconds = (performance.now() - started) / 1000;
  return { wasRefused, hasAnswered, error, usage, seconds };
}

function scoreOf(isRight: boolean, isChanged: boolean, seen: AskedEdit): EvalOutcome {
  if (isRight) return seen.wasRefused ? "repaired" : "right";
  if (isChanged) return "wrong";
  return seen.error !== null && !seen.hasAnswered ? "failed" : "refused";
}

function patchRequest({ path, before, request }: EvalTask): string {
  return `${request}\n\nCall patch_source_file for ${path}, which holds:\n\n\`\`\`\n${before}\`\`\``;
}

/** Adds up what a chat says of its turn. */
class TaskWatch {
  wasRefused = false;
  hasAnswered = false;
  error: TurnError | null = null;
  usage = { inputTokens: 0, outputTokens: 0, cost: null as number | null, isEstimated: false };
  private length = 0;
  private hasBegun = false;

  /** Returns how long the answers are so far, in UTF-16 units. */
  takeEvent(event: TurnEvent): number {
    if (event.type === "text-delta") this.length += event.text.length;
    if (event.type === "tool-call-delta") this.length += event.argsText.length;
    if (event.type === "reasoning-delta") this.length += event.text.length / 4;
    // The call that begins edit mode is Graft's own, and comes before the first step.
    this.hasBegun ||= event.type === "step-start";
    this.hasAnswered ||=
      this.hasBegun && (event.type === "text-delta" || event.type === "tool-call");
    if (event.type === "edit-update") this.wasRefused ||= UNPLACED.has(event.edit.status);
    if (event.type === "tool-result") this.wasRefused ||= event.status === "error";
    if (event.type === "turn-end") this.error = event.error;
    if (event.type === "usage") {
      const { inputTokens, outputTokens, cost, estimated } = event.usage;
      this.usage.inputTokens += inputTokens ?? 0;
      this.usage.outputTokens += outputTokens ?? 0;
      if (cost !== undefined) this.usage.cost = (this.usage.cost ?? 0) + cost;
      this.usage.isEstimated ||= estimated !== undefined;
    }
    return this.length;
  }
}

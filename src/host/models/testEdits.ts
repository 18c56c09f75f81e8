import * as vscode from "vscode";
import type { ChatOptions, ModelConnection } from "../../agent/chatOptions.ts";
import { EVAL_TASKS } from "../../agent/eval/evalTasks.ts";
import {
  bestFormat,
  evalBudget,
  evalRows,
  MEASURED_FORMATS,
  runEval,
} from "../../agent/eval/runEval.ts";
import { learnedCapabilities } from "../../model/learnedCapabilities.ts";
import { failureMessage } from "../../model/messages.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Memory } from "../../ports/memory.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import { turnErrorMessage } from "../../turns/messages.ts";
import { t } from "../localize.ts";
import { evalBestText, evalBudgetText, evalMarkdown } from "./messages.ts";

/** What a test of edits needs. */
export interface EditTest {
  readonly connect: ChatOptions["connect"];
  readonly syntax: Syntax;
  readonly logger: Logger;
  /** Keeps the best format, for this model at this server. */
  readonly learned: Memory;
}

/**
 * Gives the chosen model Graft's own tasks in each format, once the user has seen what that takes;
 * shows the table, and asks the model for the best format from then on. No file of the workspace
 * takes part.
 */
export async function testEdits(sources: EditTest): Promise<void> {
  const connected = await sources.connect();
  if (!connected.ok) {
    void vscode.window.showErrorMessage(failureMessage(connected.error, t));
    return;
  }
  if ("agent" in connected.value) {
    void vscode.window.showInformationMessage(t("An agent edits in its own way. Choose a model."));
    return;
  }
  await testModel(connected.value, sources);
}

async function testModel(
  connection: ModelConnection,
  { syntax, logger, learned }: EditTest,
): Promise<void> {
  const { client, model, info } = connection;
  const label = info?.label ?? model;
  const budget = evalBudget(EVAL_TASKS, MEASURED_FORMATS, info?.price ?? null);
  const start = t("Start");
  const asked = { modal: true, detail: evalBudgetText(t, budget) };
  const title = t("Test how {model} edits?", { model: label });
  if ((await vscode.window.showInformationMessage(title, asked, start)) !== start) return;
  const run = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t("Testing the edits of {model}", { model: label }),
      cancellable: true,
    },
    (progress, token) => {
      const ended = new AbortController();
      token.onCancellationRequested(() => ended.abort());
      let done = 0;
      const parts = { connection, syntax, logger, signal: ended.signal };
      return runEval(EVAL_TASKS, MEASURED_FORMATS, budget, parts, ({ task }) => {
        done += 1;
        progress.report({
          message: t("{done} of {count}: {task}", { done, count: budget.tasks, task }),
          increment: 100 / budget.tasks,
        });
      });
    },
  );
  const { results, isComplete } = run;
  if (results.length === 0) return;
  const rows = evalRows(results);
  const best = isComplete ? bestFormat(rows) : null;
  if (best !== null) await learnedCapabilities(learned, client.baseUrl, model).setBest(best);
  const error = isComplete ? null : (results.at(-1)?.error ?? null);
  const told = error ? turnErrorMessage(error, t) : evalBestText(t, label, best, isComplete);
  const content = `# ${label}\n\n${evalMarkdown(t, rows)}\n\n${told}\n`;
  const document = await vscode.workspace.openTextDocument({ content, language: "markdown" });
  await vscode.window.showTextDocument(document, { preview: true });
  const copy = t("Copy Table");
  if ((await vscode.window.showInformationMessage(told, copy)) === copy)
    await vscode.env.clipboard.writeText(content);
}

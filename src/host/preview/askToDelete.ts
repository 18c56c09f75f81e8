import * as vscode from "vscode";
import type { PendingOperation } from "../../ports/review.ts";
import { t } from "../localize.ts";
import { manyDeletionsQuestion } from "./messages.ts";

/**
 * The operations to do where the user accepts all of these: asks first where they delete more than
 * one file. Null where the user accepts nothing.
 */
export async function askToDelete<O extends PendingOperation>(
  operations: readonly O[],
): Promise<readonly O[] | null> {
  const deleted = operations.filter(({ to }) => to === null);
  if (deleted.length < 2) return operations;
  const question = manyDeletionsQuestion(
    t,
    deleted.map(({ file }) => file.path),
  );
  const [all, rest] = [t("Delete Them"), t("Accept Only the Rest")];
  const chosen = await vscode.window.showWarningMessage(question, { modal: true }, all, rest);
  if (chosen === rest) return operations.filter(({ to }) => to !== null);
  return chosen === all ? operations : null;
}

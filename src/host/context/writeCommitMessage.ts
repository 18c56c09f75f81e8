import * as vscode from "vscode";
import type { ChatOptions } from "../../agent/chatOptions.ts";
import { commitMessage } from "../../agent/request/commitMessage.ts";
import { err } from "../../base/result.ts";
import { failureMessage } from "../../model/messages.ts";
import { abortedError } from "../../model/modelFailure.ts";
import type { Git } from "../../ports/commands/git.ts";
import { t } from "../localize.ts";
import { changesToCommit, gitRepositories } from "./gitRepositories.ts";
import { diffRefusalMessage, editorCommandMessage } from "./messages.ts";

/**
 * Writes a commit message into the Source Control input of `sourceControl`, by default of the first
 * repository. It covers the staged changes, or all changes if none are staged. Does not commit.
 */
export async function writeCommitMessage(
  sourceControl: unknown,
  connect: ChatOptions["connect"],
  git: Git | null,
): Promise<void> {
  const repositories = await gitRepositories();
  const root = repositoryRoot(sourceControl);
  const repository =
    repositories.find(({ rootUri }) => rootUri.toString() === root) ?? repositories[0];
  if (!repository) return tellProblem("no-repository");
  const changes = await changesToCommit(repository, git);
  if (!changes.ok) {
    void vscode.window.showErrorMessage(diffRefusalMessage(t, changes.error));
    return;
  }
  const diff = changes.value;
  if (diff.trim() === "") return tellProblem("no-changes");
  const { inputBox } = repository;
  const begun = inputBox.value;
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: t("Writing a commit message"),
    cancellable: true,
  };
  const answer = await vscode.window.withProgress(options, async (_progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    const connected = await connect();
    if (!connected.ok) return connected;
    const { value } = connected;
    if (!("agent" in value)) return commitMessage(diff, begun, value, abort.signal);
    void vscode.window.showInformationMessage(
      t("{agent} is an agent. Choose a model to write commit messages.", {
        agent: value.agent.name,
      }),
    );
    return err(abortedError());
  });
  // Keep what the user typed meanwhile.
  if (answer.ok)
    inputBox.value =
      inputBox.value === begun ? answer.value : `${answer.value}\n\n${inputBox.value}`;
  else if (answer.error.kind !== "aborted")
    void vscode.window.showErrorMessage(failureMessage(answer.error, t));
}

function tellProblem(code: "no-repository" | "no-changes"): void {
  void vscode.window.showInformationMessage(editorCommandMessage(t, code));
}

/** The root of the source control that a menu passes. */
function repositoryRoot(value: unknown): string | null {
  const isSourceControl =
    typeof value === "object" &&
    value !== null &&
    "rootUri" in value &&
    value.rootUri instanceof vscode.Uri;
  return isSourceControl ? String(value.rootUri) : null;
}

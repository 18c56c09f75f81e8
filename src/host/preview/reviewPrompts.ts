import * as vscode from "vscode";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { EditorReview } from "../documents/editorReview.ts";
import { t } from "../localize.ts";
import { hunkRequest } from "./messages.ts";

/** What the user wants to be changed, as the request to the model of the chat that wrote it. */
export interface AskedChange {
  readonly request: string;
  readonly chatId: string | null;
}

/** Asks what should change about lines of a proposal, which the blocks of these keys wrote. */
export async function askWhatToChange(
  { path, proposedText, reporter }: EditorReview,
  lines: Hunk["proposed"],
  keys: readonly string[],
): Promise<AskedChange | null> {
  const words = await vscode.window.showInputBox({
    title: t("Graft: change the proposal for {path}", { path }),
    prompt: t("What should change about these lines? The answer becomes part of the proposal."),
    ignoreFocusOut: true,
  });
  if (words === undefined || words.trim() === "") return null;
  const text = proposedText.split(/\r\n|\n|\r/).slice(lines.start, lines.end);
  const request = hunkRequest(t, path, lines, text, words.trim());
  return { request, chatId: reporter.latestOf(keys)?.chatId ?? null };
}

/** Asks why a change is rejected: the reason, null for none, undefined when the user leaves. */
export async function askReason(path: string): Promise<string | null | undefined> {
  const reason = await vscode.window.showInputBox({
    title: t("Graft: reject a change to {path}", { path }),
    prompt: t("Why? The model reads it with its next request. Leave this empty to give no reason."),
    ignoreFocusOut: true,
  });
  return reason?.trim() === "" ? null : reason?.trim();
}

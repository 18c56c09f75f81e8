import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";
import { namedFiles } from "../../edits/answer/namedFiles.ts";
import { heldFailureText } from "../../edits/messages.ts";
import type { CodeEditor, CodePlace } from "../../edits/propose/codePlaces.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import type { PanelMessage } from "../../protocol/messages.ts";
import { decisionProblemMessage } from "../../review/proposals/messages.ts";
import { editablePath } from "../../tools/permissions/changeablePath.ts";
import type { App } from "../app.ts";
import { t } from "../localize.ts";
import { startProblemMessage } from "../messages.ts";
import { activeFilePath } from "../workspace/editTarget.ts";
import { filesNamed } from "../workspace/visibleFiles.ts";
import { selectedLines } from "../workspace/vscodeEditorState.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";
import { placeLabel } from "./messages.ts";

/** Where a code block is proposed. */
export interface ApplyTarget extends Pick<App, "workspace"> {
  readonly chat: Pick<App["chat"], "proposeCode">;
  readonly preview: Pick<App["preview"], "proposals" | "commands">;
}

/**
 * Proposes a code block of an answer in the file that it belongs to, and shows the proposal. Asks
 * the user what is not certain.
 */
export async function applyCode(
  { chat, preview, workspace }: ApplyTarget,
  { turnId, text, info, before }: PanelMessage & { readonly type: "apply-code" },
): Promise<void> {
  const path = await chooseFile({ info, before, code: text });
  if (path === null) return;
  const file = await editablePath(workspace, path);
  if (!file.ok) return showWarning(fileErrorMessage(file.error, t));
  const pending = () => preview.proposals.of(file.value.uri);
  if (pending()?.streaming)
    return showWarning(decisionProblemMessage(t, { code: "still-streaming" }, path));
  const editor = codeEditor(pending()?.proposalUri, file.value.uri);
  const failure = await chat.proposeCode(turnId, {
    file: file.value,
    code: text,
    info,
    editor,
    choose: (places) => choosePlace(path, places),
  });
  if (failure && failure.code !== "stopped") return showWarning(heldFailureText(failure, t));
  if (pending()) await preview.commands.show(path);
}

/** The path of the file that a code block belongs to; null when the user does not say. */
async function chooseFile(block: {
  readonly info: string;
  readonly before: string;
  readonly code: string;
}): Promise<string | null> {
  const { own, before } = namedFiles(block);
  const active = activeFilePath();
  const isPath = (name: string) => name.includes("/");
  for (const names of [own, before]) {
    const found = [...new Set((await Promise.all(names.map(filesNamed))).flat())];
    const [only, ...others] = found;
    if (only !== undefined) return others.length === 0 ? only : pickCodeFile(found, active);
    // A file that is yet to be; a name without a folder may be a language, such as `asp.net`.
    if (names === own && own[0] !== undefined)
      return own.length === 1 && isPath(own[0]) ? own[0] : pickCodeFile(own, active);
  }
  return before.some(isPath) || active === null
    ? pickCodeFile(before.filter(isPath), active)
    : active;
}

async function pickCodeFile(
  paths: readonly string[],
  active: string | null,
): Promise<string | null> {
  const known = [...new Set([...paths, ...(active === null ? [] : [active])])];
  const other = { label: t("Choose a File…"), path: null };
  const create = { label: t("New File…"), path: null };
  const items = [...known.map((path) => ({ label: visibleLine(path), path })), other, create];
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Graft: which file does the code belong to?"),
  });
  if (picked === other) {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const [uri] =
      (await vscode.window.showOpenDialog(folder ? { defaultUri: folder.uri } : {})) ?? [];
    const path = uri ? workspacePathOf(uri) : null;
    if (uri && path === null) showWarning(startProblemMessage(t, { code: "not-a-file" }));
    return path;
  }
  if (picked === create) {
    const path = await vscode.window.showInputBox({
      title: t("Graft: path of the new file"),
      placeHolder: "src/example.ts",
    });
    return path?.trim() || null;
  }
  return picked?.path ?? null;
}

async function choosePlace(path: string, places: readonly CodePlace[]): Promise<CodePlace | null> {
  const items = places.flatMap((place) =>
    place.kind === "address" ? [] : [{ ...placeLabel(t, place), place }],
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Graft: where does the code belong in {path}?", { path }),
  });
  return picked?.place ?? null;
}

/** The active editor, where it shows the file or its proposal. */
function codeEditor(proposal: string | undefined, file: string): CodeEditor | null {
  const editor = vscode.window.activeTextEditor;
  const shown = editor?.document.uri.toString();
  if (!editor || (shown !== file && shown !== proposal)) return null;
  const { document, selection } = editor;
  return {
    text: document.getText(),
    selection: selection.isEmpty ? null : selectedLines(selection),
    cursorLine: selection.active.line + 1,
  };
}

function showWarning(message: string): void {
  void vscode.window.showWarningMessage(message);
}

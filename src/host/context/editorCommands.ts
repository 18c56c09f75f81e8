import * as vscode from "vscode";
import type { AttachmentRef } from "../../turns/attachment.ts";
import type { App } from "../app.ts";
import { t } from "../localize.ts";
import { activeFile } from "../workspace/vscodeEditorState.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";
import { activeFileRef } from "./activeFileRef.ts";
import { type EditorCommandProblem, editorCommandMessage, linesRequest } from "./messages.ts";

type EditorCommand = (app: App, ...args: readonly unknown[]) => Promise<unknown>;

/** The app, and what shows its chat. */
interface CommandTarget {
  readonly app: App;
  readonly openChat: (app: App) => Promise<void>;
}

/**
 * Commands of the editor, the terminal and Source Control. Each settles with the reason if it did
 * nothing.
 */
export function editorCommands(
  openChat: (app: App) => Promise<void>,
): Readonly<Record<string, EditorCommand>> {
  return {
    "graft.addSelection": (app, target, selected) =>
      addSelection({ app, openChat }, target, selected),
    "graft.explain": async (app) => {
      const ref = activeFileRef();
      return ref ? sendCommand({ app, openChat }, "/explain", [ref]) : refuseCommand("no-file");
    },
    "graft.fixProblems": (app, uri, range) => fixProblems({ app, openChat }, uri, range),
    "graft.editSelection": editSelection,
    "graft.addTerminalSelection": (app) =>
      attach(
        { app, openChat },
        { kind: "terminal", path: null, lines: null, name: "", text: null },
      ),
    "graft.writeCommitMessage": (app, repository) => app.context.writeCommitMessage(repository),
  };
}

async function attach({ app, openChat }: CommandTarget, ref: AttachmentRef): Promise<void> {
  await openChat(app);
  await app.context.attach([ref]);
}

/** Sends a slash command about `attached`. */
async function sendCommand(
  { app, openChat }: CommandTarget,
  command: string,
  attached: readonly AttachmentRef[],
): Promise<void> {
  const expanded = await app.context.expand(command, attached, app.chat);
  if (expanded.code !== "send") return;
  await openChat(app);
  app.run("Sending", app.chat.send(expanded.text, expanded.attached));
}

/** Attaches the selection, or the files that the explorer passes. */
async function addSelection(
  { app, openChat }: CommandTarget,
  target: unknown,
  selected: unknown,
): Promise<unknown> {
  const ref = activeFileRef();
  const uris = (Array.isArray(selected) ? selected : [target]).filter(
    (each) => each instanceof vscode.Uri,
  );
  // The editor's context menu passes the file but means the selection.
  const isEditor =
    uris.length === 0 || (uris.length === 1 && uris[0] && workspacePathOf(uris[0]) === ref?.path);
  if (isEditor) return ref ? attach({ app, openChat }, ref) : refuseCommand("no-file");
  await openChat(app);
  return app.context.attachUris(uris.map(String));
}

/** Sends `/fix` about a problem, or about the active file. */
async function fixProblems(target: CommandTarget, uri: unknown, range: unknown): Promise<unknown> {
  const path = uri instanceof vscode.Uri ? workspacePathOf(uri) : null;
  const lines =
    range instanceof vscode.Range
      ? { first: range.start.line + 1, last: range.end.line + 1 }
      : null;
  const at: AttachmentRef | null =
    path === null ? activeFileRef() : { kind: "file", path, lines: null, name: "", text: null };
  if (!at) return refuseCommand("no-file");
  return sendCommand(target, "/fix", [at, { ...at, kind: "problems", lines: lines ?? at.lines }]);
}

async function editSelection(app: App, given: unknown): Promise<unknown> {
  if (app.chat.busy) return refuseCommand("busy");
  const active = activeFile();
  if (!active) return refuseCommand("no-file");
  const lines = active.selection ?? { first: active.cursorLine, last: active.cursorLine };
  const { first, last } = lines;
  const place = first === last ? first : `${first}-${last}`;
  const title = t("Graft: edit {path}", { path: `${active.path}:${place}` });
  const prompt = t("What should change? Nothing changes until you accept.");
  const words =
    typeof given === "string"
      ? given
      : await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true });
  if (words === undefined || words.trim() === "") return undefined;
  const selection: AttachmentRef = {
    kind: "selection",
    path: active.path,
    lines: { first, last },
    name: "",
    text: null,
  };
  app.run(
    "Edit with Graft",
    app.chat.startEditMode(active.path, linesRequest(t, lines, words.trim()), [selection]),
  );
  return undefined;
}

function refuseCommand(problem: EditorCommandProblem): EditorCommandProblem {
  void vscode.window.showInformationMessage(editorCommandMessage(t, problem));
  return problem;
}

import * as vscode from "vscode";
import type { AttachmentRef } from "../../turns/attachment.ts";
import type { App } from "../app.ts";
import { t } from "../localize.ts";
import { activeFile } from "../workspace/vscodeEditorState.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";
import { activeFileRef } from "./activeFileRef.ts";
import { type EditorCommandProblem, editorCommandMessage, linesRequest } from "./messages.ts";

type Command = (app: App, ...args: readonly unknown[]) => Promise<unknown>;

/** The commands of the editor, the terminal and Source Control. Each settles with the reason when it did nothing. */
export function editorCommands(openChat: (app: App) => Promise<void>): Readonly<Record<string, Command>> {
  async function attach(app: App, ref: AttachmentRef): Promise<void> {
    await openChat(app);
    await app.context.attach([ref]);
  }

  /** Sends a command of the composer about `attached`. */
  async function send(app: App, command: string, attached: readonly AttachmentRef[]): Promise<void> {
    const expanded = await app.context.expand(command, attached);
    if (expanded.code !== "send") return;
    await openChat(app);
    app.run("Sending", app.chat.send(expanded.text, expanded.attached));
  }

  return {
    "graft.addSelection": async (app, target, selected) => {
      const ref = activeFileRef();
      const uris = (Array.isArray(selected) ? selected : [target]).filter((each) => each instanceof vscode.Uri);
      // The editor's menu passes the file, but means the selection.
      const isEditor = uris.length === 0 || (uris.length === 1 && uris[0] && workspacePathOf(uris[0]) === ref?.path);
      if (isEditor) return ref ? attach(app, ref) : refuse("no-file");
      await openChat(app);
      return app.context.attachUris(uris.map(String));
    },
    "graft.explain": async (app) => {
      const ref = activeFileRef();
      return ref ? send(app, "/explain", [ref]) : refuse("no-file");
    },
    "graft.fixProblems": async (app, uri, range) => {
      const path = uri instanceof vscode.Uri ? workspacePathOf(uri) : null;
      const lines = range instanceof vscode.Range ? { first: range.start.line + 1, last: range.end.line + 1 } : null;
      const at: AttachmentRef | null = path === null ? activeFileRef() : { kind: "file", path, lines: null, name: "", text: null };
      if (!at) return refuse("no-file");
      return send(app, "/fix", [at, { ...at, kind: "problems", lines: lines ?? at.lines }]);
    },
    "graft.editSelection": editSelection,
    "graft.addTerminalSelection": (app) => attach(app, { kind: "terminal", path: null, lines: null, name: "", text: null }),
    "graft.writeCommitMessage": (app, repository) => app.context.writeCommitMessage(repository),
  };

  async function editSelection(app: App, given: unknown): Promise<unknown> {
    if (app.chat.busy) return refuse("busy");
    const active = activeFile();
    if (!active) return refuse("no-file");
    const lines = active.selection ?? { first: active.cursorLine, last: active.cursorLine };
    const title = t("Graft: edit {path}", { path: `${active.path}:${lines.first}-${lines.last}` });
    const prompt = t("What should change? Nothing changes until you accept.");
    const words = typeof given === "string" ? given : await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true });
    if (words === undefined || words.trim() === "") return undefined;
    const { first, last } = lines;
    const selection: AttachmentRef = { kind: "selection", path: active.path, lines: { first, last }, name: "", text: null };
    app.run("Edit with Graft", app.chat.startEditMode(active.path, linesRequest(t, lines, words.trim()), [selection]));
    return undefined;
  }
}

function refuse(problem: EditorCommandProblem): EditorCommandProblem {
  void vscode.window.showInformationMessage(editorCommandMessage(t, problem));
  return problem;
}

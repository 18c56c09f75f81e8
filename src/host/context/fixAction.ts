import * as vscode from "vscode";
import { t } from "../localize.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";

/** Registers *Fix with Graft* as a quick fix for problems in workspace files. */
export function registerFixAction(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    "*",
    {
      provideCodeActions(document, _range, { diagnostics }) {
        const [first, ...more] = diagnostics;
        if (!first || workspacePathOf(document.uri) === null) return [];
        const range = more.reduce((whole, problem) => whole.union(problem.range), first.range);
        const action = new vscode.CodeAction(t("Fix with Graft"), vscode.CodeActionKind.QuickFix);
        action.command = {
          command: "graft.fixProblems",
          title: action.title,
          arguments: [document.uri, range],
        };
        action.diagnostics = [...diagnostics];
        return [action];
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

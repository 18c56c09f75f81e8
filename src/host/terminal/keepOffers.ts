import * as vscode from "vscode";
import type { KeepOffers } from "../../tools/command/proposalRuns.ts";
import { t } from "../localize.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";

/** Asks beside the editor whether to put into the workspace what a command made on the proposals. */
export const keepOffers: KeepOffers = {
  made(path, keep) {
    const name = workspacePathOf(vscode.Uri.file(path)) ?? path;
    const question = t(
      "A command that ran on the proposals created {name}. Your workspace does not have it.",
      { name },
    );
    void vscode.window
      .showInformationMessage(question, t("Keep in the Workspace"))
      .then(async (chosen) => {
        if (!chosen) return;
        const kept = await vscode.window.withProgress(
          { location: vscode.ProgressLocation.Notification, title: t("Copying {name}…", { name }) },
          keep,
        );
        if (!kept.ok)
          void vscode.window.showErrorMessage(
            t("{name} was not copied: {detail}", { name, detail: kept.error }),
          );
      });
  },
};

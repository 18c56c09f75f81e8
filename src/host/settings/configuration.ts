import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { t } from "../localize.ts";
import { settingProblemMessage } from "./messages.ts";
import { parseSettings, type Settings } from "./settings.ts";

/**
 * The section `graft` of the user's settings, checked. An invalid value is reported once and
 * replaced by its default.
 */
export class Configuration implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires after the settings changed. */
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;
  private reported: readonly string[] = [];
  /** The settings as of now. */
  settings: Settings;

  constructor() {
    this.settings = this.read();
    this.subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("graft")) return;
      this.settings = this.read();
      this.changed.fire();
    });
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private read(): Settings {
    const section = vscode.workspace.getConfiguration("graft");
    const { settings, problems } = parseSettings(
      (name) => section.get<unknown>(name),
      (name) => {
        const { globalValue, workspaceValue, workspaceFolderValue } = section.inspect(name) ?? {};
        return { user: globalValue, workspace: [workspaceValue, workspaceFolderValue] };
      },
    );
    const messages = problems.map((problem) => settingProblemMessage(t, problem));
    for (const message of messages)
      if (!this.reported.includes(message)) void warnOfSettings(message);
    this.reported = messages;
    return settings;
  }
}

async function warnOfSettings(message: string): Promise<void> {
  const choice = await vscode.window.showWarningMessage(message, t("Open Settings"));
  if (choice) await openGraftSettings();
}

/** Shows Graft's settings in the settings editor. */
export async function openGraftSettings(query = "graft."): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", query);
}

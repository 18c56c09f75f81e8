import * as vscode from "vscode";
import { grantText, type PermissionGrants } from "../tools/permissionGrants.ts";
import { openGraftSettings } from "./configuration.ts";

const SCOPES = { workspace: "in this workspace", session: "until this window is closed" } as const;

/** Lists what the user has allowed for longer than a turn; what he chooses is taken back. Settles with the sentence that was shown. */
export async function showPermissions(grants: PermissionGrants): Promise<string | undefined> {
  const items = grants.all().map(({ grant, scope }) => ({ label: grantText(grant), description: SCOPES[scope], grant, picked: false }));
  if (items.length === 0) {
    const none = "Nothing is allowed beyond a turn here. What is asked about can be set in the settings.";
    void vscode.window.showInformationMessage(none, "Open Settings").then((choice) => choice && openGraftSettings("graft.permissions"));
    return none;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: "Graft: what you have allowed",
    placeHolder: "Choose what Graft shall ask about again",
  });
  if (!chosen || chosen.length === 0) return undefined;
  for (const { grant } of chosen) await grants.remove(grant);
  const done = `Graft asks again about ${chosen.map(({ label }) => label).join(", ")}.`;
  void vscode.window.showInformationMessage(done);
  return done;
}

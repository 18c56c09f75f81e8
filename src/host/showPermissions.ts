import * as vscode from "vscode";
import { grantText, type PermissionGrants } from "../tools/permissionGrants.ts";
import { openGraftSettings } from "./configuration.ts";
import { mcpAgreements, removeMcpAgreement } from "./mcp/mcpAgreements.ts";

const SCOPES = { workspace: "in this workspace", session: "until this window is closed" } as const;

/** Lists what the user has allowed for longer than a turn; what he chooses is taken back. Settles with the sentence that was shown. */
export async function showPermissions(
  grants: PermissionGrants,
  { workspaceState, secrets }: Pick<vscode.ExtensionContext, "workspaceState" | "secrets">,
): Promise<string | undefined> {
  const items = [
    ...grants.all().map(({ grant, scope }) => ({
      label: grantText(grant),
      description: SCOPES[scope],
      takeBack: () => grants.remove(grant),
    })),
    ...mcpAgreements(workspaceState).map((agreement) => ({
      label: `to start the MCP server ${agreement.name}`,
      description: SCOPES.workspace,
      async takeBack() {
        await removeMcpAgreement(workspaceState, agreement);
        for (const name of agreement.secrets) await secrets.delete(name);
      },
    })),
  ];
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
  for (const { takeBack } of chosen) await takeBack();
  const done = `Graft asks again about ${chosen.map(({ label }) => label).join(", ")}.`;
  void vscode.window.showInformationMessage(done);
  return done;
}

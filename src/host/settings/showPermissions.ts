import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";
import { describeGrant, type PermissionGrants } from "../../tools/permissions/permissionGrants.ts";
import { t } from "../localize.ts";
import { mcpAgreements, removeMcpAgreement } from "../mcp/mcpAgreements.ts";
import { openGraftSettings } from "./configuration.ts";

/** Lists the permissions that outlast a turn and revokes those the user selects. */
export async function showPermissions(
  grants: PermissionGrants,
  { workspaceState, secrets }: Pick<vscode.ExtensionContext, "workspaceState" | "secrets">,
): Promise<void> {
  const scopes = { workspace: t("in this workspace"), session: t("until this window closes") };
  const items = [
    ...grants.all().map(({ grant, scope }) => ({
      label: visibleLine(describeGrant(grant, t)),
      description: scopes[scope],
      revoke: () => grants.remove(grant),
    })),
    ...mcpAgreements(workspaceState).map((agreement) => ({
      label: t("Start the MCP server {name}", { name: visibleLine(agreement.name) }),
      description: scopes.workspace,
      async revoke() {
        await removeMcpAgreement(workspaceState, agreement);
        for (const name of agreement.secrets) await secrets.delete(name);
      },
    })),
  ];
  if (items.length === 0) {
    const none = t("There are no permissions to revoke. The settings define what needs approval.");
    const choice = await vscode.window.showInformationMessage(none, t("Open Settings"));
    if (choice) await openGraftSettings("graft.permissions");
    return;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: t("Graft: revoke permissions"),
    placeHolder: t("Select the permissions to revoke; the others stay"),
  });
  if (!chosen || chosen.length === 0) return;
  for (const { revoke } of chosen) await revoke();
  const names = chosen.map(({ label }) => label).join(", ");
  void vscode.window.showInformationMessage(t("Graft will ask again before: {names}.", { names }));
}

import { PermissionGrants } from "../../tools/permissions/permissionGrants.ts";
import type { Host } from "../host.ts";
import type { Reviews } from "../openReviews.ts";
import type { VscodeWorkspace } from "../workspace/vscodeWorkspace.ts";
import { PanelAgreements } from "./panelAgreements.ts";
import { PanelApproval } from "./panelApproval.ts";
import { PanelQuestion } from "./panelQuestion.ts";

/** What Graft asks in the panel. */
export interface PanelRequests {
  readonly approval: PanelApproval;
  readonly question: PanelQuestion;
  readonly agreements: PanelAgreements;
  /** What the user allowed for longer. */
  readonly grants: PermissionGrants;
}

/** Applies trust, settings and earlier permissions before it asks. */
export function openPanelRequests(
  host: Host,
  workspace: VscodeWorkspace,
  { preview, savedFiles }: Reviews,
): PanelRequests {
  const { configuration, context } = host;
  const grants = new PermissionGrants(context.workspaceState);
  const approval = new PanelApproval({
    trusted: () => workspace.trusted,
    policy: () => configuration.settings.permissions,
    grants,
    async acceptAll() {
      if (preview.proposals.pendingPaths.length > 0) await preview.commands.acceptAll("panel");
      return preview.proposals.pendingPaths.length === 0;
    },
    saveFiles: (paths) => savedFiles.saveFiles(paths),
  });
  return {
    approval,
    question: new PanelQuestion(),
    agreements: new PanelAgreements(),
    grants,
  };
}

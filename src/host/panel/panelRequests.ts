import type { RunnerFiles } from "../../ports/commands/runnerFiles.ts";
import { PermissionGrants } from "../../tools/permissions/permissionGrants.ts";
import type { Host } from "../host.ts";
import type { Reviews } from "../openReviews.ts";
import { watchUserSaves } from "../workspace/userSaves.ts";
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
  /** The files that decide what commands run; null where none can run. */
  readonly runnerFiles: RunnerFiles | null;
}

/** Applies trust, settings and earlier permissions before it asks. */
export function openPanelRequests(
  host: Host,
  workspace: VscodeWorkspace,
  { preview, savedFiles }: Reviews,
): PanelRequests {
  const { adapters, configuration, context, run, stack } = host;
  const diskRunnerFiles = adapters.runnerFiles?.(workspace) ?? null;
  if (diskRunnerFiles) stack.add(watchUserSaves(diskRunnerFiles));
  const runnerFiles = diskRunnerFiles && {
    ...diskRunnerFiles,
    // With review after, what the user saves may be what Graft changed unseen.
    isUsers: (path: string, hash: string | undefined) =>
      configuration.settings.edits.review === "before" && diskRunnerFiles.isUsers(path, hash),
  };
  const grants = new PermissionGrants(context.workspaceState, runnerFiles);
  // Record the hashes before the model acts, because settings rules trust what commands run now.
  if (workspace.trusted)
    run("Looking at the files of rules", grants.see(configuration.settings.permissions.rules));
  const approval = new PanelApproval({
    trusted: () => workspace.trusted,
    policy: () => configuration.settings.permissions,
    grants,
    async acceptAll() {
      if (preview.pendingPaths.length > 0) await preview.commands.acceptAll("panel");
      return preview.pendingPaths.length === 0;
    },
    saveFiles: (paths) => savedFiles.saveFiles(paths),
  });
  return {
    approval,
    question: new PanelQuestion(),
    agreements: new PanelAgreements(),
    grants,
    runnerFiles,
  };
}

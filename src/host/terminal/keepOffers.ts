import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import type { IgnoredFolder, KeptDifference, Shadow } from "../../ports/commands/shadow.ts";
import type { KeepOffers } from "../../tools/command/proposalRuns.ts";
import { t } from "../localize.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";
import { keepDetail, keptMessage, madeMessage } from "./messages.ts";

/** How often a folder is compared anew that something still writes to. */
const MOST_ATTEMPTS = 3;

type Keeper = Pick<Shadow, "compare" | "keepFolder">;

/** Asks beside the editor whether to put into the workspace what a command made on the proposals. */
export const keepOffers: KeepOffers = {
  made(folders, shadow) {
    void offer(folders, shadow);
  },
};

async function offer(folders: readonly IgnoredFolder[], shadow: Keeper): Promise<void> {
  const named = folders.map((folder) => ({ ...folder, name: nameOf(folder) }));
  const several = named.length > 1;
  const keep = several ? t("Choose What to Keep…") : t("Keep in the Workspace");
  const { showInformationMessage, showQuickPick } = vscode.window;
  if ((await showInformationMessage(madeMessage(t, named), keep)) !== keep) return;
  const items = named.map(({ name, isNew, path }) => ({
    ...{ label: name, path, name, isNew },
    description: isNew ? t("not in your workspace") : t("also in your workspace"),
  }));
  const chosen = several
    ? await showQuickPick(items, { canPickMany: true, title: t("Keep in the Workspace") })
    : items;
  for (const { path, name } of chosen ?? []) await keepOne(path, name, shadow);
}

/** Compares, asks unless the folder is new, and keeps it; asks again where it changed meanwhile. */
async function keepOne(path: string, name: string, shadow: Keeper): Promise<void> {
  const { showErrorMessage, showInformationMessage } = vscode.window;
  const failed = (detail: string) =>
    void showErrorMessage(t("{name} was not copied: {detail}", { name, detail }));
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const compared = await withProgress(t("Comparing {name}…", { name }), () =>
      shadow.compare(path),
    );
    if (!compared.ok) return failed(compared.error.code === "failed" ? compared.error.detail : "");
    const difference = compared.value;
    const removes = await askToKeep(name, difference);
    if (removes === null) return;
    const kept = await withProgress(t("Copying {name}…", { name }), () =>
      shadow.keepFolder(path, difference, removes),
    );
    if (kept.ok) return void showInformationMessage(keptMessage(t, name, kept.value));
    if (kept.error.code === "failed") return failed(kept.error.detail);
  }
  failed(t("it keeps changing"));
}

/** Whether files are removed, too; null where nothing is to be done. */
async function askToKeep(name: string, difference: KeptDifference): Promise<boolean | null> {
  const { added, changed, removed } = difference;
  const { showInformationMessage, showWarningMessage } = vscode.window;
  if (added + changed + removed === 0) {
    void showInformationMessage(t("{name} is the same in your workspace.", { name }));
    return null;
  }
  if (changed + removed === 0) return false;
  const copy = changed > 0 ? t("Add and Overwrite") : t("Only Add");
  const all = t("Also Delete");
  const actions = [...(added + changed > 0 ? [copy] : []), ...(removed > 0 ? [all] : [])];
  const question = t("Your workspace has {name}.", { name: visibleText(name) });
  const detail = keepDetail(t, difference);
  const chosen = await showWarningMessage(question, { modal: true, detail }, ...actions);
  return chosen === undefined ? null : chosen === all;
}

function nameOf({ path }: IgnoredFolder): string {
  return workspacePathOf(vscode.Uri.file(path)) ?? path;
}

function withProgress<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title },
    work,
  );
}

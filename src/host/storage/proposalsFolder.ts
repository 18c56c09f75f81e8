import * as vscode from "vscode";
import { parseJson } from "../../base/text/parseJson.ts";
import { MAX_SMALL_BYTES } from "../../ports/eventLog.ts";
import { ADOPTED, claimName, claimNumber, recordOwner } from "../../review/storage/recordNames.ts";
import { orNull } from "../workspace/unlessMissing.ts";
import { type EarlierStorage, hasEarlierProposals } from "./adoptStorage.ts";
import { readPlainFile } from "./readPlainFile.ts";
import { workspaceStorage } from "./workspaceStorage.ts";

/** Where the workspace's pending proposals are kept. */
export function proposalsFolder(storage: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(storage, "proposals");
}

/** True where proposals are kept, without reading them. */
export async function hasPending(context: EarlierStorage): Promise<boolean> {
  const storage = await workspaceStorage(context.globalStorageUri);
  const folder = proposalsFolder(storage);
  const names = (await orNull(vscode.workspace.fs.readDirectory(folder))) ?? [];
  const numbers = names.flatMap(([name]) => claimNumber(name) ?? []);
  const claim = vscode.Uri.joinPath(folder, claimName(Math.max(0, ...numbers)));
  const bytes = await orNull(readPlainFile(claim, MAX_SMALL_BYTES));
  const last = bytes ? parseJson(new TextDecoder().decode(bytes)) : null;
  const holder = last && typeof last === "object" && "holder" in last ? last.holder : null;
  const isPending = names.some(([name]) => {
    const owner = recordOwner(name);
    return owner !== null && (owner === ADOPTED || holder === null || owner === holder);
  });
  return isPending || hasEarlierProposals(context, storage);
}

import * as vscode from "vscode";
import { t } from "../localize.ts";
import { PROPOSAL_SCHEME } from "./proposalFiles.ts";

function isProposal(uri: vscode.Uri): boolean {
  return uri.scheme.startsWith(PROPOSAL_SCHEME);
}

/** The proposal that a tab shows, or null for any other tab. */
export function proposalOf(tab: vscode.Tab | undefined): vscode.Uri | null {
  const { input } = tab ?? {};
  if (input instanceof vscode.TabInputTextDiff && isProposal(input.modified)) return input.modified;
  if (input instanceof vscode.TabInputText && isProposal(input.uri)) return input.uri;
  return null;
}

/** The tabs of the proposals for which `wanted` holds. */
export function proposalTabs(wanted: (uri: vscode.Uri) => boolean): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const uri = proposalOf(tab);
      return uri !== null && wanted(uri);
    });
}

/** Closes the tabs of the proposals for which `wanted` holds; the focus stays where it is. */
export async function closeProposalTabs(wanted: (uri: vscode.Uri) => boolean): Promise<void> {
  const tabs = proposalTabs(wanted);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/** Opens the diff of a file and its proposal. */
export async function openDiff(real: vscode.Uri, proposal: vscode.Uri, path: string, preserveFocus: boolean): Promise<void> {
  const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus };
  const open = proposalTabs((uri) => uri.toString() === proposal.toString())[0];
  if (open) options.viewColumn = open.group.viewColumn;
  await vscode.commands.executeCommand("vscode.diff", real, proposal, t("{path} (Graft proposal)", { path }), options);
}

/** The editors that show a file on its own, not as a side of a diff. */
export function ownEditors(uri: vscode.Uri): vscode.TextEditor[] {
  const key = uri.toString();
  const columns = vscode.window.tabGroups.all
    .filter(({ activeTab }) => activeTab?.input instanceof vscode.TabInputText && activeTab.input.uri.toString() === key)
    .map((group) => group.viewColumn);
  return vscode.window.visibleTextEditors.filter(
    (editor) => editor.document.uri.toString() === key && editor.viewColumn !== undefined && columns.includes(editor.viewColumn),
  );
}

/** The editors that show a proposal. */
export function proposalEditors(uri: vscode.Uri): vscode.TextEditor[] {
  const key = uri.toString();
  return vscode.window.visibleTextEditors.filter((editor) => editor.document.uri.toString() === key);
}

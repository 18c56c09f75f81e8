import * as vscode from "vscode";
import { PROPOSAL_SCHEME } from "../documents/proposalFiles.ts";

function isProposal(uri: vscode.Uri): boolean {
  return uri.scheme.startsWith(PROPOSAL_SCHEME);
}

/** The proposal that a tab shows, or null for any other tab. */
export function proposalIn(tab: vscode.Tab | undefined): vscode.Uri | null {
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
      const uri = proposalIn(tab);
      return uri !== null && wanted(uri);
    });
}

/** Closes the tabs of the proposals for which `wanted` holds; the focus stays where it is. */
export async function closeProposalTabs(wanted: (uri: vscode.Uri) => boolean): Promise<void> {
  const tabs = proposalTabs(wanted);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/**
 * Closes the diffs of a proposal whose file was at `from`. Looked up until none is left: VS Code
 * closes such diffs itself, replaces its tab objects meanwhile, and does not close by an old one.
 */
export async function closeDiffsFrom(from: string, proposal: string): Promise<void> {
  const left = () =>
    proposalTabs((uri) => uri.toString() === proposal).filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.original.toString() === from,
    );
  const { tabGroups } = vscode.window;
  for (let tabs = left(); tabs.length > 0; tabs = left()) {
    await tabGroups.close(tabs, true).then(undefined, () => false);
    if (left().length === 0) return;
    await new Promise<void>((resolve) => {
      const listening = tabGroups.onDidChangeTabs(() => {
        listening.dispose();
        resolve();
      });
    });
  }
}

/**
 * UTF-16 units from which a file is shown in place of its diff: VS Code builds both sides at once,
 * and the window stands still.
 */
export const LARGE_TEXT = 1_000_000;

/** How a diff opens: with the cursor at the 0-based `line`, or where VS Code puts it. */
export interface DiffOptions {
  readonly title: string;
  readonly line: number | null;
  readonly preserveFocus: boolean;
}

/**
 * Opens the diff of a file and its proposal; the proposal alone where there is no file: VS Code
 * shows nothing as a removed empty line.
 */
export async function openDiff(
  real: vscode.Uri | null,
  proposal: vscode.Uri,
  { title, line, preserveFocus }: DiffOptions,
): Promise<void> {
  const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus };
  if (line !== null) options.selection = new vscode.Range(line, 0, line, 0);
  const open = proposalTabs((uri) => uri.toString() === proposal.toString())[0];
  if (open) options.viewColumn = open.group.viewColumn;
  if (real) await vscode.commands.executeCommand("vscode.diff", real, proposal, title, options);
  else await vscode.commands.executeCommand("vscode.open", proposal, options, title);
}

/**
 * Opens the diffs of several files in one editor, in place of an earlier one; the first gets the
 * focus. VS Code draws a new file beside a removed empty line here also without an original, and no
 * longer lists the file among those of the tab.
 */
export async function openMultiDiff(
  title: string,
  files: readonly {
    readonly real: vscode.Uri;
    readonly original: vscode.Uri;
    readonly proposal: vscode.Uri;
  }[],
  scheme: string,
): Promise<void> {
  const resources = files.map(({ real, original, proposal }) => [real, original, proposal]);
  // Afterwards the earlier one could not be told from the new one: VS Code replaces its tab objects
  // when a tab's label changes.
  await vscode.window.tabGroups.close(multiDiffTabs(scheme), true);
  await vscode.commands.executeCommand("vscode.changes", title, resources);
}

/**
 * The right sides of a multi diff editor. VS Code passes them to every extension, but its API does
 * not name their class yet.
 */
function modifiedSides(input: unknown): readonly vscode.Uri[] {
  if (
    typeof input !== "object" ||
    input === null ||
    !("textDiffs" in input) ||
    !Array.isArray(input.textDiffs)
  )
    return [];
  return input.textDiffs.flatMap((diff: unknown) =>
    diff instanceof vscode.TabInputTextDiff ? [diff.modified] : [],
  );
}

/** True for a tab that shows proposals of a scheme in one multi diff editor. */
export function isMultiDiff(tab: vscode.Tab | undefined, scheme: string): boolean {
  return modifiedSides(tab?.input).some((modified) => modified.scheme === scheme);
}

/** The tabs that show proposals of a scheme in one multi diff editor. */
export function multiDiffTabs(scheme = PROPOSAL_SCHEME): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => isMultiDiff(tab, scheme));
}

/** The editors that show a file on its own, not as a side of a diff. */
export function ownEditors(uri: vscode.Uri | string): vscode.TextEditor[] {
  const key = uri.toString();
  const columns = vscode.window.tabGroups.all
    .filter(
      ({ activeTab }) =>
        activeTab?.input instanceof vscode.TabInputText && activeTab.input.uri.toString() === key,
    )
    .map((group) => group.viewColumn);
  return vscode.window.visibleTextEditors.filter(
    (editor) =>
      editor.document.uri.toString() === key &&
      editor.viewColumn !== undefined &&
      columns.includes(editor.viewColumn),
  );
}

/** All editors that show a document, on its own or as a side of a diff. */
export function editorsOf(uri: vscode.Uri | string): vscode.TextEditor[] {
  const key = uri.toString();
  return vscode.window.visibleTextEditors.filter(
    (editor) => editor.document.uri.toString() === key,
  );
}

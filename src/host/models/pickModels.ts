import * as vscode from "vscode";
import { MAX_CANDIDATES } from "../../agent/candidates/askModels.ts";
import type { ModelInfo } from "../../model/modelInfo.ts";
import { MIN_CANDIDATES } from "../../review/candidates/candidateChats.ts";
import { t } from "../localize.ts";
import type { ChosenModel } from "../settings/modelChoice.ts";
import type { ModelGroup } from "./findModels.ts";
import { countOfModels } from "./messages.ts";
import { groupTitle, modelItem, withSeparator } from "./modelPicker.ts";

interface PickedItem extends vscode.QuickPickItem {
  readonly key?: string;
  readonly chosen?: ChosenModel;
}

/** What is known before the search. */
interface KnownModels {
  /** The one that answers now, which is picked at first. */
  readonly chosen: ChosenModel | null;
  /** The last choices. */
  readonly recent: readonly (ChosenModel | null)[];
}

/**
 * Lets the user pick two to {@link MAX_CANDIDATES} models while they are being found, and stays until
 * they have; undefined when they cancel, which also ends the search. Agents, which have models of
 * their own, are not offered.
 */
export async function pickModels(
  { chosen, recent }: KnownModels,
  search: (found: (group: ModelGroup) => void, signal: AbortSignal) => Promise<void>,
): Promise<readonly ChosenModel[] | undefined> {
  const searching = new AbortController();
  const picker = vscode.window.createQuickPick<PickedItem>();
  picker.title = t(
    "Send this message and its attachments to several models, without the chat before it",
  );
  picker.placeholder = t("Choose 2 to 4 models");
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  picker.keepScrollPosition = true;
  const rows: PickedItem[] = [];
  const keys = new Set<string>();
  // Rows are only added at the end, and what is picked stays.
  const show = (title: string, more: readonly PickedItem[]) => {
    const added = more.filter(({ key }) => key === undefined || !keys.has(key));
    for (const { key } of added) if (key !== undefined) keys.add(key);
    const picked = new Set(picker.selectedItems.map(({ key }) => key));
    rows.push(...withSeparator(title, added));
    picker.items = [...rows];
    picker.selectedItems = rows.filter(({ key }) => key !== undefined && picked.has(key));
  };
  show(t("Recent"), [chosen, ...recent].flatMap(knownItem));
  const [first] = chosen ? rows.filter((row) => row.chosen === chosen) : [];
  if (first) picker.selectedItems = [first];
  picker.busy = true;
  const found = (group: ModelGroup) => {
    const { failure, name } = group;
    if (failure) rows.push(unlisted(name));
    show(groupTitle(group), groupItems(group));
  };
  void search(found, searching.signal).finally(() => {
    if (!searching.signal.aborted) picker.busy = false;
  });
  const picked = await new Promise<readonly ChosenModel[] | undefined>((resolve) => {
    picker.onDidAccept(() => {
      const models = picker.selectedItems.flatMap((item) => item.chosen ?? []);
      const { length: count } = models;
      if (count < MIN_CANDIDATES || count > MAX_CANDIDATES) {
        picker.title = countOfModels(t, count);
        return;
      }
      resolve(models);
      picker.hide();
    });
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  });
  searching.abort();
  picker.dispose();
  return picked;
}

function knownItem(chosen: ChosenModel | null): readonly PickedItem[] {
  if (chosen?.source === "connection") {
    const { connection, model } = chosen;
    const { name } = connection;
    const group = { source: "connection", name, connection } as const;
    return [
      { ...modelItem({ ...group, models: [], failure: null }, model), ...from(name), chosen },
    ];
  }
  if (chosen?.source !== "vscode-lm") return [];
  const { vendor, model } = chosen;
  const group = { source: "vscode-lm", name: vendor, connection: null } as const;
  return [{ ...modelItem({ ...group, models: [], failure: null }, model), chosen }];
}

function unlisted(name: string): PickedItem {
  const label = t("{name}: the models cannot be listed", { name });
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function from(name: string): Pick<vscode.QuickPickItem, "description"> {
  return { description: name };
}

function groupItems(group: ModelGroup): readonly PickedItem[] {
  return group.models.map((model) => ({
    ...modelItem(group, model),
    chosen: chosenOf(group, model),
  }));
}

function chosenOf({ name, connection }: ModelGroup, model: ModelInfo): ChosenModel {
  if (connection === null) return { source: "vscode-lm", vendor: name, model };
  return { source: "connection", connection, model };
}

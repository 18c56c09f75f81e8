import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { ModelInfo } from "../../model/modelInfo.ts";
import type { AgentProgram } from "../../ports/commands/chatAgent.ts";
import { vendorName } from "../languageModels/vendorName.ts";
import { t } from "../localize.ts";
import type { ModelChoice } from "../settings/modelChoice.ts";
import { choiceOf, fixOf, type ModelGroup } from "./findModels.ts";
import { connectionFailure, modelFacts, remedyLabel } from "./messages.ts";
import { choiceKey } from "./modelMemory.ts";

/** What the user picked. */
export type PickedModel =
  | { readonly action: "model"; readonly group: ModelGroup; readonly model: ModelInfo }
  | { readonly action: "recent"; readonly choice: ModelChoice }
  | { readonly action: "agent"; readonly agent: AgentProgram }
  /**
   * Models of this group were not listed, or none fits: the user names one, fixes the connection,
   * or asks for the list.
   */
  | { readonly action: "name" | "fix" | "list"; readonly group: ModelGroup }
  | { readonly action: PickerAction };

/** Rows that are always there. */
type PickerAction = "add" | "key" | "test" | "demo";

interface ModelItem extends vscode.QuickPickItem {
  readonly key?: string;
  readonly chosen?: PickedModel;
}

/** What the picker shows besides the models. */
export interface PickerOptions {
  readonly placeholder: string;
  /** The current and the last choices, the latest first. */
  readonly recent: readonly ModelChoice[];
  readonly actions: readonly PickerAction[];
  /**
   * Stays when the user goes elsewhere in the window, since they typed something that would be
   * lost.
   */
  readonly stays: boolean;
}

/**
 * Shows models while they are being found, and gives what the user picks; undefined when they
 * cancel, which also ends the search.
 */
export async function pickModel(
  options: PickerOptions,
  search: (found: (group: ModelGroup) => void, signal: AbortSignal) => Promise<void>,
): Promise<PickedModel | undefined> {
  const searching = new AbortController();
  const rows: ModelItem[] = [];
  const picker = vscode.window.createQuickPick<ModelItem>();
  picker.title = t("Choose a model");
  picker.placeholder = options.placeholder;
  picker.ignoreFocusOut = options.stays;
  picker.matchOnDescription = true;
  picker.keepScrollPosition = true;
  // Rows are only added at the end: a click never finds another row under the pointer. So the rows
  // that set something up come when all models are there, and until then as buttons.
  const show = (more: readonly ModelItem[]) => {
    const active = picker.activeItems[0]?.key;
    rows.push(...more);
    picker.items = [...rows];
    const again = picker.items.filter(({ key }) => key !== undefined && key === active);
    if (again.length > 0) picker.activeItems = again;
  };
  show(withSeparator(t("Recent"), options.recent.flatMap(recentItem)));
  picker.buttons = options.actions.map(setUpButton);
  picker.busy = true;
  void search(
    (group) => show(withSeparator(groupTitle(group), groupItems(group))),
    searching.signal,
  ).finally(() => {
    if (searching.signal.aborted) return;
    picker.busy = false;
    picker.buttons = [];
    show(withSeparator(t("Set up"), options.actions.map(actionItem)));
  });
  const picked = await new Promise<PickedModel | undefined>((resolve) => {
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      // A list that changed under the click has nothing selected.
      if (item === undefined) return;
      resolve(item.chosen);
      picker.hide();
    });
    picker.onDidTriggerButton((button) => {
      const action = options.actions.find((each) => actionLabel(each) === button.tooltip);
      if (action === undefined) return;
      resolve({ action });
      picker.hide();
    });
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  });
  searching.abort();
  picker.dispose();
  return picked;
}

/** The rows of a group, under its title. */
export function withSeparator<Item extends vscode.QuickPickItem>(
  label: string,
  items: readonly Item[],
): readonly (Item | vscode.QuickPickItem)[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** What a group is called. */
export function groupTitle({ source, name }: ModelGroup): string {
  if (source === "agents") return t("Agents on this machine");
  if (source === "vscode-lm") return t("{vendor}, through VS Code", { vendor: vendorName(name) });
  if (source === "local") return t("{name}, found on this machine", { name });
  return source === "environment" ? t("{name}, key from the environment", { name }) : name;
}

function groupItems(group: ModelGroup): readonly ModelItem[] {
  const { models, failure, name, agents } = group;
  if (agents) return agents.map(agentItem);
  const nameRow = {
    key: `name ${name}`,
    label: t("Enter the name of a model…"),
    chosen: { action: "name", group },
  } as const;
  if (failure?.code === "no-model-list")
    return [{ ...nameRow, detail: connectionFailure(t, failure, name) }];
  if (failure) {
    const label = t("{name}: the models cannot be listed", { name });
    const detail = connectionFailure(t, failure, name);
    return [
      {
        key: `fix ${name}`,
        label,
        description: remedyLabel(t, fixOf(group, failure)),
        detail,
        chosen: { action: "fix", group },
      },
    ];
  }
  if (group.source === "environment") {
    return [
      {
        key: `list ${name}`,
        label: t("Show the models of {name}…", { name }),
        chosen: { action: "list", group },
      },
    ];
  }
  const items = models.map((model) => ({
    ...modelItem(group, model),
    chosen: { action: "model", group, model } as const,
  }));
  return models.length > 0 ? items : [nameRow];
}

/** The row of a model; its key tells it from those of other groups. */
export function modelItem(
  group: ModelGroup,
  model: ModelInfo,
): vscode.QuickPickItem & { readonly key: string } {
  return {
    key: choiceKey(choiceOf(group, model)),
    label: visibleLine(model.label),
    description: modelFacts(t, model),
    ...modelDetail(group, model),
  };
}

/** The first request to a model of VS Code leads to a question, which should not surprise. */
function modelDetail(
  { source }: ModelGroup,
  { id, label }: ModelInfo,
): Pick<vscode.QuickPickItem, "detail"> {
  const parts = [
    label === id ? "" : id,
    source === "vscode-lm" ? t("VS Code asks you once whether Graft may use it") : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? {} : { detail: parts.join(" · ") };
}

function agentItem(agent: AgentProgram): ModelItem {
  return {
    key: choiceKey({ source: "agent", agent }),
    label: agent.name,
    description: t("Works on proposals, with its own models and keys"),
    detail: [agent.command, ...agent.args].join(" "),
    chosen: { action: "agent", agent },
  };
}

function recentItem(choice: ModelChoice): readonly ModelItem[] {
  if (choice.source === "demo") return [];
  if (choice.source === "agent")
    return [{ ...agentItem(choice.agent), chosen: { action: "recent", choice } }];
  const from = choice.source === "connection" ? choice.connection : vendorName(choice.vendor);
  const description = [from, modelFacts(t, choice.model)].filter((text) => text !== "").join(" · ");
  return [
    {
      key: `recent ${choiceKey(choice)}`,
      label: visibleLine(choice.model.label),
      description,
      chosen: { action: "recent", choice },
    },
  ];
}

const ACTION_ICONS = { add: "add", key: "key", test: "pulse", demo: "beaker" } as const;

function actionLabel(action: PickerAction): string {
  switch (action) {
    case "add":
      return t("Add a connection…");
    case "key":
      return t("Enter an API key…");
    case "test":
      return t("Test connection");
    case "demo":
      return t("Try demo mode");
  }
}

function actionItem(action: PickerAction): ModelItem {
  const label = `$(${ACTION_ICONS[action]}) ${actionLabel(action)}`;
  const description = action === "demo" ? t("Scripted answers, no AI") : "";
  return { key: action, label, description, chosen: { action }, alwaysShow: true };
}

function setUpButton(action: PickerAction): vscode.QuickInputButton {
  const iconPath = new vscode.ThemeIcon(ACTION_ICONS[action]);
  return { iconPath, tooltip: actionLabel(action) };
}

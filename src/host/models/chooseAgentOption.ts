import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import type { AgentOption } from "../../ports/commands/agentOffers.ts";
import { t } from "../localize.ts";
import { currentName, optionName } from "./messages.ts";

/** Lets the user choose what the agent of the chat leaves to them, such as its mode or its model. */
export async function chooseAgentOption(chat: Chat): Promise<void> {
  const { offers } = chat.tree;
  if (!offers || offers.options.length === 0) {
    const told = t("This chat's agent has no options, or it has not started yet.");
    void vscode.window.showInformationMessage(told);
    return;
  }
  const { agent } = offers;
  const option = await pickOption(agent, offers.options);
  const value = option && (await pickValue(agent, option));
  if (!option || !value || value === option.current) return;
  if (!(await chat.chooseAgentOption(option.id, value)))
    void vscode.window.showWarningMessage(t("{agent} did not take that choice.", { agent }));
}

async function pickOption(
  agent: string,
  options: readonly AgentOption[],
): Promise<AgentOption | undefined> {
  const [only, ...others] = options;
  if (others.length === 0) return only;
  const items = options.map((option) => ({
    label: optionName(t, option),
    description: currentName(option),
    option,
  }));
  return (await vscode.window.showQuickPick(items, { title: agent }))?.option;
}

async function pickValue(agent: string, option: AgentOption): Promise<string | undefined> {
  const items = option.values.map(({ id, name, description }) => ({
    label: name,
    description: id === option.current ? t("current") : "",
    detail: description,
    id,
  }));
  const title = `${agent}: ${optionName(t, option)}`;
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.id;
}

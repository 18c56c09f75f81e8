import * as vscode from "vscode";
import { firstWords } from "../../base/text/firstWords.ts";
import type { ProcessTools } from "../../tools/processTools.ts";
import { t } from "../localize.ts";

type Running = Pick<ProcessTools, "running">;

/** Ends the command of a call, where it still runs. */
export async function stopCommand(
  machine: Running | null,
  turnId: string,
  callId: string,
): Promise<void> {
  const found = machine?.running().find((each) => each.turnId === turnId && each.callId === callId);
  await found?.kill();
}

/** Asks which of the window's running commands to end. */
export async function chooseCommandToStop(machine: Running | null): Promise<void> {
  const running = machine?.running() ?? [];
  if (running.length === 0)
    return void vscode.window.showInformationMessage(t("No command of Graft is running."));
  const items = running.map((job) => ({
    label: firstWords(job.command, 80),
    description: t("since {time}", { time: new Date(job.startedAt).toLocaleTimeString() }),
    job,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t("Stop which commands?"),
    canPickMany: true,
  });
  await Promise.all((chosen ?? []).map(({ job }) => job.kill()));
}

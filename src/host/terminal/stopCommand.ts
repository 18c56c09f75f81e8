import * as vscode from "vscode";
import { firstWords } from "../../base/text/clip.ts";
import type { ProcessTools } from "../../tools/processTools.ts";
import { t } from "../localize.ts";
import type { CommandRecord } from "./commandRecord.ts";

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

/** Starts the command of a call again, where it still runs; says why it cannot. */
export async function restartCommand(
  machine: Running | null,
  turnId: string,
  callId: string,
): Promise<void> {
  const found = machine?.running().find((each) => each.turnId === turnId && each.callId === callId);
  const restarted = await found?.restart?.();
  if (restarted?.ok === false)
    void vscode.window.showWarningMessage(
      t("The command was stopped and could not be started again. {reason}", {
        reason: restarted.error.message,
      }),
    );
}

/** Asks which of the window's running commands to end. */
export async function chooseCommandToStop(machine: Running | null): Promise<void> {
  const running = machine?.running() ?? [];
  if (running.length === 0)
    return void vscode.window.showInformationMessage(t("Graft is not running any command."));
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

/**
 * Names the commands that other hosts of the workspace run: a window that is gone may have left
 * them. Asks whether to end them.
 */
export async function tellOtherCommands(
  record: Pick<CommandRecord, "others">,
  endGroup: ((leader: number) => Promise<void>) | null,
): Promise<void> {
  const others = await record.others();
  if (others.length === 0) return;
  const commands = others.map(({ command }) => firstWords(command, 80)).join(" · ");
  const message = t("Another window of this workspace runs commands: {commands}", { commands });
  const end = t("End Them");
  if ((await vscode.window.showWarningMessage(message, ...(endGroup ? [end] : []))) !== end) return;
  // Those that have ended meanwhile are off the record.
  for (const { pid } of await record.others())
    if (others.some((other) => other.pid === pid)) await endGroup?.(pid);
}

import * as vscode from "vscode";
import * as z from "zod/mini";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { CommandLine } from "../../ports/approval.ts";
import type { Memory } from "../../ports/memory.ts";
import { readPath, type Workspace } from "../../ports/workspace.ts";
import type { RunWay } from "../../tools/command/proposalRuns.ts";
import {
  CHECK_FILES,
  type SuggestedCheck,
  suggestChecks,
} from "../../tools/command/suggestChecks.ts";
import { t } from "../localize.ts";

const KEY = "graft.check";
const schema = z.object({ text: z.string(), folder: z.string() });

/** The check that the user chose in this workspace, or null. */
export function chosenCheck(memory: Memory): CommandLine | null {
  return z.safeParse(schema, memory.get(KEY)).data ?? null;
}

/** Keeps a check; null for no check. */
export async function keepCheck(memory: Memory, line: CommandLine | null): Promise<void> {
  await memory.update(KEY, line ? { text: line.text, folder: line.folder } : undefined);
}

/**
 * Asks which command is the check, and says how it will run. Null for none; undefined where the
 * user changes nothing.
 */
export async function askForCheck(
  workspace: Workspace,
  chosen: CommandLine | null,
  { backend, isSandboxed }: RunWay,
): Promise<CommandLine | null | undefined> {
  const suggested = await suggestions(workspace);
  const items = [
    ...suggested.map((line) => ({
      label: visibleLine(line.text),
      description: line.from,
      picked: line.text === chosen?.text && line.folder === chosen.folder,
      choose: async (): Promise<CommandLine | null | undefined> => line,
    })),
    { label: t("Enter a command…"), choose: () => enterCheck(chosen) },
    ...(chosen
      ? [
          {
            label: t("No check"),
            description: t("Stop running {command}", { command: visibleLine(chosen.text) }),
            choose: async () => null,
          },
        ]
      : []),
  ];
  const unsandboxed =
    backend === "copy"
      ? t(
          "It runs after each answer in a copy with the proposed changes; absolute paths lead to your own files",
        )
      : t("It runs on the proposed changes after each answer, with your permissions");
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Graft: choose a check"),
    placeHolder: isSandboxed
      ? t("It runs on the proposed changes after each answer, in a sandbox without network")
      : unsandboxed,
  });
  return picked?.choose();
}

async function enterCheck(chosen: CommandLine | null): Promise<CommandLine | undefined> {
  const text = await vscode.window.showInputBox({
    title: t("Graft: choose a check"),
    prompt: t("A command that ends with exit code 0 if all is well. It gets no input."),
    value: chosen?.text ?? "",
    ignoreFocusOut: true,
  });
  return text?.trim() ? { text: text.trim(), folder: "." } : undefined;
}

async function suggestions(workspace: Workspace): Promise<readonly SuggestedCheck[]> {
  const folders = workspace.folders.length > 1 ? workspace.folders : ["."];
  const signal = new AbortController().signal;
  const found = folders.map(async (folder) => {
    const texts: Record<string, string> = {};
    for (const name of CHECK_FILES) {
      const read = await readPath(workspace, folder === "." ? name : `${folder}/${name}`, signal);
      if (read.ok) texts[name] = read.value.text;
    }
    return suggestChecks(texts, folder);
  });
  return (await Promise.all(found)).flat();
}

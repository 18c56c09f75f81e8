import * as vscode from "vscode";
import { withoutQuery } from "../../model/endpoint.ts";
import { forgetRefusals } from "../../model/learnedCapabilities.ts";
import type { Memory } from "../../ports/memory.ts";
import { t } from "../localize.ts";
import type { ChosenModel } from "../settings/modelChoice.ts";
import { serverOf } from "../settings/server.ts";
import type { ModelMemory } from "./modelMemory.ts";
import { EFFORTS, reasoningEffort } from "./reasoningEffort.ts";

/** Lets the user choose how much the chosen model reasons. What it refused before is tried again. */
export async function chooseEffort(
  chosen: ChosenModel | null,
  memory: ModelMemory,
  learned: Memory,
): Promise<void> {
  if (chosen?.source !== "connection") {
    const told = t("The chosen model takes no reasoning effort from Graft.");
    void vscode.window.showInformationMessage(told);
    return;
  }
  const { connection, model } = chosen;
  const now = reasoningEffort(chosen, learned);
  const own = { label: t("default"), level: undefined };
  const items = [own, ...EFFORTS.map((level) => ({ label: level, level }))].map((item) => ({
    ...item,
    description: (item.level ?? "default") === (now ?? "default") ? t("current") : "",
  }));
  const title = t("Reasoning effort of {model}", { model: model.label });
  const picked = await vscode.window.showQuickPick(items, { title });
  if (!picked) return;
  const baseUrl = withoutQuery(serverOf(connection)?.baseUrl ?? "");
  const parts = ["reasoning-effort", "reasoning-with-tools"] as const;
  await forgetRefusals(learned, { baseUrl, model: model.id }, parts);
  await memory.remember({
    source: "connection",
    connection: connection.name,
    origin: new URL(connection.baseUrl).origin,
    model,
    ...(picked.level !== undefined && { effort: picked.level }),
  });
}

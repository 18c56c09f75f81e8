import * as vscode from "vscode";
import type { ChatOptions } from "../../agent/chatOptions.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type ModelMeasurement, measureModel } from "../../model/connections/measureModel.ts";
import { abortedError, type ModelError } from "../../model/modelFailure.ts";
import { t } from "../localize.ts";
import type { ChosenModel } from "../settings/modelChoice.ts";
import { findApiKey, type KeySources } from "../settings/modelConnection.ts";
import { modelsOf } from "./findModels.ts";

/**
 * Asks the chosen model something small, with progress that can be cancelled. Milliseconds of a
 * round trip to its server too, where a server is known; the error is `aborted` after a cancel.
 */
export async function measureChosen(
  model: Extract<ChosenModel, { source: "connection" | "vscode-lm" }>,
  connect: ChatOptions["connect"],
  keys: KeySources,
): Promise<Result<{ roundTripMs: number | null; measured: ModelMeasurement }, ModelError>> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: t("Testing {model}…", { model: model.model.label }),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_progress, token) => {
    const ended = new AbortController();
    token.onCancellationRequested(() => ended.abort());
    const connected = await connect();
    if (!connected.ok) return connected;
    if ("agent" in connected.value) return err(abortedError());
    const { client, model: name } = connected.value;
    const started = performance.now();
    if (model.source === "connection")
      await modelsOf(
        { ...model.connection, models: undefined },
        await findApiKey(model.connection, keys),
        globalThis.fetch,
        ended.signal,
      );
    const roundTripMs = model.source === "connection" ? performance.now() - started : null;
    const measured = await measureModel(client, name, ended.signal);
    return measured.ok ? ok({ roundTripMs, measured: measured.value }) : measured;
  });
}

import type { PanelStatus } from "../src/protocol/messages.ts";

/** Why nothing can be sent now, as a sentence, or null where it can. A running turn is no reason: Send is Stop then. */
export function sendBlock(status: PanelStatus | null): string | null {
  if (!status) return "Starting…";
  if (!status.workspace) return "Open a folder to start: Graft works on the files of a workspace.";
  if (status.model.trim() === "" && !status.demo) return "No model is set. Choose one in the settings.";
  return null;
}

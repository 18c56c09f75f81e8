import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { visibleLine } from "../../base/text/visibleText.ts";
import { readSlashCommand } from "../../protocol/slashCommands.ts";
import type { AskedModel, CandidateChats } from "../../review/candidates/candidateChats.ts";
import type { OpenChats } from "../../review/chats/openChats.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import type { ChatContext } from "../context/chatContext.ts";
import type { Host } from "../host.ts";
import { vendorName } from "../languageModels/vendorName.ts";
import { t } from "../localize.ts";
import type { Models } from "../models/openModels.ts";
import type { ChosenModel } from "../settings/modelChoice.ts";
import { type DraftProblem, draftProblemMessage } from "./messages.ts";

/** What sends a draft. */
export interface SendingWindow {
  readonly host: Pick<Host, "run">;
  readonly chats: OpenChats<Chat>;
  readonly candidates: CandidateChats;
  readonly models: Models;
}

/** A draft of a composer. */
export interface Draft {
  readonly text: string;
  readonly attached: readonly AttachmentRef[];
}

/**
 * Lets the user choose models, and sends them the draft, each in a chat of its own; `chat` asks.
 * True once it is sent. Otherwise the user is told why, unless they cancelled.
 */
export async function sendToModels(
  window: SendingWindow,
  chat: Chat,
  expand: ChatContext["expand"],
  draft: Draft,
): Promise<boolean> {
  const sent = await trySending(window, chat, expand, draft);
  if (sent.ok || sent.error === null) return sent.ok;
  const said = draftProblemMessage(t, sent.error);
  const choose = sent.error.code === "demo" ? [t("Choose model")] : [];
  void vscode.window.showInformationMessage(said, ...choose).then((chosen) => {
    if (chosen !== undefined) void vscode.commands.executeCommand("graft.chooseModel");
  });
  return false;
}

/** The error is null where the user cancelled, or was told why already. */
async function trySending(
  { host, chats, candidates, models }: SendingWindow,
  chat: Chat,
  expand: ChatContext["expand"],
  { text, attached }: Draft,
): Promise<Result<null, DraftProblem | null>> {
  const whyNot = () => {
    const { chosen } = models.commands;
    if (chosen === null || chosen.source === "demo") return err({ code: "demo" as const });
    return chat.busy ? err({ code: "busy" as const }) : null;
  };
  // The composer has said so.
  if (text.trim() === "") return err(null);
  const refused = whyNot();
  if (refused) return refused;
  if (readSlashCommand(text)?.by === "panel") return err({ code: "command" });
  const request = await expand(text, attached, chat);
  if (request.code === "refused") return err(null);
  if (request.code !== "send") return err({ code: "command" });
  const chosen = await models.commands.chooseSeveral();
  if (!chosen) return err(null);
  const refusedNow = whyNot();
  if (refusedNow) return refusedNow;
  const asked = askedModels(chosen, models.connectTo);
  const sent = await candidates.send(chats, chat, request, asked);
  if (!sent.ok) return sent;
  host.run("Asking several models", sent.value.done);
  return ok(null);
}

/** Names each by its label, and by where it is from where several have the same. */
function askedModels(
  chosen: readonly ChosenModel[],
  connectTo: Models["connectTo"],
): readonly AskedModel[] {
  const labels = chosen.map(labelOf);
  return chosen.map((each, at) => {
    const [label = ""] = labels.slice(at);
    const isTwice = labels.filter((other) => other === label).length > 1;
    return {
      name: visibleLine(isTwice ? `${label} (${placeOf(each)})` : label),
      connect: (model) => connectTo(each, model),
    };
  });
}

function labelOf(chosen: ChosenModel): string {
  if (chosen.source === "connection" || chosen.source === "vscode-lm") return chosen.model.label;
  if (chosen.source === "agent") return chosen.agent.name;
  return chosen.source === "gone" ? chosen.label : "";
}

function placeOf(chosen: ChosenModel): string {
  if (chosen.source === "vscode-lm") return vendorName(chosen.vendor);
  return chosen.source === "connection" ? chosen.connection.name : "";
}

import type { CandidateChat, CandidateRequest } from "../../agent/candidates/askModels.ts";
import { MAX_CANDIDATES } from "../../agent/candidates/askModels.ts";
import {
  type CandidateRole,
  candidateOptions,
  candidateRole,
} from "../../agent/candidates/candidateRole.ts";
import { candidateChat } from "../../agent/chat/candidateChat.ts";
import type { Chat } from "../../agent/chat/chat.ts";
import type { ChatOptions } from "../../agent/chatOptions.ts";
import { newId } from "../../base/ids.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { firstWords } from "../../base/text/clip.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { RecordedText } from "../../edits/history/journalFiles.ts";
import type { Reviewer } from "../../ports/review.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { ProcessTools } from "../../tools/processTools.ts";
import type { TurnEndReason } from "../../turns/turnEvent.ts";
import type { ChatTab, OpenChats } from "../chats/openChats.ts";

/** Characters of the request in the name of a candidate's chat. */
const TITLE_CHARS = 60;

/** How few models are several. */
export const MIN_CANDIDATES = 2;

/**
 * What a chat works with; `record` takes what its tools do to files. By default it proposes to the
 * workspace's reviewer.
 */
export type OptionsOfChats = (
  chatId: string,
  record: (change: RecordedText) => void,
  reviewer?: Reviewer,
) => Omit<ChatOptions, "chatId" | "log" | "journal">;

/** A model that can answer beside others. */
export interface AskedModel {
  readonly name: string;
  readonly connect: ChatOptions["connect"];
}

/** Why a request was not sent to several models. */
export type SendProblem =
  | { readonly code: "too-few" | "too-many"; readonly count: number }
  | { readonly code: "busy" }
  /** A chat could not be opened. */
  | { readonly code: "not-opened"; readonly detail: string };

/** What candidates work with. */
interface CandidatePlace {
  readonly workspace: Pick<Workspace, "resolve" | "read">;
  readonly machine: Pick<ProcessTools, "of" | "turnStopped"> | null;
}

interface Part extends Pick<AskedModel, "connect"> {
  readonly role: CandidateRole;
}

/** The chats in which several models answer one request. */
export class CandidateChats {
  private readonly place: CandidatePlace;
  /** Of chats that are being opened. */
  private readonly parts = new Map<string, Part>();
  private readonly asked = new Set<string>();

  constructor(place: CandidatePlace) {
    this.place = place;
  }

  /** What the chats of the window work with, candidates among them. */
  options(ordinary: OptionsOfChats): OptionsOfChats {
    return (chatId, record, reviewer) => {
      const part = this.parts.get(chatId);
      const usual = ordinary(chatId, record, reviewer);
      if (!part) return usual;
      const { role } = part;
      const changed = candidateOptions(role, usual, part.connect);
      const { machine } = this.place;
      return {
        ...ordinary(chatId, record, changed.reviewer),
        ...changed,
        ...(machine && {
          processTools: (proposals) => machine.of(proposals, () => role.isPlayed),
        }),
      };
    };
  }

  /** True while the only answer of a chat is one that the user asked several models for. */
  isCandidate({ chatId, tree }: Pick<Chat, "chatId" | "tree">): boolean {
    const answers = [...tree.turns.values()].filter(
      (turn) => turn.role === "agent" && !turn.within,
    );
    return this.asked.has(chatId) && answers.length <= 1;
  }

  /**
   * Has models answer a request in the chat `asking`, each in a new chat that stays open until all
   * have. The value settles with the end of the turn that asked; nothing begins with an error.
   */
  async send(
    chats: Pick<OpenChats<Chat>, "hold">,
    asking: Chat,
    request: CandidateRequest,
    models: readonly AskedModel[],
  ): Promise<Result<{ readonly done: Promise<TurnEndReason> }, SendProblem>> {
    const count = models.length;
    if (count < MIN_CANDIDATES) return err({ code: "too-few", count });
    if (count > MAX_CANDIDATES) return err({ code: "too-many", count });
    const tabs: ChatTab<Chat>[] = [];
    const close = () => {
      for (const tab of tabs) tab.dispose();
    };
    try {
      const candidates: CandidateChat[] = [];
      for (const model of models) {
        const { tab, candidate } = await this.open(chats, model);
        tabs.push(tab);
        candidates.push(candidate);
      }
      if (asking.busy) {
        close();
        return err({ code: "busy" });
      }
      const { mode } = asking;
      for (const { chat } of tabs) chat.setMode(mode);
      const done = asking.askModels(request, candidates).finally(close);
      const about = firstWords(request.text, TITLE_CHARS);
      tabs.forEach(({ chat }, at) => void chat.rename(`${models[at]?.name}: ${about}`));
      return ok({ done });
    } catch (error) {
      close();
      return err({ code: "not-opened", detail: thrownText(error) });
    }
  }

  private async open(chats: Pick<OpenChats<Chat>, "hold">, { name, connect }: AskedModel) {
    const { workspace, machine } = this.place;
    const chatId = newId("chat");
    const role = candidateRole();
    this.parts.set(chatId, { role, connect });
    try {
      const tab = await chats.hold(chatId, () => undefined);
      if (!tab) throw new Error("A new chat could not be opened.");
      this.asked.add(chatId);
      const endCommands = (turnId: string) => machine?.turnStopped(turnId) ?? Promise.resolve();
      return { tab, candidate: candidateChat(tab.chat, name, role, { workspace, endCommands }) };
    } finally {
      this.parts.delete(chatId);
    }
  }
}

import type { Chat } from "../../agent/chat/chat.ts";
import type { Localize } from "../../base/localize.ts";
import type { RowChoices } from "../../edits/combine/combineTexts.ts";
import { combineAnswers, compareAnswers } from "../../edits/combine/compareAnswers.ts";
import { mergeTexts } from "../../edits/text/mergeTexts.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import { readPath, type Workspace } from "../../ports/workspace.ts";
import type { CombinedProblem, ComparedAnswers } from "../../protocol/candidateMessages.ts";
import type { PanelMessage } from "../../protocol/messages.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import type { TurnCandidate } from "../../turns/turn.ts";
import type { AnswerDiffs } from "./answerDiffs.ts";
import { answerTitle } from "./messages.ts";

type Choices = (PanelMessage & { readonly type: "propose-chosen" })["choices"];

/** The chat that asked several models. */
type AskingChat = Pick<Chat, "chatId" | "busy" | "tree" | "proposeCombination">;

/** What the user waits for is never stopped. */
const NEVER = new AbortController().signal;

/** What answers are compared and combined with. */
interface AnswerPlace {
  readonly workspace: Workspace;
  readonly syntax: Pick<Syntax, "openFile">;
  readonly diffs: Pick<AnswerDiffs, "show">;
  readonly t: Localize;
  /** Takes over the workspace's proposals, so that this window adds to them. */
  own(): Promise<unknown>;
  /** Something was proposed in a chat outside of its turns. */
  proposed(chatId: string): void;
}

/** The answers of several models to a request, for the user to choose from. */
export interface Answers {
  compare(turn: readonly TurnCandidate[], signal: AbortSignal): Promise<ComparedAnswers[]>;
  /** Proposes what was chosen as changes of that turn; gives what could not be, and why. */
  propose(chat: AskingChat, turnId: string, choices: Choices): Promise<CombinedProblem[]>;
  /** Shows what a candidate makes of a file beside the file as it is now. */
  show(candidate: TurnCandidate, path: string): Promise<void>;
}

/** The answers that a chat's turns have on record. */
export function openAnswers(place: AnswerPlace): Answers {
  const { workspace, syntax, diffs, t } = place;
  return {
    async compare(candidates, signal) {
      const files = await compareAnswers(candidates, syntax, signal);
      return files.map(({ path, comparison: { rows, whole }, leftOut }) => ({
        ...{ path, whole, leftOut: [...leftOut] },
        rows: rows.map(({ id, part, paths, effects, sameAs }) => ({
          ...{ id, part, paths: [...paths] },
          ...{ effects: [...effects], sameAs: [...sameAs] },
        })),
      }));
    },

    async propose(chat, turnId, choices) {
      const busy = [{ code: "busy" as const, path: "", detail: "" }];
      if (chat.busy) return busy;
      const files = await compareAnswers(candidatesOf(chat, turnId), syntax, NEVER);
      const chosen = new Map<string, RowChoices>();
      for (const { path, comparison } of files) {
        const known = new Map(comparison.rows.map((row) => [row.id, row.effects.length]));
        const own = choices.filter(
          ({ path: of, row, candidate }) =>
            of === path && candidate >= 0 && candidate < (known.get(row) ?? 0),
        );
        chosen.set(path, new Map(own.map(({ row, candidate }) => [row, candidate])));
      }
      const combined = await combineAnswers(files, chosen, syntax, NEVER);
      if (!combined.ok) {
        const { path, why } = combined.error;
        const detail = why.code === "not-as-chosen" ? (why.path ?? "") : "";
        return [{ code: why.code, path, detail }];
      }
      if (combined.value.length === 0) return [{ code: "nothing", path: "", detail: "" }];
      await place.own();
      const refused = await chat.proposeCombination(turnId, combined.value);
      if (refused === null) return busy;
      if (refused.length < combined.value.length) place.proposed(chat.chatId);
      return refused.map(({ path, error }) => ({
        code: error.code === "changed-meanwhile" ? error.code : "refused",
        path,
        detail: fileErrorMessage(error, t),
      }));
    },

    async show({ model, end }, path) {
      const made = end?.files.find((file) => file.path === path);
      const file = await workspace.resolve(path);
      if (!made || !file.ok) return;
      const now = await readPath(workspace, path, NEVER, true);
      const text = now.ok ? textNow(made, now.value.text) : made.text;
      await diffs.show(file.value, now.ok, text, answerTitle(t, path, model));
    },
  };
}

/** The models of an agent turn; none where it is not there. */
export function candidatesOf(
  { tree }: Pick<Chat, "tree">,
  turnId: string,
): readonly TurnCandidate[] {
  const turn = tree.turns.get(turnId);
  return turn?.role === "agent" ? turn.candidates : [];
}

/** What a model makes of a file that may have changed since, where both fit together. */
function textNow(
  { base, text }: { readonly base: string | null; readonly text: string | null },
  now: string,
): string | null {
  if (base === null || text === null || base === now) return text;
  const merged = mergeTexts(base, now, text);
  return merged.ok ? merged.value : text;
}

import { english } from "../src/base/localize.ts";
import { branch } from "../src/turns/branch.ts";
import { noticeMessage, questionMessage } from "../src/turns/messages.ts";
import type { TurnTree } from "../src/turns/turn.ts";
import { editNews } from "./editState.ts";
import { restoredWords } from "./restoredWords.ts";
import type { FrameChanges } from "./turnChanges.ts";
import { turnOutcome } from "./turnOutcome.ts";

const FIRST_WORDS = 160;

/** What happened in a frame that is worth saying aloud: questions, decisions, errors and finished answers, but no tokens. */
export function newsOf(tree: TurnTree, changes: FrameChanges, alreadySaid: Set<string>): string[] {
  const news: string[] = [];
  const say = (key: string, sentence: string | null): void => {
    if (sentence === null || alreadySaid.has(key)) return;
    alreadySaid.add(key);
    news.push(sentence);
  };
  for (const [turnId, change] of changes.turns) {
    const turn = tree.turns.get(turnId);
    if (turn?.role !== "agent") continue;
    for (const callId of change.calls) {
      const { approval = null, question = null } = turn.toolCalls.get(callId) ?? {};
      if (approval?.decision === "pending") say(`ask ${callId}`, `Graft asks for permission: ${approval.summary}`);
      if (question) say(`question ${callId} ${question.question}`, `Graft asks: ${questionMessage(question, english)}`);
    }
    for (const blockId of change.edits) {
      const edit = turn.edits.get(blockId);
      if (edit) say(`edit ${turnId} ${blockId} ${edit.status}`, editNews(edit));
    }
    for (const index of change.notices) {
      const part = turn.parts[index];
      if (part?.type === "notice") say(`notice ${turnId} ${index}`, noticeMessage(part, english));
      // The turn at the end always says it; the one whose button was pressed may say it as well.
      if (part?.type === "files-restored" && turnId === tree.headTurnId) say(`restored ${turnId} ${index}`, restoredWords(part));
    }
    if (turn.endReason === null) continue;
    const outcome = turnOutcome(turn);
    const text = turn.parts.findLast((part) => part.type === "text")?.text ?? "";
    if (outcome) say(`end ${turnId}`, `${outcome.title}. ${outcome.detail}`);
    else {
      const shown = branch(tree, tree.headTurnId).includes(turn);
      say(`end ${turnId}`, `Graft answered${shown ? "" : " in another version"}: ${firstWords(text)}`);
    }
  }
  return news;
}

function firstWords(text: string): string {
  const plain = text
    .slice(0, FIRST_WORDS * 2)
    .replace(/[`*#>]+|(?<!\w)_+|_+(?!\w)/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return plain.length > FIRST_WORDS ? `${plain.slice(0, FIRST_WORDS)}…` : plain;
}

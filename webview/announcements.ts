import { firstWords } from "../src/base/text/clip.ts";
import { branch } from "../src/turns/branch.ts";
import { noticeMessage, questionMessage } from "../src/turns/messages.ts";
import type { AgentTurn, TurnTree } from "../src/turns/turn.ts";
import { turnOutcome } from "./answer/turnOutcome.ts";
import { fileAnnouncement } from "./cards/fileAnnouncement.ts";
import { modelAsks } from "./cards/messages.ts";
import { t } from "./l10n.ts";
import { restoredText } from "./messages.ts";
import type { FrameChanges } from "./turnChanges.ts";

/** Characters of an answer that are announced. */
const ANSWER_LENGTH = 160;

/**
 * What to announce of a frame: questions, decisions, errors and finished answers, but no tokens.
 * Each is announced once.
 */
export function announcementsOf(
  tree: TurnTree,
  changes: FrameChanges,
  alreadySaid: Set<string>,
): string[] {
  const sentences: string[] = [];
  const say = (key: string, sentence: string | null): void => {
    if (sentence === null || alreadySaid.has(key)) return;
    alreadySaid.add(key);
    sentences.push(sentence);
  };
  for (const [turnId, change] of changes.turns) {
    const turn = tree.turns.get(turnId);
    if (turn?.role !== "agent") continue;
    for (const callId of change.calls) {
      const { approval = null, question = null } = turn.toolCalls.get(callId) ?? {};
      if (approval?.decision === "pending")
        say(`ask ${callId}`, t("Graft needs permission: {action}", { action: approval.summary }));
      if (question)
        say(
          `question ${callId} ${question.question}`,
          question.about
            ? t("Graft asks: {question}", { question: questionMessage(question, t) })
            : modelAsks(question.question),
        );
    }
    for (const path of pathsOfChanges(turn, change.edits)) {
      // A file is written block by block; its proposal is announced once, when the answer ends.
      if (
        turn.endReason === null &&
        [...turn.edits.values()].every((edit) => edit.path !== path || edit.status === "pending")
      )
        continue;
      const sentence = fileAnnouncement(path, turn.edits.values(), change.edits);
      say(`edits ${turnId} ${sentence}`, sentence);
    }
    for (const index of change.notices) {
      const part = turn.parts[index];
      if (part?.type === "notice") say(`notice ${turnId} ${index}`, noticeMessage(part, t));
      if (part?.type === "aside")
        say(
          `aside ${turnId} ${index}`,
          t("Graft answered: {answer}", { answer: plainWords(part.text) }),
        );
      // An undo is noted in two turns: the last one, and the one whose button was pressed.
      if (part?.type === "files-restored" && turnId === tree.headTurnId)
        say(`restored ${turnId} ${index}`, restoredText(part));
    }
    // Decisions come for earlier turns too, which are not announced again.
    if (!change.ended || turn.within) continue;
    const outcome = turnOutcome(turn);
    const answer = plainWords(turn.parts.findLast((part) => part.type === "text")?.text ?? "");
    const { length } = turn.candidates;
    if (outcome) say(`end ${turnId}`, `${outcome.title}. ${outcome.detail}`.trimEnd());
    else if (length > 0) say(`end ${turnId}`, t("{count} models answered.", { count: length }));
    else if (branch(tree, tree.headTurnId).includes(turn))
      say(`end ${turnId}`, t("Graft answered: {answer}", { answer }));
    else say(`end ${turnId}`, t("Graft answered in another version: {answer}", { answer }));
  }
  return sentences;
}

/** The files of changed blocks, none of which is being written. */
function pathsOfChanges(turn: AgentTurn, changed: ReadonlySet<string>): ReadonlySet<string> {
  const edits = [...changed].flatMap((blockId) => turn.edits.get(blockId) ?? []);
  const paths = new Set(edits.map(({ path }) => path));
  for (const { path, status } of edits)
    if (status === "streaming" || status === "captured") paths.delete(path);
  return paths;
}

/** The beginning of a Markdown text without its marks. */
function plainWords(markdown: string): string {
  return firstWords(
    markdown.slice(0, ANSWER_LENGTH * 4).replace(/[`*#>]+|(?<!\w)_+|_+(?!\w)/g, ""),
    ANSWER_LENGTH,
  );
}

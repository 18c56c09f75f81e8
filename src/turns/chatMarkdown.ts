import type { Localize } from "../base/localize.ts";
import { reasonText } from "./blockMessages.ts";
import { branch } from "./branch.ts";

import { noticeMessage, turnErrorMessage } from "./messages.ts";
import { editorText } from "./promptText.ts";
import type { AgentTurn, ToolCallState, TurnPart, TurnTree, UserTurn } from "./turn.ts";

/** The branch shown, as a Markdown document under the heading `title`. */
export function chatMarkdown(title: string, tree: TurnTree, t: Localize): string {
  const sections = branch(tree, tree.headTurnId).map((turn) =>
    turn.role === "user"
      ? [`## ${t("You")}`, asked(turn, t), turn.text]
      : [`## Graft${turn.model === "" ? "" : ` (${turn.model})`}`, ...answer(turn, t)],
  );
  return `${[`# ${oneLine(title)}`, ...sections.flat()].filter((text) => text.trim() !== "").join("\n\n")}\n`;
}

function asked(turn: UserTurn, t: Localize): string {
  if (turn.editFile !== null) return `_${t("Edit mode on {file}", { file: code(turn.editFile) })}_`;
  const editor = editorText(turn);
  return editor === null ? "" : `_${t("Sent with it:")}_ ${code(editor)}`;
}

function answer(turn: AgentTurn, t: Localize): readonly string[] {
  const edits = [...turn.edits.values()].map((edit) => {
    const reason = reasonText(edit, t);
    return `- ${code(edit.path)}, ${edit.target}: ${edit.status}${reason === null ? "" : ` (${oneLine(reason)})`}`;
  });
  return [
    ...turn.parts.map((part) => partText(turn, part, t)),
    edits.length > 0 ? `**${t("Changes")}**\n\n${edits.join("\n")}` : "",
    turn.error
      ? `**${t("Error:")}** ${oneLine(turnErrorMessage(turn.error, t))}`
      : turn.endReason === "done" || turn.endReason === null
        ? ""
        : `_${t("The turn ended: {reason}.", { reason: turn.endReason })}_`,
  ];
}

function partText(turn: AgentTurn, part: TurnPart, t: Localize): string {
  switch (part.type) {
    case "text":
      return part.text.trim();
    case "reasoning":
      return details(t("Thinking"), part.text.trim());
    case "tool-call": {
      const call = turn.toolCalls.get(part.callId);
      return call ? callText(call) : "";
    }
    case "user-message":
      return `**${t("You, meanwhile:")}** ${part.text}`;
    case "edit-report":
    case "decisions":
      return details(t("Report sent to the model"), fenced(part.text));
    case "rules":
      return `_${t("Rules: {file}", { file: code(part.path) })}_`;
    case "compaction":
      return details(t("Conversation compacted"), part.summary);
    case "files-restored":
      return `_${part.undone ? t("Restore undone:") : t("Restored:")} ${part.files.map(({ path }) => code(path)).join(", ")}_`;
    case "notice":
      return `> ${oneLine(noticeMessage(part, t))}`;
  }
}

function callText({ name, argsText, status, output }: ToolCallState): string {
  const result = output === null ? "" : `\n\n${fenced(output)}`;
  return details(`${name}: ${status}`, `${fenced(argsText, "json")}${result}`);
}

function details(summary: string, body: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>\n\n${body}\n\n</details>`;
}

/** A code block with a fence longer than any run of backticks in the text. */
function fenced(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

function code(text: string): string {
  const line = oneLine(text);
  const fence = "`".repeat(longestRun(line) + 1);
  return line.startsWith("`") || line.endsWith("`") ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

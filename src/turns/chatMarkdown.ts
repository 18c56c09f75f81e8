import type { Localize } from "../base/localize.ts";
import { fenced, longestBacktickRun } from "../base/text/fenced.ts";
import { reasonText } from "./blockMessages.ts";
import { branch } from "./branch.ts";
import {
  attachmentLabel,
  noticeMessage,
  reportsText,
  turnErrorMessage,
  unheardMessage,
} from "./messages.ts";
import { editorText } from "./promptText.ts";
import type { AgentTurn, ToolCallState, TurnPart, TurnTree, UserTurn } from "./turn.ts";

/**
 * The branch shown, as a Markdown document under the heading `title`, with the previews of attached
 * images.
 */
export function chatMarkdown(title: string, tree: TurnTree, t: Localize): string {
  const sections = branch(tree, tree.headTurnId).map((turn) =>
    turn.role === "user"
      ? [`## ${t("You")}`, askedWith(turn, t), turn.text, ...attached(turn, t)]
      : [`## Graft${turn.model === "" ? "" : ` (${turn.model})`}`, ...answerSections(turn, t)],
  );
  return `${[`# ${onOneLine(title)}`, ...sections.flat()].filter((text) => text.trim() !== "").join("\n\n")}\n`;
}

function askedWith(turn: UserTurn, t: Localize): string {
  if (turn.editFile !== null) return `_${t("Edit mode on {file}", { file: code(turn.editFile) })}_`;
  const editor = editorText(turn);
  return editor === null ? "" : `_${t("Sent with it:")}_ ${code(editor)}`;
}

function attached(
  { attachments = [] }: Pick<UserTurn, "attachments">,
  t: Localize,
): readonly string[] {
  return attachments.map((attachment) => {
    const label = attachmentLabel(attachment, t);
    if (attachment.image)
      return `![${label.replace(/[[\]\\<&`]/g, "\\$&")}](${attachment.image.preview})`;
    const name =
      attachment.path === null || attachment.path === "" ? label : `${label} (${attachment.path})`;
    return details(
      t("Attached: {name}", { name: onOneLine(name) }),
      attachment.text === null ? t("Could not be read.") : block(attachment.text),
    );
  });
}

function answerSections(turn: AgentTurn, t: Localize): readonly string[] {
  const edits = [...turn.edits.values()].map((edit) => {
    const reason = reasonText(edit, t);
    return `- ${code(edit.path)}, ${edit.op === "rename" ? "→ " : ""}${edit.target === "mode" ? edit.op : edit.target}: ${edit.status}${reason === null ? "" : ` (${onOneLine(reason)})`}`;
  });
  const reports = turn.parts.flatMap((part) => (part.type === "edit-report" ? part.text : []));
  return [
    ...turn.parts.map((part) => partText(turn, part, t)),
    reports.length > 0
      ? details(reportsText(reports.length, t), reports.map((text) => block(text)).join("\n\n"))
      : "",
    edits.length > 0 ? `**${t("Changes")}**\n\n${edits.join("\n")}` : "",
    turn.error
      ? `**${t("Error:")}** ${onOneLine(turnErrorMessage(turn.error, t))}`
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
      return call ? callDetails(call) : "";
    }
    case "user-message":
      return [`**${t("You, during the answer:")}** ${part.text}`, ...attached(part, t)].join(
        "\n\n",
      );
    case "answer-image":
      return attached({ attachments: [part.attachment] }, t).join("");
    case "edit-report":
      // Below the answer, all of it in one.
      return "";
    case "decisions":
      return details(t("Review result sent"), block(part.text));
    case "rules":
      return `_${t("Rules: {file}", { file: code(part.path) })}_`;
    case "aside":
      return details(`${t("Side question:")} ${onOneLine(part.question)}`, part.text);
    case "todos":
      return part.again
        ? ""
        : part.items
            .map(({ text, status }) => `- [${status === "done" ? "x" : " "}] ${onOneLine(text)}`)
            .join("\n");
    case "compaction":
      return details(
        part.before === undefined ? t("Conversation compacted") : t("Earlier steps summarized"),
        part.summary,
      );
    case "files-restored":
      return `_${restoredWord(part, t)} ${part.files.map(({ path }) => code(path)).join(", ")}_`;
    case "unheard":
      return `> ${unheardMessage(part, t)}`;
    case "notice":
      return `> ${onOneLine(noticeMessage(part, t))}`;
  }
}

function callDetails({ name, argsText, status, output }: ToolCallState): string {
  const result = output === null ? "" : `\n\n${block(output)}`;
  return details(`${name}: ${status}`, `${block(argsText, "json")}${result}`);
}

function details(summary: string, body: string): string {
  return `<details><summary>${escapeTags(summary)}</summary>\n\n${body}\n\n</details>`;
}

function block(text: string, language = ""): string {
  return fenced(text.replace(/\n$/, ""), language);
}

function code(text: string): string {
  const line = onOneLine(text);
  const fence = "`".repeat(longestBacktickRun(line) + 1);
  return line.startsWith("`") || line.endsWith("`")
    ? `${fence} ${line} ${fence}`
    : `${fence}${line}${fence}`;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function escapeTags(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

function restoredWord(
  { undone, blocks }: TurnPart & { readonly type: "files-restored" },
  t: Localize,
): string {
  if (blocks) return undone ? t("In the file again:") : t("No longer in the file:");
  return undone ? t("Restore undone:") : t("Restored:");
}

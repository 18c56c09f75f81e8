import { english } from "../base/localize.ts";
import { reasonText } from "./blockMessages.ts";
import { branch } from "./branch.ts";
import { editorText } from "./editorText.ts";
import type { AgentTurn, ToolCallState, TurnPart, TurnTree, UserTurn } from "./turn.ts";

/** The branch that is shown, as a Markdown document for people to read. `title` is its heading. */
export function chatMarkdown(title: string, tree: TurnTree): string {
  const sections = branch(tree, tree.headTurnId).map((turn) =>
    turn.role === "user" ? [`## You`, asked(turn), turn.text] : [`## Graft${turn.model === "" ? "" : ` (${turn.model})`}`, ...answer(turn)],
  );
  return `${[`# ${oneLine(title)}`, ...sections.flat()].filter((text) => text.trim() !== "").join("\n\n")}\n`;
}

function asked(turn: UserTurn): string {
  if (turn.editFile !== null) return `_Edit mode on ${code(turn.editFile)}_`;
  const editor = editorText(turn);
  return editor === null ? "" : `_Told with it:_ ${code(editor)}`;
}

function answer(turn: AgentTurn): readonly string[] {
  const edits = [...turn.edits.values()].map((edit) => {
    const reason = reasonText(edit, english);
    return `- ${code(edit.path)}, ${edit.target}: ${edit.status}${reason === null ? "" : ` (${oneLine(reason)})`}`;
  });
  return [
    ...turn.parts.map((part) => partText(turn, part)),
    edits.length > 0 ? `**Changes**\n\n${edits.join("\n")}` : "",
    turn.error
      ? `**Error:** ${oneLine(turn.error.message)}`
      : turn.endReason === "done" || turn.endReason === null
        ? ""
        : `_The turn ended: ${turn.endReason}._`,
  ];
}

function partText(turn: AgentTurn, part: TurnPart): string {
  switch (part.type) {
    case "text":
      return part.text.trim();
    case "reasoning":
      return details("Thinking", part.text.trim());
    case "tool-call": {
      const call = turn.toolCalls.get(part.callId);
      return call ? callText(call) : "";
    }
    case "user-message":
      return `**You, meanwhile:** ${part.text}`;
    case "edit-report":
      return details("What the model was told about its edits", fenced(part.text));
    case "rules":
      return `_Rules: ${code(part.path)}_`;
    case "compaction":
      return details("The earlier turns are summed up for the model from here on", part.summary);
    case "files-restored":
      return `_${part.undone ? "Restore undone" : "Restored"}: ${part.files.map(({ path }) => code(path)).join(", ")}_`;
    case "notice":
      return `> ${oneLine(part.text)}`;
  }
}

function callText({ name, argsText, status, output }: ToolCallState): string {
  const result = output === null ? "" : `\n\n${fenced(output)}`;
  return details(`${name}: ${status}`, `${fenced(argsText, "json")}${result}`);
}

function details(summary: string, body: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>\n\n${body}\n\n</details>`;
}

/** A code block whose fence is longer than any run of backticks in the text. */
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

import { firstWords } from "../base/text/firstWords.ts";
import type { LineSpan } from "../ports/editorState.ts";
import type { ToolCallState, TurnPart, UserTurn } from "./turn.ts";

/** UTF-16 units that the names of open tabs may take. */
const TABS_BUDGET = 300;

/** Answers a call that never got a result, because of a crash. */
export const NO_RESULT =
  "No result: the turn was interrupted during this call, which may have taken effect or not. Check before you rely on either.";

/** Introduces the summary that replaces earlier turns. */
export function summaryText(summary: string): string {
  return `[The earlier conversation was too long and is left out. You summed it up like this:]\n\n${summary}\n\n[End of the summary. The conversation goes on:]`;
}

/** The rules in a file of the workspace, marked as such. */
export function rulesText({ path, text }: TurnPart & { readonly type: "rules" }): string {
  const scope = path.endsWith("/AGENTS.md") ? `for files below ${path.slice(0, -"AGENTS.md".length)}` : "for all its files";
  return `[Rules that the workspace gives ${scope}, from its file ${path}. Follow them unless the user says otherwise; later rules take precedence.]\n${text}\n[End of ${path}]`;
}

/** Reports that the user restored files, or undid that. */
export function restoredText({ request, files, undone }: TurnPart & { readonly type: "files-restored" }): string {
  const before = `to what they were before the request ${JSON.stringify(firstWords(request, 80))}`;
  const what = undone
    ? `Since then the user has undone the restoring of these files ${before}. What it had removed is there again`
    : `Since then the user has restored these files ${before}, keeping their own later edits. Changes reported above may be gone`;
  const deletion = undone ? " (it is there again)" : " (deleted: it did not exist before)";
  const names = files.map(({ path, deleted }) => `- ${path}${deleted ? deletion : ""}`);
  return [`${what}: read a file again before you rely on its content.`, ...names].join("\n");
}

/** A call and its result as text, for requests without tools. `argsText` is a JSON object. */
export function callText({ name, output }: ToolCallState, argsText: string): string {
  return `Result of ${name} ${argsText}:\n${output ?? NO_RESULT}`;
}

/** What the editor showed when the user asked, on one line; null where nothing is known. Names are quoted, because anybody can name a file. */
export function editorText({ activeFile, editor }: Pick<UserTurn, "activeFile" | "editor">): string | null {
  const { selection = null, visible = null, tabs = [] } = editor ?? {};
  let budget = TABS_BUDGET;
  const names = tabs
    .map((path) => JSON.stringify(path))
    .filter(({ length }) => {
      budget -= length;
      return budget >= 0;
    });
  const parts: string[] = [];
  if (activeFile !== null) {
    const lines = `${selection ? `; selected: ${spanText(selection)}` : ""}${visible ? `; visible: ${spanText(visible)}` : ""}`;
    parts.push(`The file open in the editor: ${JSON.stringify(activeFile)}${lines}`);
  }
  if (names.length > 0) parts.push(`${activeFile === null ? "Open" : "Other open"} tabs, latest first: ${names.join(", ")}`);
  return parts.length === 0 ? null : `(${parts.join(". ")})`;
}

function spanText({ first, last }: LineSpan): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

import type { LineSpan } from "../ports/editorState.ts";
import type { UserTurn } from "./turn.ts";

/** How much of the tabs' names is told, in UTF-16 units. */
const TABS_BUDGET = 300;

/** What the user had before him when he asked, as one line for the model; null where nothing is known. Names are quoted: anybody can name a file. */
export function editorText({ activeFile, editor }: Pick<UserTurn, "activeFile" | "editor">): string | null {
  const { selection = null, visible = null, tabs = [] } = editor ?? {};
  const names = withinBudget(tabs.map((path) => JSON.stringify(path)));
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

function withinBudget(names: readonly string[]): readonly string[] {
  let left = TABS_BUDGET;
  return names.filter(({ length }) => {
    left -= length;
    return left >= 0;
  });
}

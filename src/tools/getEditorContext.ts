import * as z from "zod/mini";
import { counted } from "../base/counted.ts";
import type { EditorContext, EditorState, LineSpan } from "../ports/editorState.ts";
import { defineTool, type Tool } from "./tool.ts";

/** How much selected text one answer holds, in UTF-16 units, and how many tabs. */
const MAX_SELECTION = 12_000;
const MAX_TABS = 100;

/** `get_editor_context`: the active file, the selection, the visible lines and the open tabs. */
export function createGetEditorContext(editor: EditorState): Tool {
  return defineTool({
    name: "get_editor_context",
    description:
      'Tells what the user has before him now: the active file with the selected text, the cursor and the visible lines, and all open tabs. For "this", "here" and "the selection" where the request itself tells too little.',
    category: "ui",
    effect: "read",
    schema: z.object({}),
    execute: async () => ({ ok: true, output: contextText(editor.context()) }),
  });
}

function contextText({ active, tabs }: EditorContext): string {
  const parts: string[] = [];
  if (active) {
    const { path, languageId, unsaved, lineCount, selection, cursorLine, visible } = active;
    parts.push(`Active file: ${path} (${languageId}, ${counted(lineCount, "line")}${unsaved ? ", unsaved changes" : ""})`);
    parts.push(`Cursor: line ${cursorLine}${visible ? `; visible: ${spanText(visible)}` : ""}`);
    if (selection) {
      const cut = selection.text.length > MAX_SELECTION ? `\n[Cut off: ${selection.text.length} characters are selected.]` : "";
      parts.push(`Selected, ${spanText(selection)}:\n${selection.text.slice(0, MAX_SELECTION)}${cut}`);
    }
  } else parts.push("No file of the workspace is active.");
  if (tabs.length > 0) {
    const names = tabs.slice(0, MAX_TABS).map(({ path, unsaved }) => `${path}${unsaved ? " (unsaved)" : ""}`);
    const rest = tabs.length > MAX_TABS ? [`[${tabs.length - MAX_TABS} more]`] : [];
    parts.push(`Open tabs:\n${[...names, ...rest].join("\n")}`);
  }
  return parts.join("\n");
}

function spanText({ first, last }: LineSpan): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

import * as z from "zod/mini";
import { firstPart } from "../../base/text/clip.ts";
import { pluralize } from "../../base/text/sentence.ts";
import type { EditorContext, EditorState } from "../../ports/editorState.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { spanText } from "../../turns/promptText.ts";
import { defineTool } from "../defineTool.ts";
import { firstLines, NOTES } from "../notes.ts";
import type { Tool } from "../tool.ts";

/** The most selected text shown, in UTF-16 units, and the most tabs. */
const MAX_SELECTION = 12_000;
const MAX_TABS = 100;

/** `get_editor_context`: the active file, the selection, the visible lines and the open tabs. */
export function createGetEditorContext(
  editor: EditorState,
  workspace: Pick<Workspace, "resolve"> | null = null,
): Tool {
  return defineTool({
    name: "get_editor_context",
    description:
      'Tells what the user sees now: the active file with selection, cursor and visible lines, and the open tabs. Use it when "this", "here" or "the selection" is unclear from the request.',
    category: "ui",
    effect: "read",
    schema: z.object({}),
    async execute() {
      const context = editor.context();
      const file = context.active ? await workspace?.resolve(context.active.path) : undefined;
      return {
        ok: true,
        output: contextText(context, file?.ok === true && file.value.secret !== undefined),
      };
    },
  });
}

function contextText({ active, tabs }: EditorContext, isSecret: boolean): string {
  const parts: string[] = [];
  if (active) {
    const { path, languageId, unsaved, lineCount, selection, cursorLine, visible } = active;
    parts.push(
      `Active file: ${path} (${languageId}, ${pluralize(lineCount, "line")}${unsaved ? ", unsaved changes" : ""})`,
    );
    parts.push(`Cursor: line ${cursorLine}${visible ? `; visible: ${spanText(visible)}` : ""}`);
    if (selection && isSecret) parts.push(NOTES.secretSelection);
    else if (selection) {
      const cut =
        selection.text.length > MAX_SELECTION
          ? `\n${NOTES.selectionClipped(selection.text.length)}`
          : "";
      parts.push(
        `Selected, ${spanText(selection)}:\n${firstPart(selection.text, MAX_SELECTION)}${cut}`,
      );
    }
  } else parts.push(NOTES.noActiveFile);
  if (tabs.length > 0) {
    const lineOf = ({ path, unsaved }: (typeof tabs)[number]) =>
      `${path}${unsaved ? " (unsaved)" : ""}`;
    parts.push(`Open tabs:\n${firstLines(tabs, MAX_TABS, lineOf)}`);
  }
  return parts.join("\n");
}

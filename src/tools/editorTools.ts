import type { EditorState } from "../ports/editorState.ts";
import type { LanguageServices } from "../ports/languageServices.ts";
import type { Question } from "../ports/question.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { Syntax } from "../syntax/syntaxTypes.ts";
import { createAskUser } from "./askUser.ts";
import { createFindReferences } from "./findReferences.ts";
import { createFindSymbol } from "./findSymbol.ts";
import { createGetDiagnostics } from "./getDiagnostics.ts";
import { createGetEditorContext } from "./getEditorContext.ts";
import { createOpenFile, createReveal } from "./openFile.ts";
import type { Tool } from "./tool.ts";

/** What the editor tools need. */
export interface EditorToolDeps {
  readonly workspace: Workspace;
  readonly syntax: Syntax;
  readonly services: LanguageServices;
  readonly question: Question;
  /** Null without an editor, whose tools are then omitted. */
  readonly editor: EditorState | null;
}

/** The tools for what the editor knows and shows, and for questions to the user. */
export function editorTools({ workspace, syntax, services, question, editor }: EditorToolDeps): readonly Tool[] {
  const shown = editor ? [createGetEditorContext(editor), createOpenFile(workspace, editor), createReveal(workspace, editor)] : [];
  return [
    createFindSymbol(workspace, syntax, services),
    createFindReferences(workspace, services),
    createGetDiagnostics(workspace, services),
    ...shown,
    createAskUser(question),
  ];
}

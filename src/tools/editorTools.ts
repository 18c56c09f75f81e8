import type { EditorState } from "../ports/editorState.ts";
import type { LanguageServices } from "../ports/languageServices.ts";
import type { Question } from "../ports/question.ts";
import { alwaysSaved, type SavedFiles } from "../ports/savedFiles.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { Syntax } from "../syntax/syntax.ts";
import type { ReportCheck } from "./command/proposalCheck.ts";
import { createAskUser } from "./editor/askUser.ts";
import { createGetDiagnostics } from "./editor/getDiagnostics.ts";
import { createGetEditorContext } from "./editor/getEditorContext.ts";
import { createOpenFile, createReveal } from "./editor/openFile.ts";
import { createFindReferences } from "./search/findReferences.ts";
import { createFindSymbol } from "./search/findSymbol.ts";
import type { Tool } from "./tool.ts";
import { createFetchUrl } from "./web/fetchUrl.ts";
import type { Web } from "./web/web.ts";
import { withSavedFiles } from "./withSavedFiles.ts";

/** What the editor tools need. */
interface EditorToolDeps {
  readonly workspace: Workspace;
  /** The same with what is proposed, for outlines. Default: nothing is proposed. */
  readonly seen?: Workspace;
  readonly syntax: Syntax;
  readonly services: LanguageServices;
  readonly question: Question;
  /** Null without an editor, whose tools are then omitted. */
  readonly editor: EditorState | null;
  /** Null where no page of the web can be read, whose tool is then omitted. */
  readonly web?: Web | null;
  /** Default: nothing is ever pending. */
  readonly pending?: SavedFiles["pending"];
  /** Default: there is no check. */
  readonly reportCheck?: ReportCheck;
}

/** The tools for what the editor knows and shows, and for questions to the user. */
export function editorTools({
  workspace,
  seen = workspace,
  syntax,
  services,
  question,
  editor,
  web = null,
  pending = () => [],
  reportCheck = async () => null,
}: EditorToolDeps): readonly Tool[] {
  const shown = editor
    ? [
        createGetEditorContext(editor, workspace),
        createOpenFile(workspace, editor),
        createReveal(workspace, editor),
      ]
    : [];
  return [
    createFindSymbol(seen, syntax, services, pending),
    withSavedFiles(createFindReferences(workspace, services), { ...alwaysSaved, pending }),
    // Language servers check what the editor shows, saved or not.
    withSavedFiles(createGetDiagnostics(workspace, services, reportCheck, pending), {
      ...alwaysSaved,
      pending,
    }),
    ...shown,
    createAskUser(question),
    ...(web ? [createFetchUrl(web)] : []),
  ];
}

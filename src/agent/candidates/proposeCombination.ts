import { newId } from "../../base/ids.ts";
import type { ShadowChange } from "../../ports/commands/shadow.ts";
import { type FileError, readPath, type Workspace } from "../../ports/workspace.ts";
import type { ChatProposals } from "../../tools/command/chatProposals.ts";
import type { CandidateFile } from "../../turns/candidates/candidateEvents.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";

/** Where the chat that asked proposes. */
interface Combining {
  readonly proposals: Pick<ChatProposals, "propose">;
  readonly edits: { readonly workspace: Pick<Workspace, "resolve" | "read"> };
}

/**
 * Proposes files that the user put together from several models' answers, as blocks of agent turn
 * `turnId`, each as the step from its `base`: what was written to it since stays. Gives the files
 * that could not be proposed, and why.
 */
export async function proposeCombination(
  { proposals, edits }: Combining,
  turnId: string,
  files: readonly CandidateFile[],
  emit: EmitTurnEvent,
  signal: AbortSignal,
): Promise<readonly { readonly path: string; readonly error: FileError }[]> {
  const refused: { readonly path: string; readonly error: FileError }[] = [];
  const changes: ShadowChange[] = [];
  for (const { path, base, text } of files) {
    const isNew = base === null && text !== null;
    if (isNew && (await readPath(edits.workspace, path, signal)).ok)
      refused.push({ path, error: { code: "changed-meanwhile", path } });
    else
      changes.push({ path, text: withoutMark(text), before: withoutMark(base), executable: false });
  }
  const context = { turnId, callId: newId("combine"), emit, signal };
  const proposed = await proposals.propose({ changes, modes: [] }, context);
  const names = [...new Set(proposed.proposed.map(({ path }) => `'${path}'`))].join(", ");
  if (names !== "")
    emit({
      type: "edit-report",
      text: `Several models answered this request. The user chose parts of their answers, which are proposed now: ${names}.`,
    });
  return [...refused, ...proposed.refused];
}

function withoutMark(text: string | null): string | null {
  return text?.replace(/^\uFEFF/, "") ?? null;
}

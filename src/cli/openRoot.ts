import { err, ok, type Result } from "../base/result.ts";
import { createNodeWorkspace } from "../node/files/nodeWorkspace.ts";
import { findRipgrep } from "../node/files/ripgrepSearch.ts";
import { readError } from "../node/files/systemError.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import type { Workspace } from "../ports/workspace.ts";

/** Opens the workspace of `--root`. The error is a sentence. */
export async function openRoot(root: string): Promise<Result<Workspace, string>> {
  try {
    return ok(await createNodeWorkspace(root, await findRipgrep(null, [root])));
  } catch (error) {
    const failure = readError(error, root);
    return err(
      `--root must be an existing folder. ${failure.code === "unreadable" ? `${root} is not one.` : fileErrorMessage(failure)}`,
    );
  }
}

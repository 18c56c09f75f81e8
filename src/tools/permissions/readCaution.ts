import type { Workspace } from "../../ports/workspace.ts";
import type { Caution } from "../tool.ts";

/**
 * Whether reading these paths is asked about; not in an untrusted workspace, where what may hold
 * keys is never read.
 */
export async function readCaution(
  workspace: Pick<Workspace, "resolve" | "trusted">,
  paths: readonly string[],
): Promise<Caution | null> {
  if (!workspace.trusted) return null;
  const files = await Promise.all(paths.map((path) => workspace.resolve(path)));
  return files.some((file) => file.ok && file.value.secret === "asks") ? "secret" : null;
}

import type { ShadowProblem } from "../../ports/commands/shadow.ts";

const FULL = new Set(["ENOSPC", "EDQUOT"]);

/** The problem of an error while something was written, at an absolute path if it is known. */
export function writeProblem(error: unknown, path?: string): ShadowProblem {
  const isFull = error instanceof Error && "code" in error && FULL.has(String(error.code));
  return {
    code: isFull ? "disk-full" : "not-written",
    detail: String(error),
    ...(path !== undefined && { path }),
  };
}

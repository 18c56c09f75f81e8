import type { Result } from "../../base/result.ts";
import type { CommandPlace, Program } from "../../ports/commands/process.ts";
import type {
  CopyProgress,
  Sandbox,
  ShadowBackendName,
  ShadowProblem,
} from "../../ports/commands/shadow.ts";
import type { OpenFolders } from "../files/openFolders.ts";
import type { ChangedPaths } from "./changedPaths.ts";

/** How a shadow shows the user's folders with changes of its own. Paths are absolute. */
export interface ShadowBackend {
  readonly name: ShadowBackendName;
  /**
   * Shows the folders as they are, apart from what is kept of the last time. None of the folders is
   * in another. End what was shown before.
   */
  show(
    folders: readonly string[],
    kept: KeptPaths,
    work: BackendWork,
  ): Promise<Result<ShownFolders, ShadowProblem>>;
  /** Removes all that it has, once nothing is shown. */
  remove(): Promise<void>;
}

/** What commands made that stays for the next time: files, and whatever is at or below a path. */
export interface KeptPaths {
  readonly files: readonly string[];
  readonly ignored: readonly string[];
}

/** Work that may take long. */
export interface BackendWork {
  readonly signal: AbortSignal;
  tell(copied: CopyProgress): void;
}

/** Folders that are shown with changes until `end` is called. */
export interface ShownFolders extends CommandPlace {
  /** Also through a command line, where there is one. */
  enter(program: Program, through?: readonly string[]): Program;
  readonly folders: readonly string[];
  /** False once whatever held it is gone. */
  readonly isHeld: boolean;
  /**
   * The path under which this process sees a path in the folders as commands do. A link on the way
   * would lead out of it.
   */
  inside(path: string): string;
  /** Works on a path in the folders, as {@link OpenFolders.within} does. */
  within<T>(path: string, work: (entry: string) => Promise<T>): Promise<T>;
  newSandbox(): Promise<Result<Sandbox, ShadowProblem>>;
  /** The path under which commands find a path in the folders; null for one outside. */
  seen(path: string): string | null;
  /** What a link's absolute target there is in the user's folders. */
  sourceOf(target: string): string;
  /** Shows what the user changed meanwhile, where commands changed nothing. */
  refresh(work: BackendWork): Promise<ShadowProblem | null>;
  /** The problem is where git would wait for something. */
  changedPaths(git: string | null): Promise<Result<ChangedPaths, ShadowProblem>>;
  end(): Promise<void>;
}

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

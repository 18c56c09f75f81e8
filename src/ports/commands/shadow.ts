import type { Result } from "../../base/result.ts";
import type { FileRef } from "../workspace.ts";
import type { CommandPlace } from "./process.ts";

/** A file as a chat proposes it. */
export interface ProposedFile {
  readonly file: FileRef;
  /** Its text with the file's line ends; null where it is deleted or moved away. */
  readonly text: string | null;
  /** The file it is moved from, itself where it stays; its bytes, where `text` is absent there. */
  readonly movedFrom?: FileRef;
  /** Whether it can be executed; absent where that is as on the disk. */
  readonly executable?: boolean;
}

/**
 * How a shadow shows the files: over them at their own paths, or as a copy at others. In a copy an
 * absolute path leads to the user's own file.
 */
export type ShadowBackendName = "overlay" | "copy";

/** Texts and what happens to files, put together: a file that moves takes its text along. */
export function proposedFiles(
  texts: readonly { readonly file: FileRef; readonly text: string }[],
  operations: readonly {
    readonly file: FileRef;
    readonly to: FileRef | null;
    readonly executable?: boolean;
  }[],
): readonly ProposedFile[] {
  const files = new Map<string, ProposedFile>();
  for (const { file, text } of texts) files.set(file.uri, { file, text });
  for (const { file, to, executable } of operations) {
    if (executable !== undefined) {
      const known = files.get(file.uri) ?? { file, text: null, movedFrom: file };
      files.set(file.uri, { ...known, executable });
      continue;
    }
    const text = files.get(file.uri)?.text ?? null;
    files.set(file.uri, { file, text: null });
    if (to) files.set(to.uri, { file: to, text, movedFrom: file });
  }
  return [...files.values()];
}

/** Why commands cannot run on proposals. `detail` is what the system said. */
export interface ShadowProblem {
  readonly code:
    | "unsupported-system"
    | "missing-programs"
    | "forbidden"
    // Something is mounted inside the workspace, at the path that `detail` names.
    | "mount-inside"
    | "no-folder"
    | "not-mounted"
    | "not-written"
    /** There is no room for what is proposed, or for a copy. */
    | "disk-full"
    /** The environment forbids it, for tests. */
    | "switched-off"
    /** A copy would be larger than the user's limit. */
    | "too-large"
    /** Git in a copy would change a repository outside of it. */
    | "repository-outside"
    /** Git would wait for the pipe or device at the path, so nobody knows what it ignores. */
    | "git-waits"
    /** A folder of the workspace holds the user's home folder, which a sandbox would hide. */
    | "holds-home"
    /** Git gave no answer in the repository at the path. */
    | "git-silent";
  readonly detail: string;
  /** The absolute path that could not be written, of the repository, or of what git waits for. */
  readonly path?: string;
  /** For `too-large`, in bytes; it has at least these. */
  readonly size?: { readonly bytes: number; readonly limit: number };
}

/** How far a copy is. */
export interface CopyProgress {
  readonly files: number;
  readonly bytes: number;
}

/**
 * A way for one command into an overlay: without network and the user's services. Files of the
 * workspace that may hold keys, and those that the user's variables name, are empty, home folders
 * have only programs and packages, and every other file that the overlay does not show is read-only. What is written to home folders and `/tmp` is thrown away.
 */
export interface Sandbox extends CommandPlace {
  /** Absolute paths of files and folders of the workspace that may hold keys: they are empty there. */
  readonly emptied: readonly string[];
  /** Whether the command, which has ended, tried to reach another machine. */
  wantedNetwork(): Promise<boolean>;
}

/**
 * A way for one program into a shadow. It, and all that it starts, can write files only in the
 * shadow, in a temporary folder of its own, and where it was allowed to.
 */
export interface Confined extends CommandPlace {
  /** Removes the temporary folder. Call it when nothing of the program still runs. */
  end(): Promise<void>;
}

/** A shadow that commands can enter. */
export interface ShadowPlace extends CommandPlace {
  readonly backend: ShadowBackendName;
  /**
   * Lets it write also to files and folders that are there, by their absolute paths. Null where this
   * machine cannot confine a program.
   */
  confine(writes: readonly string[]): Promise<Confined | null>;
  newSandbox(): Promise<Result<Sandbox, ShadowProblem>>;
  /** The absolute path at which commands there find a file or folder; null for one outside. */
  at(file: FileRef): string | null;
}

/** A file that a command changed in a shadow. */
export interface ShadowChange {
  /** Absolute path. */
  readonly path: string;
  /** Its whole text; null where the command deleted the file. */
  readonly text: string | null;
  /** Its text as the command found it, as far as that is known; null for none. */
  readonly before: string | null;
  /** Whether it can be executed, or could be, where it was deleted. */
  readonly executable: boolean;
}

/** A file that a command made executable, or no longer executable; also a new one. */
export interface ShadowMode {
  /** Absolute path. */
  readonly path: string;
  readonly executable: boolean;
}

/** An ignored folder that commands made or changed. */
export interface IgnoredFolder {
  /** Absolute path. */
  readonly path: string;
  /** True where the workspace has nothing there. */
  readonly isNew: boolean;
}

/** How a folder of a shadow differs from the workspace's: how many files of this are not there. */
export interface KeptDifference {
  readonly added: number;
  readonly changed: number;
  /** Files of the workspace that the shadow does not have. */
  readonly removed: number;
  /** The first of each, as paths in the folder with `/`. */
  readonly first: Readonly<Record<"added" | "changed" | "removed", readonly string[]>>;
  /** Tells one difference from another. */
  readonly id: string;
}

/** Why a folder was not kept. `detail` is what the system said. */
export type KeepProblem =
  | { readonly code: "failed"; readonly detail: string }
  /** It differs in another way by now. */
  | { readonly code: "changed" };

/** What commands changed in a shadow since the last look. Paths are absolute. */
export interface ShadowChanges {
  readonly changes: readonly ShadowChange[];
  /** Whose modes changed; of files that are no text, too, but for new and changed ones. */
  readonly modes: readonly ShadowMode[];
  /**
   * What changed in the shadow alone: files that are binary or too large, and links, also those that
   * are gone.
   */
  readonly unshown: readonly string[];
  /** Ignored files and folders that only the shadow has in this state, each named once. */
  readonly ignored: readonly string[];
  /** The folders among these. */
  readonly ignoredFolders: readonly IgnoredFolder[];
  /** True where a command changed a repository's own data, as a commit does. */
  readonly repository: boolean;
  /** True where there were more changes than are listed. */
  readonly truncated: boolean;
  /** Why nobody can tell what they changed, or null. */
  readonly problem: ShadowProblem | null;
}

/** A chat's view of the files: what it proposes is on the disk, for its commands only. */
export interface Shadow {
  /** What its commands changed since the last call. */
  collect(signal: AbortSignal): Promise<ShadowChanges>;
  /**
   * Puts `files` in place, takes back what is no longer proposed, and keeps the shadow until `leave`
   * is called as often as this. `tell` hears how far a copy is.
   */
  enter(
    files: readonly ProposedFile[],
    signal: AbortSignal,
    tell?: (copied: CopyProgress) => void,
  ): Promise<Result<ShadowPlace, ShadowProblem>>;
  leave(): Promise<void>;
  /**
   * Takes what commands changed since the last look as seen, so that it is never proposed. Does
   * nothing while more than one stays: whose change it is cannot be told.
   */
  drop(): Promise<void>;
  /** True while a command stays in it. */
  isUsed(): Promise<boolean>;
  /** How a folder there differs from the workspace's. */
  compare(path: string): Promise<Result<KeptDifference, KeepProblem>>;
  /**
   * Makes a folder of the workspace like the shadow's, where it still differs as `agreed`; files are
   * removed only where `removes`. Gives how many files stayed, since they changed meanwhile.
   */
  keepFolder(
    path: string,
    agreed: KeptDifference,
    removes: boolean,
  ): Promise<Result<number, KeepProblem>>;
}

/** How shadows show the files, and why that is no overlay. */
export interface ShadowKind {
  readonly backend: ShadowBackendName;
  readonly noOverlay: ShadowProblem | null;
  /** For copies: how many of them stay at most while no command is in them. */
  readonly mostCopies?: number;
}

/** The shadows of a window, one a chat. */
export interface Shadows {
  /**
   * Why there can be none, or null. Tried out once; for a copy until the limit changes. A stopped
   * look at its size is a problem, which is not remembered.
   */
  problem(signal: AbortSignal): Promise<ShadowProblem | null>;
  /** How they show the files, where there can be some, and why that is no overlay. */
  backend(): Promise<ShadowKind>;
  /** Why commands have no sandbox in them, or null. Tried out at the first call. */
  sandboxProblem(): Promise<ShadowProblem | null>;
  of(chatId: string): Shadow;
  /** Removes everything of theirs. Call it when no command still runs. */
  dispose(): Promise<void>;
}

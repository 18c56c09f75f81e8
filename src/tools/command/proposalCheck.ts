import { withDeadline } from "../../base/deadline.ts";
import type { CommandLine } from "../../ports/approval.ts";
import type { ProcessExit, ProcessFailure, Shell } from "../../ports/commands/process.ts";
import type { ProposedFile, ShadowProblem, Shadows } from "../../ports/commands/shadow.ts";
import type { SavedFiles } from "../../ports/savedFiles.ts";
import type { FileError, Workspace } from "../../ports/workspace.ts";

/** The longest that a check may take, in milliseconds. */
const MOST_MS = 1_800_000;

/** A command line that runs on proposed files; what it changes is dropped. */
export interface ProposalCheck {
  readonly chatId: string;
  readonly files: readonly ProposedFile[];
  readonly line: CommandLine;
  /** True where it must have a sandbox. */
  readonly isSandboxed: boolean;
  onOutput(text: string): void;
}

/** How a check ended. */
export type CheckOutcome =
  | {
      readonly code: "passed" | "failed";
      readonly exit: ProcessExit;
      readonly ms: number;
      /** True where its sandbox kept the network from it, or files that may hold keys. */
      readonly lacked: boolean;
    }
  | { readonly code: "stopped" | "too-long" }
  | { readonly code: "no-shadow"; readonly problem: ShadowProblem }
  | { readonly code: "no-folder"; readonly error: FileError }
  | { readonly code: "not-started"; readonly failure: ProcessFailure };

/** What the user's check says of what a chat proposes now. */
export interface CheckReport {
  readonly command: string;
  readonly passed: boolean;
  /** All that it wrote. */
  readonly output: string;
}

/**
 * Runs the user's check on what the shown chat proposes. Null where there is none, where nothing is
 * proposed, where the user has to be asked first, and where it came to no result.
 */
export type ReportCheck = (signal: AbortSignal) => Promise<CheckReport | null>;

/** What checks are run with. */
export interface CheckSurroundings {
  readonly workspace: Workspace;
  readonly shell: Shell;
  readonly shadows: Shadows;
  readonly files: SavedFiles;
}

/** Runs a check in the chat's shadow. Saves accepted changes first, as before any command. */
export async function runProposalCheck(
  { workspace, shell, shadows, files }: CheckSurroundings,
  { chatId, files: proposed, line, isSandboxed, onOutput }: ProposalCheck,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const cwd = await workspace.resolve(line.folder);
  if (!cwd.ok) return { code: "no-folder", error: cwd.error };
  await files.saveAccepted(signal);
  const shadow = shadows.of(chatId);
  const place = await shadow.enter(proposed, signal);
  if (signal.aborted) {
    if (place.ok) await shadow.leave();
    return { code: "stopped" };
  }
  if (!place.ok) return { code: "no-shadow", problem: place.error };
  try {
    const startedAt = Date.now();
    const made = isSandboxed ? await place.value.newSandbox() : null;
    if (made?.ok === false) return { code: "no-shadow", problem: made.error };
    const sandbox = made?.value ?? null;
    const where = sandbox ?? place.value;
    const started = await shell.start(line.text, cwd.value, onOutput, signal, where);
    if (!started.ok) return { code: "not-started", failure: started.error };
    const { exited, kill } = started.value;
    const ended = await withDeadline(signal, MOST_MS, () => exited);
    if (!ended.ok) {
      await kill();
      return { code: signal.aborted ? "stopped" : "too-long" };
    }
    const { value: exit } = ended;
    const ms = Date.now() - startedAt;
    const wantedNetwork = (await sandbox?.wantedNetwork()) === true;
    const lacked = wantedNetwork || (sandbox?.emptied ?? []).length > 0;
    return { code: exit.code === 0 ? "passed" : "failed", exit, ms, lacked };
  } finally {
    await shadow.drop();
    await shadow.leave();
  }
}

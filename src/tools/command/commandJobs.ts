import { err, ok, type Result } from "../../base/result.ts";
import type { CommandPlace, ProcessExit, Shell } from "../../ports/commands/process.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { toolError } from "../messages.ts";
import type { ToolError } from "../tool.ts";

/** The most that is kept of a command's output, in UTF-16 units. */
const MAX_OUTPUT = 1_000_000;
/** The most commands that run at once, and the most finished ones whose output is kept. */
const MAX_RUNNING = 10;
const MAX_FINISHED = 20;

/** A command that was started. */
export interface CommandJob {
  readonly id: string;
  /** The turn and the call that started it. */
  readonly turnId: string;
  readonly callId: string;
  readonly command: string;
  /** The process that leads its group; absent where that is unknown. */
  readonly pid?: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly output: OutputTail;
  /** Settles when the command ends; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Null while it runs. */
  exit: ProcessExit | null;
  /** It ends with its window, where nobody hears of its end; the record says so when it is read. */
  isLost: boolean;
  /** The offset up to which the model has read. */
  readTo: number;
  /** The names of the environment's secrets that it did not get. */
  readonly withheld: readonly string[];
  /** Ends the command; settles when none of its processes is left. */
  kill(): Promise<void>;
  /**
   * Ends it and starts its command line again under its id, on what is proposed now; null before its
   * call has a result, and where nobody can.
   */
  restart: (() => Promise<Result<null, ToolError>>) | null;
}

/** What a command is started with. */
interface CommandStart {
  readonly command: string;
  readonly cwd: FileRef;
  readonly turnId: string;
  readonly callId: string;
  /** Receives the output as it arrives. */
  onOutput(text: string): void;
  /** A command that has not started when this aborts never does. */
  readonly signal: AbortSignal;
  /** Where it runs, if not on the files as they are. */
  readonly place?: CommandPlace | undefined;
  /** The id of a command that it takes the place of. */
  readonly id?: string | undefined;
}

/** The running commands of a window, and the last ones that ran. */
export class CommandJobs {
  private readonly shell: Shell;
  private readonly jobs = new Map<string, CommandJob>();
  private readonly changed: () => void;
  private lastId = 0;

  /** `changed` is called when others run than before. */
  constructor(shell: Shell, changed: () => void = () => undefined) {
    this.shell = shell;
    this.changed = changed;
  }

  /** Starts a command. */
  async start({
    command,
    cwd,
    turnId,
    callId,
    onOutput,
    signal,
    place,
    id = `c${++this.lastId}`,
  }: CommandStart): Promise<Result<CommandJob, ToolError>> {
    const running = this.running();
    if (running.length >= MAX_RUNNING)
      return err(toolError("too-many-commands", { running: running.map(({ id }) => id) }));
    const output = new OutputTail(MAX_OUTPUT);
    const write = (text: string) => {
      output.add(text);
      onOutput(text);
    };
    const started = await this.shell.start(command, cwd, write, signal, place);
    if (!started.ok) return err(toolError("not-run", { failure: started.error }));
    const { exited, kill, pid } = started.value;
    const job: CommandJob = {
      ...{ id, turnId, callId, command },
      ...(pid !== undefined && { pid }),
      startedAt: Date.now(),
      output,
      exited: exited.then((exit) => {
        job.exit = exit;
        this.changed();
        return exit;
      }),
      exit: null,
      isLost: false,
      readTo: 0,
      withheld: this.shell.withheld(),
      kill,
      restart: null,
    };
    this.jobs.set(job.id, job);
    this.forgetOldest();
    this.changed();
    if (signal.aborted) await kill();
    return ok(job);
  }

  /** The command with this id. The error names the known ones. */
  find(id: string): Result<CommandJob, ToolError> {
    const job = this.jobs.get(id);
    return job ? ok(job) : err(toolError("unknown-command", { id, known: [...this.jobs.keys()] }));
  }

  /** Ends the commands that a turn left running; settles when none of their processes is left. */
  async endOf(turnId: string): Promise<void> {
    await Promise.allSettled(
      this.running().map((job) => (job.turnId === turnId ? job.kill() : null)),
    );
  }

  /** Ends every running command; settles when none of their processes is left. */
  async dispose(): Promise<void> {
    const running = this.running();
    for (const job of running) job.isLost = true;
    await Promise.allSettled(running.map((job) => job.kill()));
  }

  /** Those that run, oldest first. */
  running(): readonly CommandJob[] {
    return [...this.jobs.values()].filter(({ exit }) => exit === null);
  }

  private forgetOldest(): void {
    const finished = [...this.jobs.values()].filter(({ exit }) => exit !== null);
    for (const { id } of finished.slice(0, Math.max(0, finished.length - MAX_FINISHED)))
      this.jobs.delete(id);
  }
}

/**
 * The last `limit` UTF-16 units of a command's output, addressed by offsets in the whole output.
 */
class OutputTail {
  private readonly limit: number;
  private kept = "";
  private dropped = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(text: string): void {
    this.kept += text;
    // Dropping only at half as much again copies each unit a bounded number of times.
    if (this.kept.length <= this.limit * 1.5) return;
    this.dropped += this.kept.length - this.limit;
    this.kept = this.kept.slice(-this.limit);
  }

  /** What is kept from `offset` on, and where that starts: after `offset` where it was dropped. */
  from(offset: number): { readonly start: number; readonly text: string } {
    const start = Math.min(Math.max(offset, this.dropped), this.dropped + this.kept.length);
    return { start, text: this.kept.slice(start - this.dropped) };
  }
}

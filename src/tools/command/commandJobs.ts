import { err, ok, type Result } from "../../base/result.ts";
import type { ProcessExit, Shell } from "../../ports/process.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { OutputTail } from "./outputTail.ts";

/** How much of a command's output is kept, in UTF-16 units. */
const MAX_OUTPUT = 1_000_000;
/** Commands that may run at once, and finished ones whose output is kept. */
const MAX_RUNNING = 10;
const MAX_FINISHED = 20;

/** A command that was started, and what became of it. */
export interface CommandJob {
  readonly id: string;
  /** The turn that started it. */
  readonly turnId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly output: OutputTail;
  /** Settles when the command is over; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Null while it runs. */
  exit: ProcessExit | null;
  /** How far the model has read. */
  readTo: number;
  /** Settles when nothing of it is left. */
  kill(): Promise<void>;
}

/** What a command is started with. */
export interface CommandStart {
  readonly command: string;
  readonly cwd: FileRef;
  readonly turnId: string;
  /** Gets the output as it comes. */
  onOutput(text: string): void;
  /** Aborting it keeps a command from beginning. */
  readonly signal: AbortSignal;
}

/** The commands of a window: those that run, and the last ones that ran. All end with it. */
export class CommandJobs {
  private readonly shell: Shell;
  private readonly jobs = new Map<string, CommandJob>();
  private readonly starting = new Set<Promise<unknown>>();
  private readonly ending = new AbortController();
  private lastId = 0;

  constructor(shell: Shell) {
    this.shell = shell;
  }

  /** Starts a command. The error is a sentence. */
  async start(start: CommandStart): Promise<Result<CommandJob, string>> {
    if (this.ending.signal.aborted) return err("Graft is shutting down.");
    const started = this.begin({ ...start, signal: AbortSignal.any([start.signal, this.ending.signal]) });
    this.starting.add(started);
    try {
      return await started;
    } finally {
      this.starting.delete(started);
    }
  }

  private async begin({ command, cwd, turnId, onOutput, signal }: CommandStart): Promise<Result<CommandJob, string>> {
    const running = this.running();
    if (running.length >= MAX_RUNNING) {
      return err(`${running.length} commands are running already (${running.map(({ id }) => id).join(", ")}). End one with kill_command.`);
    }
    const output = new OutputTail(MAX_OUTPUT);
    const write = (text: string) => {
      output.add(text);
      onOutput(text);
    };
    const started = await this.shell.start(command, cwd, write, signal);
    if (!started.ok) return started;
    const { exited, kill } = started.value;
    const job: CommandJob = {
      id: `c${++this.lastId}`,
      turnId,
      startedAt: Date.now(),
      output,
      exited: exited.then((exit) => {
        job.exit = exit;
        return exit;
      }),
      exit: null,
      readTo: 0,
      kill,
    };
    this.jobs.set(job.id, job);
    this.forgetOldest();
    if (signal.aborted) await kill();
    return ok(job);
  }

  get(id: string): CommandJob | null {
    return this.jobs.get(id) ?? null;
  }

  /** The ids of all jobs that are known, oldest first. */
  ids(): readonly string[] {
    return [...this.jobs.keys()];
  }

  /** Ends the commands that a turn has left running; settles when nothing of them is left. */
  async endOf(turnId: string): Promise<void> {
    await Promise.allSettled(this.running().map((job) => (job.turnId === turnId ? job.kill() : null)));
  }

  /** Ends every command that runs; settles when nothing of them is left. */
  async dispose(): Promise<void> {
    this.ending.abort();
    await Promise.allSettled([...this.starting, ...this.running().map((job) => job.kill())]);
  }

  private running(): readonly CommandJob[] {
    return [...this.jobs.values()].filter(({ exit }) => exit === null);
  }

  private forgetOldest(): void {
    const finished = [...this.jobs.values()].filter(({ exit }) => exit !== null);
    for (const { id } of finished.slice(0, Math.max(0, finished.length - MAX_FINISHED))) this.jobs.delete(id);
  }
}

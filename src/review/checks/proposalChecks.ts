import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { lastPart } from "../../base/text/clip.ts";
import type { ProposalPart, ProposalParts } from "../../edits/review/proposalParts.ts";
import type { CommandLine } from "../../ports/approval.ts";
import type { ProposedFile } from "../../ports/commands/shadow.ts";
import type { PanelStatus } from "../../protocol/messages.ts";
import {
  type BreakingPart,
  type BrokenCheck,
  findBreakingPart,
  findNeededParts,
} from "../../tools/command/findBreakingPart.ts";
import type {
  CheckOutcome,
  CheckReport,
  ProposalCheck,
} from "../../tools/command/proposalCheck.ts";
import type { ProcessTools } from "../../tools/processTools.ts";

/** The most of a check's output that is kept, in UTF-16 units. */
const MOST_OUTPUT = 1_000_000;

/** What checks are run with. */
export interface CheckSources {
  readonly machine: Pick<ProcessTools, "check" | "runsOnProposals">;
  /** The user's check, or null. */
  chosen(): CommandLine | null;
  /** The text of a user's file by its workspace path, or null. */
  read(path: string, signal: AbortSignal): Promise<string | null>;
  /** Whether a check has a sandbox now. */
  isSandboxed(signal: AbortSignal): Promise<boolean>;
  /** Saves accepted changes, as before any command. */
  save(): Promise<unknown>;
  /** The files as a chat proposes them. Called often, so it compares no texts. */
  filesOf(chatId: string): readonly ProposedFile[];
  /** How many changes these are. */
  changesOf(chatId: string): number;
  /** The changes one by one. */
  partsOf(chatId: string): ProposalParts;
  /** Why a check has neither passed nor failed, in words; null where it has, or was stopped. */
  problemOf(outcome: CheckOutcome): string | null;
  /** What the check wrote has changed. */
  written(): void;
  /** These parts were found; none where it is empty. */
  marks(found: readonly FoundPart[]): void;
}

/** A part of the proposal, and what a search found of it. */
export interface FoundPart {
  readonly part: ProposalPart;
  /**
   * `breaks`: without it and so many `others` the check passes. `left-out`: it is one of those.
   * `needed`: without it the check fails.
   */
  readonly code: "breaks" | "left-out" | "needed";
  readonly others: number;
}

/** Why a search does not begin: the check must have run on what is proposed now, and alone. */
export type SearchRefusal = "commands-running" | "out-of-date";

/** What a search works with. */
interface PartSearch extends Pick<BrokenCheck, "run" | "find"> {
  readonly proposal: ProposalParts;
}

interface Checked {
  readonly chatId: string;
  readonly check: CommandLine;
  /** What was proposed when it began. */
  readonly files: readonly ProposedFile[];
  readonly state: NonNullable<PanelStatus["check"]>["state"];
  /** True once a file of the workspace was edited since it began. */
  readonly isEdited: boolean;
  readonly outcome: CheckOutcome | null;
  readonly run: number;
  /** The parts that it fails without, where that was looked for. */
  readonly needed: readonly number[] | null;
  readonly breaking:
    | (Pick<BreakingPart, "code"> & {
        readonly path: string | null;
        readonly line: number | null;
        readonly others: number;
      })
    | null;
}

/** The check of the workspace, on what a chat proposes. One runs at a time. */
export class ProposalChecks implements Disposable {
  private readonly sources: CheckSources;
  private readonly changes = new Emitter<void>();
  /** Called when {@link status} may have changed. */
  readonly onChange = this.changes.on.bind(this.changes);
  private last: Checked | null = null;
  private running: AbortController | null = null;
  /** Looks where a check would run. */
  private looking: { readonly chatId: string; readonly abort: AbortController } | null = null;
  private written = "";
  /** By chat, the command line that the user let run there without a sandbox. */
  private readonly agreed = new Map<string, string>();
  /** How many turns began in a chat; what a turn's end started counts only until the next one. */
  private readonly turns = new Map<string, number>();

  constructor(sources: CheckSources) {
    this.sources = sources;
  }

  /** What the panel shows of it beside a chat's proposals. */
  status(chatId: string): PanelStatus["check"] {
    const { last } = this;
    const chosen = this.sources.chosen();
    if (!chosen) return { command: null, state: "none", stale: false };
    const command = chosen.text;
    const isOwn = last?.chatId === chatId && sameLine(last.check, chosen);
    if (!last || !isOwn) return { command, state: "none", stale: false };
    const { outcome, breaking, needed, run, state } = last;
    const problem = outcome && this.sources.problemOf(outcome);
    return {
      command,
      state,
      stale: this.isStale(last),
      ...(outcome && "ms" in outcome && { ms: outcome.ms }),
      ...(problem && { problem }),
      ...(outcome && "lacked" in outcome && { lacked: outcome.lacked }),
      changes: this.sources.changesOf(chatId),
      ...(state === "searching" && { run }),
      ...(needed && { needed: needed.length }),
      ...(breaking && { breaking }),
    };
  }

  /** What the last check wrote. */
  get output(): string {
    return this.written;
  }

  /** What the last check wrote, where it was that chat's; null where it was not. */
  outputOf(chatId: string): string | null {
    return this.last?.chatId === chatId ? this.written : null;
  }

  /** A turn of the chat is over: runs the check, if there is something new to run it on. */
  async turnEnded(chatId: string): Promise<void> {
    const check = this.sources.chosen();
    const files = this.sources.filesOf(chatId);
    if (!check || files.length === 0 || this.isKnown(chatId, check, files)) return;
    const turns = this.turns.get(chatId);
    const looking = new AbortController();
    this.looking = { chatId, abort: looking };
    const mayRun = await this.mayRun(chatId, check, looking.signal);
    if (turns !== this.turns.get(chatId) || looking.signal.aborted) return;
    if (mayRun) return this.run(chatId);
    this.stop();
    this.become({ ...begun(chatId, check, files), state: "asks" });
  }

  /**
   * The user runs the check of a chat: from now on its check may run there where it has no sandbox,
   * and with `network` it gets none.
   */
  async runByUser(chatId: string, network: boolean): Promise<void> {
    const check = this.sources.chosen();
    if (!check) return;
    if (network || !(await this.sources.isSandboxed(NEVER))) this.agreed.set(chatId, keyOf(check));
    await this.run(chatId);
  }

  /** A turn of the chat begins: its commands need the place. */
  turnBegan(chatId: string): void {
    this.turns.set(chatId, (this.turns.get(chatId) ?? 0) + 1);
    if (this.looking?.chatId === chatId) this.looking.abort.abort();
    if (this.last?.chatId === chatId) this.running?.abort();
  }

  /** A file of the workspace was edited. */
  edited(): void {
    if (this.last && !this.last.isEdited) this.become({ ...this.last, isEdited: true });
  }

  /** Runs the check now. */
  private async run(chatId: string): Promise<void> {
    const turns = this.turns.get(chatId);
    await this.sources.save();
    if (turns !== this.turns.get(chatId)) return;
    const check = this.sources.chosen();
    const files = this.sources.filesOf(chatId);
    if (!check || files.length === 0) return;
    this.write(`> ${check.text}\n`, "");
    this.sources.marks([]);
    await this.during({ ...begun(chatId, check, files), state: "running" }, async (signal) => {
      const outcome = await this.trial(chatId, check, files, signal, (text) => this.write(text));
      const { code } = outcome;
      const state = code === "passed" || code === "failed" || code === "stopped" ? code : "problem";
      return { state, outcome };
    });
  }

  /** {@link ReportCheck} for a chat, whose turn runs. */
  async report(chatId: string, signal: AbortSignal): Promise<CheckReport | null> {
    const check = this.sources.chosen();
    const files = this.sources.filesOf(chatId);
    if (!check || files.length === 0 || !(await this.mayRun(chatId, check, signal))) return null;
    let output = "";
    const outcome = await this.trial(chatId, check, files, signal, (text) => {
      output = lastPart(output + text, MOST_OUTPUT);
    });
    const { code } = outcome;
    if (code !== "passed" && code !== "failed") return null;
    this.write(output, `> ${check.text}\n`);
    this.become({ ...begun(chatId, check, files), state: code, outcome });
    return { command: check.text, passed: code === "passed", output };
  }

  /** Finds the change that makes the check fail. Null where it begins; else why it does not. */
  findBreaking(chatId: string): Promise<SearchRefusal | null> {
    const output = this.written;
    return this.search(chatId, "failed", async ({ proposal, run, find }) => {
      const { parts, texts } = proposal;
      const found = await findBreakingPart({ parts: texts, output, run, find });
      const isFound = found?.code === "found";
      const part = isFound ? parts[found.part] : undefined;
      const others = isFound ? found.others.flatMap((at) => parts[at] ?? []) : [];
      const count = { others: others.length };
      const left = others.map((each) => ({ part: each, code: "left-out" as const, ...count }));
      if (part) this.sources.marks([{ part, code: "breaks", ...count }, ...left]);
      const [path, line] = [part?.file.path ?? null, part?.line ?? null];
      return { breaking: found && { code: found.code, path, line, ...count } };
    });
  }

  /** Finds the changes that the check needs. Null where it begins; else why it does not. */
  findNeeded(chatId: string): Promise<SearchRefusal | null> {
    return this.search(chatId, "passed", async ({ proposal: { parts }, run }) => {
      const needed = await findNeededParts(parts.length, run);
      const found = (needed ?? []).flatMap((at) => parts[at] ?? []);
      this.sources.marks(found.map((part) => ({ part, code: "needed" as const, others: 0 })));
      return { needed };
    });
  }

  /** Stops what runs. */
  stop(): void {
    this.looking?.abort.abort();
    this.running?.abort();
  }

  /** What is shown may have changed. */
  stateChanged(): void {
    this.changes.fire();
  }

  dispose(): void {
    this.stop();
  }

  /** Runs the check without some parts of what it `was` about. */
  private async search(
    chatId: string,
    was: "passed" | "failed",
    look: (search: PartSearch) => Promise<Partial<Checked>>,
  ): Promise<SearchRefusal | null> {
    const { last } = this;
    if (last?.state !== was || last.chatId !== chatId || this.isStale(last)) return "out-of-date";
    if (await this.sources.machine.runsOnProposals(chatId)) return "commands-running";
    const { check, outcome } = last;
    const proposal = this.sources.partsOf(chatId);
    const seen = new Map(proposal.files(() => true).map(({ file, text }) => [file.path, text]));
    await this.during({ ...last, state: "searching", run: 0 }, async (signal) => {
      let other: CheckOutcome | null = null;
      const run: PartSearch["run"] = async (isKept) => {
        if (this.last) this.become({ ...this.last, run: this.last.run + 1 });
        let output = "";
        const kept = proposal.files(isKept);
        const ran = await this.trial(chatId, check, kept, signal, (text) => {
          output = lastPart(output + text, MOST_OUTPUT);
        });
        if (ran.code === "passed" || ran.code === "failed")
          return { passed: ran.code === "passed", output };
        other = ran;
        return null;
      };
      const find: PartSearch["find"] = async (named) => {
        const own = check.folder === "." ? [] : [`${check.folder}/${named}`];
        for (const path of [...own, named]) {
          const text = seen.has(path) ? seen.get(path) : await this.sources.read(path, signal);
          if (typeof text === "string") return { path, text };
        }
        return null;
      };
      const found = await look({ proposal, run, find });
      const isProblem = other !== null && !signal.aborted;
      return { ...found, state: isProblem ? "problem" : was, outcome: isProblem ? other : outcome };
    });
    return null;
  }

  private async during(
    begin: Checked,
    work: (signal: AbortSignal) => Promise<Partial<Checked>>,
  ): Promise<void> {
    this.stop();
    const own = new AbortController();
    this.running = own;
    this.become(begin);
    const ended = await work(own.signal);
    if (this.running !== own) return;
    this.running = null;
    if (this.last) this.become({ ...this.last, ...ended });
  }

  /** Whether the check may run unasked. */
  private async mayRun(chatId: string, check: CommandLine, signal: AbortSignal): Promise<boolean> {
    return this.isAgreed(chatId, check) || (await this.sources.isSandboxed(signal));
  }

  private isAgreed(chatId: string, check: CommandLine): boolean {
    return this.agreed.get(chatId) === keyOf(check);
  }

  private trial(
    chatId: string,
    line: CommandLine,
    files: readonly ProposedFile[],
    signal: AbortSignal,
    onOutput: ProposalCheck["onOutput"],
  ): Promise<CheckOutcome> {
    const isSandboxed = !this.isAgreed(chatId, line);
    return this.sources.machine.check({ chatId, files, line, isSandboxed, onOutput }, signal);
  }

  private isStale({ chatId, files, isEdited }: Checked): boolean {
    return isEdited || !sameFiles(files, this.sources.filesOf(chatId));
  }

  private isKnown(chatId: string, check: CommandLine, files: readonly ProposedFile[]): boolean {
    const { last } = this;
    if (!last || last.chatId !== chatId || last.state === "stopped") return false;
    return sameLine(last.check, check) && !last.isEdited && sameFiles(last.files, files);
  }

  private write(text: string, before = this.written): void {
    this.written = lastPart(before + text, MOST_OUTPUT);
    this.sources.written();
  }

  private become(next: Checked): void {
    this.last = next;
    this.changes.fire();
  }
}

function begun(chatId: string, check: CommandLine, files: readonly ProposedFile[]): Checked {
  return {
    ...{ chatId, check, files, state: "none", isEdited: false },
    ...{ outcome: null, run: 0, needed: null, breaking: null },
  };
}

/** What the user waits for is never stopped. */
const NEVER = new AbortController().signal;

function keyOf({ text, folder }: CommandLine): string {
  return JSON.stringify([text, folder]);
}

function sameLine(a: CommandLine, b: CommandLine): boolean {
  return a.text === b.text && a.folder === b.folder;
}

function sameFiles(a: readonly ProposedFile[], b: readonly ProposedFile[]): boolean {
  return (
    a.length === b.length &&
    a.every((file, at) => {
      const other = b[at];
      return (
        file.file.uri === other?.file.uri &&
        file.movedFrom?.uri === other.movedFrom?.uri &&
        file.executable === other.executable &&
        file.text === other.text
      );
    })
  );
}

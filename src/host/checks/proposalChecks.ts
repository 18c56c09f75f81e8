import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { ProposalPart, ProposalParts } from "../../edits/review/proposalParts.ts";
import type { RunnerFiles } from "../../ports/commands/runnerFiles.ts";
import type { Ground, ProposedFile } from "../../ports/commands/shadow.ts";
import type { PanelStatus } from "../../protocol/messages.ts";
import {
  type BreakingPart,
  findBreakingPart,
  findNeededParts,
} from "../../tools/command/findBreakingPart.ts";
import type { CheckOutcome, ProposalCheck } from "../../tools/command/proposalCheck.ts";
import { changedFiles } from "../../tools/permissions/changedFiles.ts";
import type { ProcessTools } from "../../tools/processTools.ts";
import type { ChosenCheck } from "./chosenCheck.ts";

/** The most of a check's output that is kept, in UTF-16 units. */
const MOST_OUTPUT = 1_000_000;

/** What checks are run with. */
export interface CheckSources {
  readonly machine: Pick<ProcessTools, "check" | "runsOnProposals">;
  readonly runnerFiles: RunnerFiles;
  /** The user's check, or null. */
  chosen(): ChosenCheck | null;
  /** How commands see the proposals now. */
  ground(): Promise<Ground>;
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
  /** These parts were found; none any more where it is empty. */
  marks(found: readonly FoundPart[]): void;
}

/** A part of the proposal, and what a search found of it. */
export interface FoundPart {
  readonly part: ProposalPart;
  /** `alone`: without it the check passes. `first`: from it on it fails. `needed`: without it. */
  readonly code: "alone" | "first" | "needed";
}

/** Why a search does not begin: the check must have run on what is proposed now, and alone. */
export type SearchRefusal = "commands-running" | "out-of-date";

interface Checked {
  readonly chatId: string;
  readonly check: ChosenCheck;
  /** What was proposed when it began. */
  readonly files: readonly ProposedFile[];
  readonly state: NonNullable<PanelStatus["check"]>["state"];
  /** True once a file of the workspace was edited since it began. */
  readonly isEdited: boolean;
  /** The files that keep it from running unasked. */
  readonly deciding: readonly string[];
  readonly outcome: CheckOutcome | null;
  readonly run: number;
  /** The parts that it fails without, where that was looked for. */
  readonly needed: readonly number[] | null;
  readonly breaking:
    | (BreakingPart & { readonly at: string | null; readonly line: number | null })
    | null;
}

/** The check of the workspace, on what the shown chat proposes. One runs at a time. */
export class ProposalChecks implements Disposable {
  private readonly sources: CheckSources;
  private readonly changes = new Emitter<void>();
  /** Called when {@link status} may have changed. */
  readonly onChange = this.changes.on.bind(this.changes);
  private last: Checked | null = null;
  private running: AbortController | null = null;
  private written = "";
  /** How many turns began; what a turn's end started counts only until the next one. */
  private turns = 0;

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
    const { outcome, breaking, deciding, needed, run, state } = last;
    const problem = outcome && this.sources.problemOf(outcome);
    return {
      command,
      state,
      stale: this.isStale(last),
      ...(outcome && "ms" in outcome && { ms: outcome.ms }),
      ...(problem && { problem }),
      ...(deciding.length > 0 && { deciding: [...deciding] }),
      changes: this.sources.changesOf(chatId),
      ...(state === "searching" && { run }),
      ...(needed && { needed: needed.length }),
      ...(breaking && {
        breaking: { code: breaking.code, path: breaking.at, line: breaking.line },
      }),
    };
  }

  /** What the last check wrote. */
  get output(): string {
    return this.written;
  }

  /** A turn of the chat is over: runs the check, if there is something new to run it on. */
  async turnEnded(chatId: string): Promise<void> {
    const check = this.sources.chosen();
    const files = this.sources.filesOf(chatId);
    if (!check || files.length === 0 || this.isKnown(chatId, check, files)) return;
    const { turns } = this;
    const deciding = await this.deciding(check, files);
    const isElsewhere = (await this.sources.ground()) !== check.ground;
    if (turns !== this.turns) return;
    if (deciding.length === 0 && !isElsewhere) return this.run(chatId);
    this.stop();
    this.become({ ...begun(chatId, check, files), state: "asks", deciding });
  }

  /** A turn of the chat begins: its commands need the place. */
  turnBegan(): void {
    this.turns++;
    this.stop();
  }

  /** A file of the workspace was edited. */
  edited(): void {
    if (this.last && !this.last.isEdited) this.become({ ...this.last, isEdited: true });
  }

  /** Runs the check now: the user asked for it, or agreed before. */
  async run(chatId: string): Promise<void> {
    const { turns } = this;
    await this.sources.save();
    if (turns !== this.turns) return;
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

  /** Finds the change that makes the check fail. Null where it begins; else why it does not. */
  findBreaking(chatId: string): Promise<SearchRefusal | null> {
    return this.search(chatId, "failed", async ({ parts, passes }) => {
      const found = await findBreakingPart(parts.length, passes);
      const part = found && "part" in found ? parts[found.part] : undefined;
      if (found && "part" in found && part) this.sources.marks([{ part, code: found.code }]);
      return {
        breaking: found && { ...found, at: part?.file.path ?? null, line: part?.line ?? null },
      };
    });
  }

  /** Finds the changes that the check needs. Null where it begins; else why it does not. */
  findNeeded(chatId: string): Promise<SearchRefusal | null> {
    return this.search(chatId, "passed", async ({ parts, passes }) => {
      const needed = await findNeededParts(parts.length, passes);
      const found = (needed ?? []).flatMap((at) => parts[at] ?? []);
      this.sources.marks(found.map((part) => ({ part, code: "needed" as const })));
      return { needed };
    });
  }

  /** Stops what runs. */
  stop(): void {
    this.running?.abort();
  }

  /** What is shown may have changed. */
  changed(): void {
    this.changes.fire();
  }

  dispose(): void {
    this.stop();
  }

  /** Runs the check without some parts of what it `was` about. */
  private async search(
    chatId: string,
    was: "passed" | "failed",
    find: (search: {
      readonly parts: readonly ProposalPart[];
      readonly passes: (isKept: (part: number) => boolean) => Promise<boolean | null>;
    }) => Promise<Partial<Checked>>,
  ): Promise<SearchRefusal | null> {
    const { last } = this;
    if (last?.state !== was || last.chatId !== chatId || this.isStale(last)) return "out-of-date";
    if (await this.sources.machine.runsOnProposals(chatId)) return "commands-running";
    const { check, outcome } = last;
    const { parts, files } = this.sources.partsOf(chatId);
    await this.during({ ...last, state: "searching", run: 0 }, async (signal) => {
      let other: CheckOutcome | null = null;
      const passes = async (isKept: (part: number) => boolean) => {
        if (this.last) this.become({ ...this.last, run: this.last.run + 1 });
        const ran = await this.trial(chatId, check, files(isKept), signal, () => undefined);
        if (ran.code === "passed" || ran.code === "failed") return ran.code === "passed";
        other = ran;
        return null;
      };
      const found = await find({ parts, passes });
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

  private trial(
    chatId: string,
    line: ChosenCheck,
    files: readonly ProposedFile[],
    signal: AbortSignal,
    onOutput: ProposalCheck["onOutput"],
  ): Promise<CheckOutcome> {
    return this.sources.machine.check({ chatId, files, line, onOutput }, signal);
  }

  private isStale({ chatId, files, isEdited }: Checked): boolean {
    return isEdited || !sameFiles(files, this.sources.filesOf(chatId));
  }

  private isKnown(chatId: string, check: ChosenCheck, files: readonly ProposedFile[]): boolean {
    const { last } = this;
    if (!last || last.chatId !== chatId || last.state === "stopped") return false;
    return sameLine(last.check, check) && !last.isEdited && sameFiles(last.files, files);
  }

  /** Files that decide what the check runs, and that the user has not seen as they are now. */
  private async deciding(
    check: ChosenCheck,
    files: readonly ProposedFile[],
  ): Promise<readonly string[]> {
    const { runnerFiles } = this.sources;
    const proposed = files.flatMap(({ file, movedFrom }) => [
      file,
      ...(movedFrom ? [movedFrom] : []),
    ]);
    const own = proposed.map(({ path }) => path).filter((path) => runnerFiles.decides(path, check));
    const changed = await changedFiles(check.files, check, runnerFiles);
    return [...new Set([...own, ...changed])].sort();
  }

  private write(text: string, before = this.written): void {
    this.written = (before + text).slice(-MOST_OUTPUT);
    this.sources.written();
  }

  private become(next: Checked): void {
    this.last = next;
    this.changes.fire();
  }
}

function begun(chatId: string, check: ChosenCheck, files: readonly ProposedFile[]): Checked {
  return {
    ...{ chatId, check, files, state: "none", isEdited: false },
    ...{ deciding: [], outcome: null, run: 0, needed: null, breaking: null },
  };
}

function sameLine(a: ChosenCheck, b: ChosenCheck): boolean {
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
        file.text === other.text
      );
    })
  );
}

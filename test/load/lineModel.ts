/** A change of the proposal: the lines it takes out of the file and those it puts in. */
export interface Hunk {
  readonly id: string;
  real: string[];
  proposed: string[];
  state: "pending" | "accepted" | "rejected";
  /** The user typed in its lines of the file. */
  conflict: boolean;
  /** The user typed in its lines of the proposal. */
  typedInProposal: boolean;
}

/** A run of lines on which both sides agree, or a hunk. */
type Part =
  | { readonly kind: "same"; line: string }
  | { readonly kind: "hunk"; readonly hunk: Hunk };

/**
 * A block of the model's answer: the 1-based lines it replaces (`start` > `end` inserts before
 * `start`) and what it writes.
 */
export interface PlannedBlock {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * What a file and its proposal are by the rules alone, as lines; knows nothing of how Graft works.
 */
export class LineModel {
  private parts: Part[] = [];
  private lastId = 0;

  constructor(base: readonly string[], blocks: readonly PlannedBlock[]) {
    const sorted = [...blocks].sort((a, b) => a.start - b.start);
    let next = 1;
    for (const { start, end, lines } of sorted) {
      this.same(base.slice(next - 1, start - 1));
      this.parts.push({ kind: "hunk", hunk: this.hunk(base.slice(start - 1, end), lines) });
      next = Math.max(start, end + 1);
    }
    this.same(base.slice(next - 1));
  }

  get real(): string[] {
    return this.parts.flatMap((part) => (part.kind === "same" ? [part.line] : part.hunk.real));
  }

  get proposed(): string[] {
    return this.parts.flatMap((part) => (part.kind === "same" ? [part.line] : part.hunk.proposed));
  }

  get hunks(): Hunk[] {
    return this.parts.flatMap((part) => (part.kind === "hunk" ? [part.hunk] : []));
  }

  get pending(): Hunk[] {
    return this.hunks.filter(({ state }) => state === "pending");
  }

  /** 0-based line of the proposal where a hunk begins. */
  proposedStart(hunk: Hunk): number {
    let line = 0;
    for (const part of this.parts) {
      if (part.kind === "hunk" && part.hunk === hunk) return line;
      line += part.kind === "same" ? 1 : part.hunk.proposed.length;
    }
    return line;
  }

  /**
   * 0-based lines of the file that lie in no hunk and at none's border, an empty last one left out.
   */
  freeRealLines(): number[] {
    return this.real.flatMap((_line, at) => (this.isFree(at) ? [at] : []));
  }

  /** 0-based lines of the file that lie in a hunk still to be decided. */
  contestedRealLines(): number[] {
    return this.real.flatMap((_line, at) => (this.hunkOfReal(at)?.state === "pending" ? [at] : []));
  }

  /** The user typed `marker` at the end of a line of the file. */
  typeInReal(at: number, marker: string): void {
    const hunk = this.hunkOfReal(at);
    if (!hunk) {
      const part = this.partOfReal(at);
      if (part?.kind === "same") part.line += marker;
      return;
    }
    const first = this.real.findIndex((_line, index) => this.hunkOfReal(index) === hunk);
    hunk.real[at - first] += marker;
    hunk.conflict = true;
  }

  /**
   * The user typed `marker` at the end of a line of the complete proposal that lies in no hunk;
   * names it by the file's line.
   */
  typeBesideHunks(at: number, marker: string): void {
    const index = this.parts.indexOf(this.partOfReal(at) ?? { kind: "same", line: "" });
    const part = this.parts[index];
    if (part?.kind !== "same") throw new Error(`Line ${at + 1} lies in a hunk.`);
    const hunk = this.hunk([part.line], [part.line + marker]);
    hunk.typedInProposal = true;
    this.parts[index] = { kind: "hunk", hunk };
  }

  /** The user typed `marker` at the end of a line that the proposal adds. */
  typeInHunk(hunk: Hunk, line: number, marker: string): void {
    hunk.proposed[line] += marker;
    hunk.typedInProposal = true;
  }

  /** Takes hunks over; the result takes that back. */
  accept(hunks: readonly Hunk[]): () => void {
    const before = hunks.map((hunk) => ({ hunk, real: hunk.real }));
    for (const hunk of hunks) Object.assign(hunk, { real: [...hunk.proposed], state: "accepted" });
    return () => {
      for (const { hunk, real } of before) Object.assign(hunk, { real, state: "pending" });
    };
  }

  reject(hunks: readonly Hunk[]): void {
    for (const hunk of hunks) Object.assign(hunk, { proposed: [...hunk.real], state: "rejected" });
  }

  private same(lines: readonly string[]): void {
    this.parts.push(...lines.map((line) => ({ kind: "same" as const, line })));
  }

  private hunk(real: readonly string[], proposed: readonly string[]): Hunk {
    const id = `hunk ${++this.lastId}`;
    return {
      id,
      real: [...real],
      proposed: [...proposed],
      state: "pending",
      conflict: false,
      typedInProposal: false,
    };
  }

  private partOfReal(at: number): Part | null {
    let line = 0;
    for (const part of this.parts) {
      line += part.kind === "same" ? 1 : part.hunk.real.length;
      if (at < line) return part;
    }
    return null;
  }

  private hunkOfReal(at: number): Hunk | null {
    const part = this.partOfReal(at);
    return part?.kind === "hunk" ? part.hunk : null;
  }

  /** Two lines away from every hunk: there is no doubt what belongs to what. */
  private isFree(at: number): boolean {
    const index = this.parts.indexOf(this.partOfReal(at) ?? { kind: "same", line: "" });
    const around = this.parts.slice(Math.max(0, index - 2), index + 3);
    const part = this.parts[index];
    return part?.kind === "same" && part.line !== "" && around.every(({ kind }) => kind === "same");
  }
}

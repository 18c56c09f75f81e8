import assert from "node:assert/strict";
import fc from "fast-check";
import { decisionEvents } from "../../../../src/agent/chat/decisionEvents.ts";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import { applyEdits, editsBetween } from "../../../../src/edits/text/changeSet.ts";
import { pendingFiles } from "../../../../src/host/panel/pendingFiles.ts";
import type { PendingFile } from "../../../../src/protocol/messages.ts";
import type { EditStatus } from "../../../../src/turns/editBlock.ts";
import type { TurnEventBody } from "../../../../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";
import { acceptedCount, totalsOf } from "../../../../webview/cards/fileTotals.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { TurnScript } from "../../../fakes/turns/turnScript.ts";

const BASE = "one\ntwo\nthree\nfour\nfive\nsix\n";

/** What a user, a model, a command or a restart does; the numbers choose where. */
const WALK = [
  "propose",
  "propose",
  "propose late",
  "supersede",
  "restore",
  "command",
  "accept",
  "accept all",
  "overwrite",
  "reject",
  "type in the file",
  "type in a hunk",
  "type in the proposal",
  "save",
  "undo",
  "lose",
  "restart",
] as const;

/** The review of one file, and the record of the turn that wrote it, as the card shows it. */
class Walk {
  state = new ReviewState(BASE);
  readonly tree = emptyTree();
  /** The blocks of which a hunk was ever accepted, and rejected. */
  readonly accepted = new Set<string>();
  readonly rejected = new Set<string>();
  /** True once the user has typed in the proposal. */
  hasTyped = false;
  private readonly turnId: string;
  private readonly earlier: string[] = [BASE];
  /** What the model itself wrote last, and knows of. */
  private looked = BASE;
  private lines = 0;
  private blocks = 0;

  constructor() {
    const script = new TurnScript().ask("Go").text("Look.");
    for (const event of script.events) applyTurnEvent(this.tree, event);
    this.turnId = script.events.at(-1)?.turnId ?? "";
  }

  step(event: (typeof WALK)[number], at: number, size: number): void {
    const { state } = this;
    const hunks = state.hunks();
    const hunk = hunks[at % Math.max(1, hunks.length)];
    if (event === "propose") this.write(at, size, null);
    else if (event === "propose late") this.write(at, size, null, this.looked);
    else if (event === "command") this.write(at, size, "call-1");
    else if (event === "accept" && hunk) this.accept([hunk.id], false);
    else if (event === "accept all")
      this.accept(
        hunks.map(({ id }) => id),
        false,
      );
    else if (event === "overwrite" && hunk) this.accept([hunk.id], true);
    else if (event === "reject" && hunk) {
      state.reject([hunk.id]);
      for (const id of hunk.blockIds) this.rejected.add(id);
    } else if (event === "type in the file") this.fileBecomes(this.changed(state.real, at, size));
    else if (event === "type in a hunk" && hunk)
      this.fileBecomes(this.changed(state.real, hunk.real.start, 1));
    else if (event === "type in the proposal" && this.blocks > 0) {
      this.hasTyped = true;
      const text = this.changed(state.proposed, at, size);
      state.userEdited("proposed", editsBetween(state.proposed, text), text);
      // As the diff's own arrow does.
      for (const { blockId, status } of state.outcomes())
        if (status === "rejected") this.rejected.add(blockId);
    } else if (event === "save") state.saved(state.real);
    else if (event === "undo") this.fileBecomes(this.earlier[at % this.earlier.length] ?? BASE);
    else if (event === "lose") this.lose();
    else if (event === "restart") this.state = ReviewState.from(state.record());
    else if (event === "supersede" && hunk)
      this.write(hunk.proposed.start, Math.max(1, hunk.proposed.end - hunk.proposed.start), null);
    else if (event === "restore" && hunk) {
      const { start, end } = hunk.realRange;
      this.put(hunk.proposedRange, state.real.slice(start, end), size % 2 ? "call-2" : null);
    }
    this.tell();
  }

  /** The card's, the bar's and the diff's counts, and what their words say of each block. */
  seen() {
    const { state, turn } = this;
    const review = {
      ...{ path: "a.ts", streaming: false, reviewedBlocks: [] },
      hunks: () => state.hunks(),
      outcomes: () => state.outcomes(),
    };
    const [bar = null] = pendingFiles([review], []);
    return { card: totalsOf(turn.edits.values()), bar, hunks: state.hunks(), turn };
  }

  private get turn() {
    const turn = this.tree.turns.get(this.turnId);
    assert.ok(turn?.role === "agent");
    return turn;
  }

  private accept(ids: readonly string[], overwrite: boolean): void {
    const plan = this.state.planAccept(ids, overwrite);
    for (const id of plan.blockIds) this.accepted.add(id);
    this.state.commit(plan);
    this.earlier.push(this.state.real);
  }

  /** The file is opened again without what was not saved; what it has counts as accepted. */
  private lose(): void {
    const { state, turn } = this;
    state.reopened(state.unsaved?.text ?? state.real);
    for (const { blockId, status } of state.outcomes())
      if (status === "applied" && !GONE.has(turn.edits.get(blockId)?.status ?? "pending"))
        this.accepted.add(blockId);
  }

  private fileBecomes(text: string): void {
    this.state.userEdited("real", editsBetween(this.state.real, text), text);
    this.earlier.push(this.state.real);
  }

  /** A text with other lines of the user's. */
  private changed(text: string, at: number, size: number): string {
    const lines = text.split("\n");
    const from = at % Math.max(1, lines.length - 1);
    lines.splice(from, size % 3, ...(size % 2 ? [`mine ${this.lines++}`] : []));
    return lines.join("\n");
  }

  /** Another message, or a command of this call, writes one block. */
  private write(
    at: number,
    size: number,
    command: string | null,
    seen = this.state.proposed,
  ): void {
    const lines = seen.split(/(?<=\n)/);
    const first = at % Math.max(1, lines.length);
    const start = lines.slice(0, first).join("").length;
    const end = lines.slice(0, first + (size % 3)).join("").length;
    const news = Array.from({ length: 1 + (size % 2) }, () => `new ${this.lines++}\n`).join("");
    this.put({ start, end }, news, command, seen);
  }

  private put(
    { start, end }: { readonly start: number; readonly end: number },
    lines: string,
    command: string | null,
    seen = this.state.proposed,
  ): void {
    const { state } = this;
    const text = seen.slice(0, start) + lines + seen.slice(end);
    if (command === null) this.looked = text;
    state.beginMessage(seen, command);
    const blockId = `block-${this.blocks++}`;
    const block = { blockId, start, end: start + lines.length, warnings: [] };
    state.propose({ text, blocks: text === seen ? [] : [block] });
    if (text === seen) return;
    const place = { op: "replace", step: 0, textStart: 0, textEnd: 0 } as const;
    const waits = { status: "pending", reason: null, warnings: [] } as const;
    const counts = { index: 1, addedLines: 0, removedLines: 0 };
    const edit = { blockId, callId: "call", path: "a.ts", target: "lines", ...counts };
    this.record({ type: "edit-update", edit: { ...edit, ...place, ...waits } });
  }

  /** What became of the blocks goes on record, as the chat has it. */
  private tell(): void {
    for (const event of decisionEvents(this.turn, "a.ts", this.state.outcomes(), null))
      this.record(event);
  }

  private record(body: TurnEventBody): void {
    applyTurnEvent(this.tree, { seq: this.tree.lastSeq + 1, turnId: this.turnId, at: 0, ...body });
  }
}

const GONE: ReadonlySet<EditStatus> = new Set(["withdrawn", "superseded"]);
const WAITING: ReadonlySet<EditStatus> = new Set(["pending", "conflict"]);

function check(walk: Walk): void {
  const { state } = walk;
  const { card, bar, hunks, turn } = walk.seen();
  // The bar counts what the diff shows, and that is the way from the file to the proposal.
  const none: Pick<PendingFile, "hunks" | "conflicts"> = { hunks: 0, conflicts: 0 };
  const { hunks: shown, conflicts } = bar ?? none;
  assert.deepEqual(
    [shown, conflicts],
    [hunks.length, hunks.filter(({ conflict }) => conflict).length],
  );
  const edits = hunks.map(({ realRange, proposedRange }) => ({
    ...realRange,
    newText: state.proposed.slice(proposedRange.start, proposedRange.end),
  }));
  assert.equal(applyEdits(edits, state.real), state.proposed);
  // The card's blocks are those of the hunks, and its words are what became of them.
  for (const { blockId, status, reason } of turn.edits.values()) {
    const own = hunks.filter(({ blockIds }) => blockIds.includes(blockId));
    assert.equal(WAITING.has(status), own.length > 0, `${blockId} is ${status}`);
    const [isAccepted, isRejected] = [walk.accepted.has(blockId), walk.rejected.has(blockId)];
    if (own.length === 0 && isRejected && !isAccepted) assert.equal(status, "rejected");
    if (status === "partly-applied") assert.ok(isAccepted && isRejected, blockId);
    if (status === "applied" && reason === null) assert.ok(isAccepted, blockId);
    const isConflict = own.some(({ conflict }) => conflict);
    assert.equal(status === "conflict", isConflict, `${blockId} is ${status}`);
  }
  assert.equal(
    card.undecided > 0,
    hunks.some(({ blockIds }) => blockIds.length > 0),
  );
  if (bar) assert.equal(acceptedCount(card), bar.accepted);
  // Where nothing of a waiting block is decided, the card counts the lines of the diff.
  const untouched = new Set(
    state.outcomes().flatMap(({ blockId, part }) => (part === undefined ? [] : [blockId])),
  );
  const counted = [...turn.edits.values()].filter(({ blockId }) => untouched.has(blockId));
  const own = hunks.filter(({ blockIds }) => untouched.has(blockIds.at(-1) ?? ""));
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  assert.deepEqual(
    [
      sum(counted.map(({ addedLines }) => addedLines)),
      sum(counted.map(({ removedLines }) => removedLines)),
    ],
    [
      sum(own.map(({ proposed }) => proposed.end - proposed.start)),
      sum(own.map(({ real }) => real.end - real.start)),
    ],
  );
  if (!walk.hasTyped) assert.equal(state.userDiff(), null);
  // A restart says the same.
  const again = ReviewState.from(state.record());
  assert.deepEqual(again.outcomes(), state.outcomes());
}

describe("a file's review, whatever happens to it", () => {
  it("is counted the same by the card, the bar and the diff, in words that are true", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ event: fc.constantFrom(...WALK), at: fc.nat(20), size: fc.nat(5) }), {
          maxLength: 14,
        }),
        (steps) => {
          const walk = new Walk();
          for (const { event, at, size } of steps) {
            walk.step(event, at, size);
            check(walk);
          }
        },
      ),
      { numRuns: campaignRuns(250, 20_000) },
    );
  });
});

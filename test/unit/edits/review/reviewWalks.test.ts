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

/** What a user, two chats, commands, another window or a crash do; the numbers choose where. */
const WALK = [
  "propose",
  "propose",
  "propose late",
  "supersede",
  "restore",
  "command",
  "other chat",
  "other chat late",
  "other chat's command",
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
  "crash",
  "other window",
] as const;

/** The review of one file, and the records of the turns that wrote it, as their cards show it. */
class Walk {
  state = new ReviewState(BASE);
  readonly tree = emptyTree();
  /** The blocks of which a hunk was ever accepted, and rejected. */
  readonly accepted = new Set<string>();
  readonly rejected = new Set<string>();
  /** True once the user has typed in the proposal. */
  hasTyped = false;
  private readonly turnIds: readonly string[];
  private readonly earlier: string[] = [BASE];
  /** What the model of each chat wrote last, and knows of. */
  private readonly looked = [BASE, BASE];
  private onDisk = BASE;
  private lines = 0;
  private blocks = 0;

  constructor() {
    const script = new TurnScript().ask("Go").text("Look.").end().ask("Here, too").text("Look.");
    for (const event of script.events) applyTurnEvent(this.tree, event);
    this.turnIds = [...this.tree.turns].flatMap(([id, { role }]) => (role === "agent" ? [id] : []));
  }

  step(event: (typeof WALK)[number], at: number, size: number): void {
    const { state } = this;
    const hunks = state.hunks();
    const hunk = hunks[at % Math.max(1, hunks.length)];
    if (event === "propose") this.write(at, size, 0, null);
    else if (event === "propose late") this.write(at, size, 0, null, this.looked[0]);
    else if (event === "command") this.write(at, size, 0, "call-1");
    else if (event === "other chat") this.write(at, size, 1, null);
    else if (event === "other chat late") this.write(at, size, 1, null, this.looked[1]);
    else if (event === "other chat's command") this.write(at, size, 1, "call-3");
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
    } else if (event === "save") this.save();
    else if (event === "undo") this.fileBecomes(this.earlier[at % this.earlier.length] ?? BASE);
    else if (event === "lose") this.lose();
    else if (event === "restart") this.restart();
    else if (event === "crash") this.crash();
    else if (event === "other window") {
      this.restart();
      if (hunk) this.accept([hunk.id], false);
      this.save();
      this.restart();
    } else if (event === "supersede" && hunk) {
      const lines = Math.max(1, hunk.proposed.end - hunk.proposed.start);
      this.write(hunk.proposed.start, lines, 0, null);
    } else if (event === "restore" && hunk) {
      const { start, end } = hunk.realRange;
      const text = state.real.slice(start, end);
      this.put(hunk.proposedRange, text, at % 2, size % 2 ? "call-2" : null);
    }
    this.tell();
  }

  /** The cards', the bar's and the diff's counts, and what their words say of each block. */
  seen() {
    const { state, turns } = this;
    const review = {
      ...{ path: "a.ts", streaming: false, reviewedBlocks: [] },
      hunks: () => state.hunks(),
      outcomes: () => state.outcomes(),
    };
    const [bar = null] = pendingFiles([review], []);
    const cards = turns.map(({ edits }) => ({ edits, totals: totalsOf(edits.values()) }));
    return { cards, bar, hunks: state.hunks() };
  }

  private get turns() {
    return this.turnIds.map((id) => {
      const turn = this.tree.turns.get(id);
      assert.ok(turn?.role === "agent");
      return turn;
    });
  }

  private accept(ids: readonly string[], overwrite: boolean): void {
    const plan = this.state.planAccept(ids, overwrite);
    for (const id of plan.blockIds) this.accepted.add(id);
    this.state.commit(plan);
    this.earlier.push(this.state.real);
  }

  private save(): void {
    this.state.saved(this.state.real);
    this.onDisk = this.state.real;
  }

  private restart(): void {
    this.state = ReviewState.from(this.state.record());
  }

  /** The host is gone, and with it what was not saved. */
  private crash(): void {
    this.restart();
    if (this.state.unsaved) this.reopen(this.onDisk);
    else this.fileBecomes(this.onDisk);
  }

  /** The file is opened again without what was not saved. */
  private lose(): void {
    this.reopen(this.state.unsaved?.text ?? this.state.real);
  }

  /** What the file has counts as accepted. */
  private reopen(text: string): void {
    this.state.reopened(text);
    const shown = new Map(this.turns.flatMap(({ edits }) => [...edits]));
    for (const { blockId, status } of this.state.outcomes())
      if (status === "applied" && !GONE.has(shown.get(blockId)?.status ?? "pending"))
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
    chat: number,
    command: string | null,
    seen = this.state.proposed,
  ): void {
    const lines = seen.split(/(?<=\n)/);
    const first = at % Math.max(1, lines.length);
    const start = lines.slice(0, first).join("").length;
    const end = lines.slice(0, first + (size % 3)).join("").length;
    const news = Array.from({ length: 1 + (size % 2) }, () => `new ${this.lines++}\n`).join("");
    this.put({ start, end }, news, chat, command, seen);
  }

  private put(
    { start, end }: { readonly start: number; readonly end: number },
    lines: string,
    chat: number,
    command: string | null,
    seen = this.state.proposed,
  ): void {
    const { state } = this;
    const text = seen.slice(0, start) + lines + seen.slice(end);
    if (command === null) this.looked[chat] = text;
    state.beginMessage(seen, command);
    const blockId = `block-${this.blocks++}`;
    const block = { blockId, start, end: start + lines.length, warnings: [] };
    state.propose({ text, blocks: text === seen ? [] : [block] });
    if (text === seen) return;
    const place = { op: "replace", step: 0, textStart: 0, textEnd: 0 } as const;
    const waits = { status: "pending", reason: null, warnings: [] } as const;
    const counts = { index: 1, addedLines: 7, removedLines: 7 };
    const edit = { blockId, callId: "call", path: "a.ts", target: "lines", ...counts };
    this.record(chat, { type: "edit-update", edit: { ...edit, ...place, ...waits } });
  }

  /** What became of the blocks goes on record, as the chats have it. */
  private tell(): void {
    for (const [chat, turn] of this.turns.entries())
      for (const event of decisionEvents(turn, "a.ts", this.state.outcomes(), null))
        this.record(chat, event);
  }

  private record(chat: number, body: TurnEventBody): void {
    const turnId = this.turnIds[chat] ?? "";
    applyTurnEvent(this.tree, { seq: this.tree.lastSeq + 1, turnId, at: 0, ...body });
  }
}

const GONE: ReadonlySet<EditStatus> = new Set(["withdrawn", "superseded"]);
const WAITING: ReadonlySet<EditStatus> = new Set(["pending", "conflict"]);

function check(walk: Walk): void {
  const { state } = walk;
  const { cards, bar, hunks } = walk.seen();
  const all = cards.flatMap(({ edits }) => [...edits.values()]);
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
  // The cards' blocks are those of the hunks, and their words are what became of them.
  for (const { blockId, status, reason } of all) {
    const own = hunks.filter(({ blockIds }) => blockIds.includes(blockId));
    assert.equal(WAITING.has(status), own.length > 0, `${blockId} is ${status}`);
    const [isAccepted, isRejected] = [walk.accepted.has(blockId), walk.rejected.has(blockId)];
    if (own.length === 0 && isRejected && !isAccepted) assert.equal(status, "rejected");
    if (status === "partly-applied") assert.ok(isAccepted && isRejected, blockId);
    if (status === "applied" && reason === null) assert.ok(isAccepted, blockId);
    const isConflict = own.some(({ conflict }) => conflict);
    assert.equal(status === "conflict", isConflict, `${blockId} is ${status}`);
  }
  for (const { edits, totals } of cards)
    assert.equal(
      totals.undecided > 0,
      hunks.some(({ blockIds }) => blockIds.some((id) => edits.has(id))),
    );
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  if (bar) assert.equal(sum(cards.map(({ totals }) => acceptedCount(totals))), bar.accepted);
  const added = cards.reduce((total, { totals }) => total + totals.added, 0);
  const own = hunks.filter(({ blockIds }) => blockIds.length > 0);
  if (walk.accepted.size + walk.rejected.size === 0)
    assert.equal(added, sum(own.map(({ proposed }) => proposed.end - proposed.start)));
  // Where nothing of a waiting block is decided, the cards count the lines of the diff.
  const untouched = new Set(
    state.outcomes().flatMap(({ blockId, part }) => (part === undefined ? [] : [blockId])),
  );
  const counted = all.filter(({ blockId }) => untouched.has(blockId));
  const open = hunks.filter(({ blockIds }) => untouched.has(blockIds.at(-1) ?? ""));
  assert.deepEqual(
    [
      sum(counted.map(({ addedLines }) => addedLines)),
      sum(counted.map(({ removedLines }) => removedLines)),
    ],
    [
      sum(open.map(({ proposed }) => proposed.end - proposed.start)),
      sum(open.map(({ real }) => real.end - real.start)),
    ],
  );
  if (!walk.hasTyped) assert.equal(state.userDiff(), null);
  // A restart says the same.
  const again = ReviewState.from(state.record());
  assert.deepEqual(again.outcomes(), state.outcomes());
}

describe("a file's review, whatever happens to it", () => {
  it("is counted the same by the cards, the bar and the diff, in words that are true", () => {
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

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { Chat } from "../../../../src/agent/chat/chat.ts";
import { ok } from "../../../../src/base/result.ts";
import { untilAborted } from "../../../../src/base/untilAborted.ts";
import { ChangeJournal } from "../../../../src/edits/history/changeJournal.ts";
import { MessageInbox, type SentMessage } from "../../../../src/host/panel/messageInbox.ts";
import type { ModelClient, ModelRequest } from "../../../../src/model/modelClient.ts";
import { abortedError } from "../../../../src/model/modelFailure.ts";
import type { StreamPart } from "../../../../src/model/streamPart.ts";
import {
  createNodeEventLogStorage,
  createNodeSmallFiles,
} from "../../../../src/node/storage/nodeEventLog.ts";
import type { EventLogStorage, SmallFile, SmallFiles } from "../../../../src/ports/eventLog.ts";
import type { ReviewOrigin } from "../../../../src/ports/review.ts";
import { OpenChats } from "../../../../src/review/chats/openChats.ts";
import { recordReviews } from "../../../../src/review/chats/recordReviews.ts";
import { guestJournals } from "../../../../src/review/storage/guestJournals.ts";
import { ProposalStore } from "../../../../src/review/storage/proposalStore.ts";
import type { AgentTurn } from "../../../../src/turns/turn.ts";
import { TurnStore } from "../../../../src/turns/turnStore.ts";
import { allowAll } from "../../../fakes/allowAll.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { noSyntax } from "../../../fakes/editor/noSyntax.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { StoredReviewer } from "../../../fakes/review/storedReviewer.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";
import { memoryWorkspace } from "../../../fakes/workspace/memoryWorkspace.ts";

const CHATS = Array.from({ length: 10 }, (_, at) => `chat-${at}`);
const FILES = ["a.txt", "b.txt", "c.txt"];
const LINES = 8;

/** A block that a chat was told is pending, by the line that it writes. */
interface Proposed {
  readonly origin: ReviewOrigin;
  readonly path: string;
  readonly blockId: string;
  readonly text: string;
}

/** A message that the panel keeps until the host has said whether it has it. */
interface Sent {
  readonly chatId: string;
  readonly text: string;
  refused: boolean | null;
}

/** What outlives the host: the disk, the user's files, and what the panel keeps. */
class Machine {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "graft-lives-"));
  readonly files = new Map(
    FILES.map((name) => [
      name,
      `${Array.from({ length: LINES }, (_, at) => `line ${at + 1}`).join("\n")}\n`,
    ]),
  );
  readonly clock = new ManualClock();
  readonly ended = new Set<string>();
  readonly memory = new Map<string, unknown>();
  readonly sent = new Map<string, Sent>();
  readonly proposed: Proposed[] = [];
  /** What the user accepted, and rejected, of {@link proposed}. */
  readonly accepted = new Set<string>();
  readonly rejected = new Set<string>();
  hosts = 0;
  /** What killed hosts still do: none of it may have an effect. */
  readonly dying: Promise<void>[] = [];

  /** What a host has of the disk: once it is dead, nothing more that it begins to write comes. */
  storage(isDead: () => boolean) {
    const gone = () => Promise.reject(new Error("the host is dead"));
    const file = (each: SmallFile): SmallFile => ({
      read: () => each.read(),
      create: (text) => (isDead() ? gone() : each.create(text)),
      write: (text) => (isDead() ? gone() : each.write(text)),
      remove: () => (isDead() ? gone() : each.remove()),
      setAside: async () => assert.fail("nothing is damaged"),
    });
    const log = (name: string): EventLogStorage => {
      const all = createNodeEventLogStorage(path.join(this.folder, name));
      return {
        list: () => all.list(),
        open(chatId) {
          const own = all.open(chatId);
          return {
            read: () => own.read(),
            append: (lines) => (isDead() ? gone() : own.append(lines)),
          };
        },
        claim: (chatId) => file(all.claim(chatId)),
        remove: (chatId) => all.remove(chatId),
        index: file(all.index),
      };
    };
    const small = (name: string): SmallFiles => {
      const all = createNodeSmallFiles(path.join(this.folder, name));
      return {
        ...{ place: all.place, list: () => all.list(), version: (each) => all.version(each) },
        open: (each) => file(all.open(each)),
      };
    };
    return {
      ...{ chats: log("chats"), journals: log("journals") },
      ...{ decisions: small("decisions"), proposals: small("proposals") },
    };
  }
}

/** One extension host of the window. What it began goes on after a kill, and must have no effect. */
class Host {
  readonly logger = new RecordingLogger();
  readonly held: (() => void)[] = [];
  isFree = false;
  isDead = false;
  readonly machine: Machine;
  chats!: OpenChats<Chat>;
  reviewer!: StoredReviewer;
  private inbox!: MessageInbox<Chat>;
  private store!: ProposalStore;
  private closeReviews: () => void = () => undefined;
  private readonly name: string;

  private constructor(machine: Machine) {
    this.machine = machine;
    this.name = `host-${++machine.hosts}`;
  }

  static async open(machine: Machine): Promise<Host> {
    const host = new Host(machine);
    await machine.clock.until(host.begin());
    for (const [id, sent] of machine.sent) if (sent.refused === null) host.receive(id, sent, true);
    return host;
  }

  private async begin(): Promise<void> {
    const { machine, logger } = this;
    const { clock, files, memory } = machine;
    const { chats, journals, decisions, proposals } = machine.storage(() => this.isDead);
    const lease = { host: hostNamed(this.name, machine.ended), clock };
    let opened: (chats: OpenChats<Chat>) => void = () => undefined;
    const first = new Promise<OpenChats<Chat>>((resolve) => {
      opened = resolve;
    });
    const reviews = recordReviews(
      ...([first, journals, guestJournals(journals, logger), decisions, logger, clock] as const),
    );
    this.closeReviews = () => reviews.dispose();
    this.store = new ProposalStore(proposals, logger, ({ detail }) => this.fault(detail), lease);
    this.reviewer = new StoredReviewer(this.store, files, reviews);
    await this.reviewer.load();
    const client: ModelClient = {
      baseUrl: "http://model.invalid/v1",
      stream: (request, signal) => this.answer(request, signal),
    };
    const { reviewer } = this;
    this.chats = await OpenChats.open<Chat>({
      storage: chats,
      memory: {
        get: (key) => memory.get(key),
        update: async (key, value) => void (this.isDead || memory.set(key, value)),
      },
      lease,
      asking: () => undefined,
      taken: () => undefined,
      openChat: (chatId, log, guard) =>
        Chat.open({
          ...{ chatId, log, logger, approval: allowAll, syntax: noSyntax, tools: [] },
          reviewer: this.recording(reviewer),
          workspace: memoryWorkspace(files),
          journal: new ChangeJournal(guard(journals.open(chatId)), logger),
          connect: async () => ok({ client, model: "model", info: null }),
          maxSteps: () => 10,
          activeFile: () => null,
        }),
    });
    opened(this.chats);
    this.inbox = new MessageInbox<Chat>(
      this.chats,
      async ({ text, id }, chat) => ({ done: chat.send(text, [], false, id).then(() => false) }),
      (error) => this.fault(String(error)),
    );
  }

  /** A host that was killed writes where it may no longer. */
  private fault(detail: string): void {
    if (!this.isDead) assert.fail(detail);
  }

  /** Notes what the chats are told is pending. */
  private recording(reviewer: StoredReviewer): StoredReviewer {
    const noted = Object.create(reviewer) as StoredReviewer;
    noted.open = (snapshot, origin) => {
      const review = reviewer.open(snapshot, origin);
      return {
        ...review,
        propose: async (proposal, stopped) => {
          const outcome = await review.propose(proposal, stopped);
          for (const { blockId, status } of this.isDead ? [] : outcome.blocks) {
            const part = proposal.blocks.find((block) => block.blockId === blockId);
            const text = proposal.text.slice(part?.start, part?.end).trim();
            if (status === "pending")
              this.machine.proposed.push({ origin, path: snapshot.file.path, blockId, text });
          }
          return outcome;
        },
      };
    };
    return noted;
  }

  receive(id: string, sent: Sent, again = false): void {
    const { chatId, text } = sent;
    const message: SentMessage = {
      ...({ type: "send", chatId, id, text } as const),
      ...(again && { again: true as const }),
    };
    void this.inbox.receive(message, {
      isKnown: true,
      settled: (_, refused) => {
        if (!this.isDead) sent.refused = refused;
      },
    });
  }

  tick(at: number): void {
    if (this.held.length > 0) this.held.splice(at % this.held.length, 1)[0]?.();
  }

  async decide({ origin, blockId }: Proposed, accepts: boolean): Promise<void> {
    const keys = await this.reviewer.decide(origin, blockId, accepts);
    for (const key of keys) this.machine[accepts ? "accepted" : "rejected"].add(key);
  }

  async settle(): Promise<void> {
    this.isFree = true;
    for (let quiet = 0; quiet < 3; quiet++) {
      for (const release of this.held.splice(0)) release();
      await this.machine.clock.step();
      if (this.held.length > 0 || this.chats.all.some(({ busy }) => busy)) quiet = 0;
    }
    for (let look = 0; look < 4; look++) await this.machine.clock.step();
    await Promise.all([...this.chats.all.map((chat) => chat.flush()), this.store.idle()]);
  }

  /** The window closes in order. */
  async close(): Promise<void> {
    await this.machine.clock.until(
      Promise.all([this.chats.dispose(), this.store.idle().then(() => this.store.release())]),
    );
    this.closeReviews();
    this.isDead = true;
    this.machine.ended.add(this.name);
  }

  /** The host is killed: its timers stop, and what it was writing may still come. */
  kill(): void {
    this.isDead = true;
    this.closeReviews();
    this.machine.clock.stopTimers();
    this.machine.ended.add(this.name);
    this.isFree = true;
    for (const release of this.held.splice(0)) release();
    this.machine.dying.push(this.chats.dispose());
  }

  private async *answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart> {
    const users = request.messages.flatMap((each) => (each.role === "user" ? [each.text] : []));
    const named = users.findLast((text) => /^chat-\d+: /m.test(text)) ?? "";
    const [, chatId = "", what = ""] = /^(chat-\d+): (\w+ \d+)/m.exec(named) ?? [];
    for (const { text } of request.messages)
      for (const [other] of text.matchAll(/\bchat-\d+\b(?=: | wrote)/g))
        if (!this.isDead && /: /.test(text) && other !== chatId)
          assert.ok(/ wrote /.test(text), "a model hears of its own chat only");
    const from = request.messages.findLastIndex(
      (each) => each.role === "user" && each.text.includes(`${chatId}: ${what}`),
    );
    const step = request.messages.slice(from).filter(({ role }) => role === "assistant").length;
    for (const part of partsOf(chatId, what, step)) {
      const next = new Promise<void>((resolve) => {
        if (this.isFree) resolve();
        else this.held.push(resolve);
      });
      await untilAborted(next, signal);
      if (signal.aborted) {
        yield { type: "error", error: abortedError() };
        return;
      }
      yield part;
    }
  }
}

/** What the model says to a message in the step of its turn. */
function partsOf(chatId: string, what: string, step: number): readonly StreamPart[] {
  const [kind = "", digits = "0"] = what.split(" ");
  const number = Number(digits);
  const file = FILES[number % FILES.length] ?? "";
  const line = (number % LINES) + 1;
  if (kind === "edit" && step === 0)
    return [
      { type: "tool-call-start", callId: "call_1", name: "edit_mode" },
      {
        ...{ type: "tool-call-end", callId: "call_1", name: "edit_mode" },
        argsText: JSON.stringify({ file_path: file, use_line_numbers: true }),
      },
      { type: "finish", reason: "tool-calls" },
    ];
  if (kind === "edit" && step === 1)
    return [
      { type: "text-delta", text: `\`\`\`txt:${line}:${line} ${file}\n` },
      { type: "text-delta", text: `${chatId} wrote ${number}\n\`\`\`\n` },
      { type: "finish", reason: "stop" },
    ];
  return [
    { type: "text-delta", text: "Answer to " },
    { type: "text-delta", text: `${chatId} ${what}` },
    { type: "finish", reason: "stop" },
  ];
}

async function live(seed: number, steps: number): Promise<Machine> {
  const random = seededRandom(seed);
  const pick = <T>(from: readonly T[]): T | undefined => from[random(from.length)];
  const machine = new Machine();
  let host = await Host.open(machine);
  for (let step = 0; step < steps; step++) {
    const chatId = pick(CHATS) ?? "";
    const dice = random(100);
    if (dice < 25) {
      const text = `${chatId}: ${random(3) === 0 ? "talk" : "edit"} ${step}`;
      const id = `message-${step}`;
      const sent: Sent = { chatId, text, refused: null };
      machine.sent.set(id, sent);
      host.receive(id, sent);
    } else if (dice < 30) void host.chats.show(chatId);
    else if (dice < 34) host.chats.find(chatId)?.stop();
    else if (dice < 46) {
      const block = pick(machine.proposed);
      if (block) await machine.clock.until(host.decide(block, random(3) > 0));
    } else if (dice < 48) {
      await host.close();
      host = await Host.open(machine);
    } else if (dice < 51) {
      host.kill();
      // A system call ends before its process is gone.
      await machine.clock.step();
      host = await Host.open(machine);
    } else if (dice < 58) await machine.clock.step();
    else for (let part = 0; part < 4; part++) host.tick(random(1_000));
    for (let turn = random(4); turn > 0; turn--) await setImmediate();
  }
  await host.settle();
  await host.close();
  // What is on the disk counts.
  host = await Host.open(machine);
  await host.settle();
  await check(machine, host);
  await host.close();
  await machine.clock.until(Promise.allSettled(machine.dying));
  return machine;
}

async function check(machine: Machine, { chats, reviewer, logger }: Host): Promise<void> {
  for (const chatId of CHATS) await machine.clock.until(chats.show(chatId));
  const storage = machine.storage(() => false);
  const trees = new Map<string, TurnStore["tree"]>();
  for (const { name } of await storage.chats.list())
    trees.set(name, (await TurnStore.load(storage.chats.open(name), logger)).tree);
  for (const [id, { chatId, text, refused }] of machine.sent) {
    const holders = [...trees].flatMap(([name, tree]) => (tree.messages.has(id) ? [name] : []));
    assert.deepEqual(holders, refused ? [] : [chatId], `${text} is where it was sent`);
  }
  for (const [chatId, tree] of trees)
    for (const turn of tree.turns.values()) {
      if (turn.role !== "agent") continue;
      assert.notEqual(turn.endReason, null, "every turn is over");
      for (const part of turn.parts)
        for (const [named] of part.type === "text" ? part.text.matchAll(/chat-\d+/g) : [])
          assert.equal(named, chatId, "an answer is in its chat");
    }
  const proposals = new Map(reviewer.allPending().map(({ file, text }) => [file.path, text]));
  for (const { origin, path: file, blockId, text } of machine.proposed) {
    const turn = trees.get(origin.chatId)?.turns.get(origin.turnId);
    const edit = (turn as AgentTurn | undefined)?.edits.get(blockId);
    for (const [chatId, tree] of trees)
      if (chatId !== origin.chatId) assert.ok(!tree.turns.has(origin.turnId));
    const key = `${origin.turnId} ${blockId}`;
    const [onDisk, pending] = [machine.files.get(file) ?? "", proposals.get(file) ?? ""].map(
      (all) => all.split("\n").includes(text),
    );
    const line = Number(text.slice(text.lastIndexOf(" "))) % LINES;
    const isReplaced = machine.proposed
      .slice(machine.proposed.findIndex((each) => each.text === text) + 1)
      .some(
        (other) =>
          other.path === file &&
          Number(other.text.slice(other.text.lastIndexOf(" "))) % LINES === line,
      );
    if (machine.accepted.has(key)) assert.ok(onDisk || isReplaced, `${text} was accepted, is lost`);
    else if (!machine.rejected.has(key))
      assert.ok(onDisk || pending || isReplaced, `${text} was pending, and is lost`);
    // A kill may come between the proposal's record and the chat's.
    if (edit?.status === "pending") assert.ok(pending, `${text} is pending for its chat only`);
    if (edit?.status === "applied") assert.ok(machine.accepted.has(key), `${text} is not accepted`);
  }
}

describe("ten chats on one disk", () => {
  const runs = campaignRuns(2, 200);
  const steps = process.env.GRAFT_LONG ? 150 : 60;
  const first = Number(process.env.GRAFT_SEED ?? 1);
  for (let seed = first; seed < first + runs; seed++)
    it(`lose no text and mix none up over reloads and kills (${seed})`, async () => {
      const machine = await live(seed, steps);
      fs.rmSync(machine.folder, { recursive: true, force: true });
    });
});

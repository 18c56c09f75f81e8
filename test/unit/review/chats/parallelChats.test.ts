import assert from "node:assert/strict";
import { Chat } from "../../../../src/agent/chat/chat.ts";
import { ok } from "../../../../src/base/result.ts";
import { untilAborted } from "../../../../src/base/untilAborted.ts";
import { ChangeJournal } from "../../../../src/edits/history/changeJournal.ts";
import { MessageInbox, type SentMessage } from "../../../../src/host/panel/messageInbox.ts";
import { askedIn } from "../../../../src/host/panel/openRequests.ts";
import { PanelApproval } from "../../../../src/host/panel/panelApproval.ts";
import type { ModelClient, ModelRequest } from "../../../../src/model/modelClient.ts";
import { abortedError } from "../../../../src/model/modelFailure.ts";
import type { StreamPart } from "../../../../src/model/streamPart.ts";
import type { SmallFiles } from "../../../../src/ports/eventLog.ts";
import type { ReviewOrigin } from "../../../../src/ports/review.ts";
import { chatStates } from "../../../../src/review/chats/chatStates.ts";
import { type ChatTab, OpenChats } from "../../../../src/review/chats/openChats.ts";
import { recordReviews } from "../../../../src/review/chats/recordReviews.ts";
import { guestJournals } from "../../../../src/review/storage/guestJournals.ts";
import { PermissionGrants } from "../../../../src/tools/permissions/permissionGrants.ts";
import type { AgentTurn } from "../../../../src/turns/turn.ts";
import { TurnStore } from "../../../../src/turns/turnStore.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { noSyntax } from "../../../fakes/editor/noSyntax.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { MemoryEventLogStorage } from "../../../fakes/turns/memoryEventLogStorage.ts";
import { RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";
import { memoryWorkspace } from "../../../fakes/workspace/memoryWorkspace.ts";

const CHATS = Array.from({ length: 10 }, (_, at) => `chat-${at}`);
const FILES = ["a.txt", "b.txt", "c.txt"];

/** A block that a chat proposed, and what the user decided last. */
interface Proposed {
  readonly origin: ReviewOrigin;
  readonly path: string;
  readonly blockId: string;
  decided: "applied" | "rejected" | null;
}

/** Microtasks and immediates until all that was begun is over. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await new Promise((done) => setImmediate(done));
}

/** Files in memory, as windows leave decisions for one another. */
function memoryFiles(): SmallFiles {
  const texts = new Map<string, string>();
  return {
    place: "memory",
    list: async () => [...texts.keys()],
    version: async (name) => texts.get(name) ?? "",
    open: (name) => ({
      read: async () => texts.get(name) ?? null,
      async create(text) {
        if (texts.has(name)) return false;
        texts.set(name, text);
        return true;
      },
      write: async (text) => void texts.set(name, text),
      remove: async () => void texts.delete(name),
    }),
  };
}

/** A window with real chats over fake surroundings; the model's answers come when the test says. */
class World {
  readonly storage = new MemoryEventLogStorage();
  readonly journals = new MemoryEventLogStorage();
  readonly decisions = memoryFiles();
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly values = new Map<string, unknown>();
  /** What the model waits with. */
  readonly held: (() => void)[] = [];
  /** Each request with the chat whose message it answers. */
  readonly asked: { readonly chatId: string; readonly request: ModelRequest }[] = [];
  readonly proposed: Proposed[] = [];
  /** The turns whose tool ran, and the chats that the user allowed it in. */
  readonly ran: string[] = [];
  readonly allowed: string[] = [];
  readonly settled = new Map<string, boolean>();
  readonly tabs: ChatTab<Chat>[] = [];
  /** Set once all that is held is let go. */
  isFree = false;
  chats!: OpenChats<Chat>;
  approval = this.newApproval();
  private inbox!: MessageInbox<Chat>;
  private windows = 0;
  private closeReviews: () => void = () => undefined;
  reviews!: ReturnType<typeof recordReviews>;

  private newApproval(): PanelApproval {
    const memory = { get: () => undefined, update: async () => undefined };
    return new PanelApproval({
      trusted: () => true,
      policy: () => ({ write: "allow", rules: [], restrictions: [] }),
      grants: new PermissionGrants(memory),
      acceptAll: async () => true,
      saveFiles: async () => true,
    });
  }

  async open(): Promise<void> {
    const { clock, logger, storage, values } = this;
    const texts = new Map(FILES.map((name) => [name, "one\ntwo\n"]));
    const reviewer = new RecordingReviewer(async ({ blocks, text }) => ({
      text,
      blocks: blocks.map(({ blockId }) => ({ blockId, status: "pending", reason: null })),
    }));
    const openReview = reviewer.open.bind(reviewer);
    reviewer.open = (snapshot, origin) => {
      const review = openReview(snapshot, origin);
      return {
        ...review,
        propose: async (proposal, stopped) => {
          const path = snapshot.file.path;
          const outcome = await review.propose(proposal, stopped);
          for (const { blockId } of proposal.blocks)
            this.proposed.push({ origin, path, blockId, decided: null });
          return outcome;
        },
      };
    };
    this.approval = this.newApproval();
    const { approval } = this;
    const act = testTool(
      "act",
      async (_text, { turnId }) => {
        this.ran.push(turnId);
        return { ok: true, output: "done" };
      },
      "execute",
    );
    const client: ModelClient = {
      baseUrl: "http://model.invalid/v1",
      stream: (request, signal) => this.answer(request, signal),
    };
    this.chats = await clock.until(
      OpenChats.open<Chat>({
        storage,
        memory: {
          get: (key) => values.get(key),
          update: async (key, value) => void values.set(key, value),
        },
        lease: { host: hostNamed("window"), clock },
        asking: () => undefined,
        taken: () => assert.fail("no other window is there"),
        openChat: (chatId, log) =>
          Chat.open({
            ...{ chatId, log, logger, approval, reviewer, syntax: noSyntax, tools: [act] },
            workspace: memoryWorkspace(texts),
            journal: new ChangeJournal(this.journals.open(chatId), logger),
            connect: async () => ok({ client, model: "model", info: null }),
            maxSteps: () => 10,
            activeFile: () => null,
          }),
      }),
    );
    this.inbox = new MessageInbox<Chat>(
      this.chats,
      async ({ text, id }, chat) => ({ done: chat.send(text, [], false, id).then(() => false) }),
      (error) => assert.fail(String(error)),
    );
    this.reviews = recordReviews(
      Promise.resolve(this.chats),
      this.journals,
      guestJournals(this.journals, logger),
      this.decisions,
      logger,
      clock,
    );
    this.closeReviews = () => this.reviews.dispose();
    this.windows++;
  }

  /** Reloads the window: all turns end, and what comes later comes to nobody. */
  async reload(): Promise<void> {
    this.closeReviews();
    for (const tab of this.tabs.splice(0)) tab.dispose();
    await this.chats.dispose();
    await this.open();
  }

  send(chatId: string, text: string): void {
    const id = `message-${this.windows}-${text.replace(/\W+/g, "-")}`;
    const message: SentMessage = { type: "send", chatId, id, text };
    const panel = {
      isKnown: true,
      settled: (_: string, refused: boolean) => void this.settled.set(text, refused),
    };
    void this.inbox.receive(message, panel);
    // It comes again, as after a reload of the panel.
    void this.inbox.receive(message, panel);
  }

  /** Lets the model say one more part, to any of the chats that wait for it. */
  tick(at: number): void {
    if (this.held.length > 0) this.held.splice(at % this.held.length, 1)[0]?.();
  }

  decide(block: Proposed, status: "applied" | "rejected"): void {
    block.decided = status;
    const outcome = { blockId: block.blockId, status, reason: null };
    // Every event may come twice.
    for (const _ of [1, 2]) this.reviews.decided({ ...block.origin }, block.path, [outcome], null);
  }

  async settle(): Promise<void> {
    this.isFree = true;
    for (let round = 0; round < 200; round++) {
      for (const release of this.held.splice(0)) release();
      for (const { turnId, callId } of this.approval.open.all) {
        const chat = this.chats.ofTurn(turnId);
        if (chat) await this.allow(chat, callId, true);
      }
      await idle();
      const isBusy = this.chats.all.some(({ busy }) => busy);
      if (!isBusy && this.held.length === 0) break;
    }
    // Decisions that waited for a window are read at the next look.
    for (let look = 0; look < 4; look++) {
      this.clock.advance(1_000);
      await idle();
    }
    await Promise.all(this.chats.all.map((chat) => chat.flush()));
  }

  async allow(chat: Chat, callId: string, isAllowed: boolean): Promise<void> {
    if (isAllowed && askedIn(this.approval.open, chat).length > 0) this.allowed.push(chat.chatId);
    await this.approval.answer(chat, callId, isAllowed);
  }

  private async *answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart> {
    const users = request.messages.flatMap((each) => (each.role === "user" ? [each.text] : []));
    const last = users.findLastIndex((text) => /^chat-\d+: /m.test(text));
    const [, chatId = "", what = ""] = /^(chat-\d+): (\w+ \d+)/m.exec(users[last] ?? "") ?? [];
    this.asked.push({ chatId, request });
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

/** What the model says to a message in the step of its turn. All calls have the same id. */
function partsOf(chatId: string, what: string, step: number): readonly StreamPart[] {
  const [kind = "", number = "0"] = what.split(" ");
  const path = FILES[Number(number) % FILES.length] ?? "";
  const call = (name: string, args: unknown): readonly StreamPart[] => [
    { type: "tool-call-start", callId: "call_1", name },
    { type: "tool-call-end", callId: "call_1", name, argsText: JSON.stringify(args) },
    { type: "finish", reason: "tool-calls" },
  ];
  if (kind === "edit" && step === 0)
    return call("edit_mode", { file_path: path, use_line_numbers: true });
  if (kind === "edit" && step === 1)
    return [
      { type: "text-delta", text: `\`\`\`txt:1:1 ${path}\n` },
      { type: "text-delta", text: `${chatId} wrote ${what}\n\`\`\`\n` },
      { type: "finish", reason: "stop" },
    ];
  if (kind === "run" && step === 0) return call("act", { text: what });
  return [
    { type: "text-delta", text: "Answer to " },
    { type: "text-delta", text: `${chatId} ${what}` },
    { type: "finish", reason: "stop" },
  ];
}

const KINDS = ["talk", "edit", "run"] as const;

async function play(seed: number, steps: number): Promise<World> {
  const random = seededRandom(seed);
  const pick = <T>(from: readonly T[]): T | undefined => from[random(from.length)];
  const world = new World();
  await world.open();
  for (let step = 0; step < steps; step++) {
    const chatId = pick(CHATS) ?? "";
    const dice = random(100);
    if (dice < 20) world.send(chatId, `${chatId}: ${pick(KINDS)} ${step}`);
    else if (dice < 28) void world.chats.show(chatId);
    else if (dice < 30) world.chats.seen((await world.chats.startNew()).chatId);
    else if (dice < 34) world.chats.find(chatId)?.stop();
    else if (dice < 40) {
      const block = pick(world.proposed);
      if (block) world.decide(block, random(2) === 0 ? "applied" : "rejected");
    } else if (dice < 46) {
      const request = pick(world.approval.open.all);
      // The user answers where it is asked, and a late click is for a chat that asks nothing.
      const chat = (request && world.chats.ofTurn(request.turnId)) ?? world.chats.find(chatId);
      if (chat) await world.allow(chat, "call_1", random(3) > 0);
    } else if (dice < 49) {
      void world.chats.hold(chatId, () => undefined).then((tab) => tab && world.tabs.push(tab));
    } else if (dice < 51) world.tabs.splice(0, 1)[0]?.dispose();
    else if (dice < 52) await world.reload();
    else if (dice < 60) await idle();
    else for (let part = 0; part < 3; part++) world.tick(random(1_000));
    if (random(3) === 0) await idle();
  }
  await world.settle();
  return world;
}

async function treeOf(world: World, chatId: string) {
  const { tree } = await TurnStore.load(world.storage.open(chatId), world.logger);
  return tree;
}

/** The user's messages in a chat: sent, given to a running turn, and queued. */
function messagesIn({ turns, queued }: Awaited<ReturnType<typeof treeOf>>): readonly string[] {
  const sent = [...turns.values()].flatMap((turn) => {
    if (turn.role === "user") return [turn.text];
    return turn.parts.flatMap((part) => (part.type === "user-message" ? [part.text] : []));
  });
  return [...sent, ...queued.map(({ text }) => text)].flatMap((text) => text.split("\n\n"));
}

describe("ten chats side by side", () => {
  const runs = campaignRuns(5, 12);
  const first = Number(process.env.GRAFT_SEED ?? 1);
  for (let seed = first; seed < first + runs; seed++)
    it(`lose no text and mix none up, whatever is sent, decided, stopped and shown (${seed})`, async () => {
      const world = await play(seed, 260);
      const all = (await world.storage.list()).map(({ name }) => name);
      const trees = new Map<string, Awaited<ReturnType<typeof treeOf>>>();
      for (const chatId of all) trees.set(chatId, await treeOf(world, chatId));
      for (const [text, isRefused] of world.settled) {
        const places = [...trees].flatMap(([chatId, tree]) =>
          messagesIn(tree)
            .filter((each) => each === text)
            .map(() => chatId),
        );
        const meant = text.slice(0, text.indexOf(":"));
        assert.deepEqual(places, isRefused ? [] : [meant], `${text} is where it was sent`);
      }
      for (const [chatId, tree] of trees) {
        const answers = [...tree.turns.values()].filter(
          (turn): turn is AgentTurn => turn.role === "agent",
        );
        for (const { parts, endReason } of answers) {
          assert.notEqual(endReason, null, "every turn is over");
          for (const part of parts)
            if (part.type === "text" && /chat-\d+/.test(part.text))
              assert.match(part.text, new RegExp(`${chatId}\\b`), "the answer is in its chat");
        }
      }
      for (const { origin, blockId, decided } of world.proposed) {
        const turn = trees.get(origin.chatId)?.turns.get(origin.turnId);
        const edit = turn?.role === "agent" ? turn.edits.get(blockId) : undefined;
        assert.ok(edit, "what was proposed is in its chat");
        if (decided) assert.equal(edit.status, decided, "its chat knows the last decision");
        for (const [chatId, tree] of trees)
          if (chatId !== origin.chatId) assert.ok(!tree.turns.has(origin.turnId));
      }
      for (const { chatId, request } of world.asked)
        for (const { text } of request.messages)
          for (const [named] of text.matchAll(/\bchat-\d+\b/g))
            assert.equal(named, chatId, "a model hears of its own chat only");
      const ran = world.ran.map(
        (turnId) => [...trees].find(([, tree]) => tree.turns.has(turnId))?.[0] ?? "",
      );
      const times = (ids: readonly string[], id: string) =>
        ids.filter((each) => each === id).length;
      // What was stopped after the answer did not run.
      for (const chatId of ran)
        assert.ok(times(ran, chatId) <= times(world.allowed, chatId), `${chatId} was allowed`);
      const { chats, approval } = world;
      assert.deepEqual(approval.open.all, [], "nothing is left unanswered");
      for (const { state, chatId } of chatStates(chats, []))
        assert.ok(state === "done" && !chats.isVisible(chatId));
      await chats.dispose();
    });
});

import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import type { Chat } from "../../../src/agent/chat/chat.ts";
import { english } from "../../../src/base/localize.ts";
import { ok } from "../../../src/base/result.ts";
import { branch } from "../../../src/turns/branch.ts";
import type { AgentTurn } from "../../../src/turns/turn.ts";
import { VoiceSession } from "../../../src/voice/voiceSession.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import {
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../fakes/model/modelServer.ts";
import { noise, words } from "../../fakes/sound.ts";
import { testTool } from "../../fakes/testTool.ts";
import { MemoryEventLog } from "../../fakes/turns/memoryEventLog.ts";
import { strictModel } from "../../fakes/turns/strictHistory.ts";
import { MemoryLine } from "../../fakes/voice/memoryLine.ts";
import { ScriptedVoice } from "../../fakes/voice/scriptedVoice.ts";
import { voiceChat } from "../../fakes/voice/voiceChat.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";
import { openChat } from "../agent/chat/chatHarness.ts";

const WORDS = words(400, -20);
const PAUSE = noise(800, -70);
const actions = [
  "say",
  "say",
  "say",
  "type",
  "type",
  "hear",
  "hear part",
  "hush",
  "stop",
  "edit",
  "switch",
  "reload",
  "unplug",
] as const;
type Action = (typeof actions)[number];
/**
 * An action, a number that decides its details, and whether the turn that it begins may end first.
 */
type Move = readonly [action: Action, choice: number, waits: boolean];
const move: fc.Arbitrary<Move> = fc.tuple(
  fc.constantFrom(...actions),
  fc.nat({ max: 1_000 }),
  fc.boolean(),
);

/** The n-th answer of the model: one or two calls, one that lasts, or three sentences. */
function answerOf(index: number, choices: readonly number[]): ModelStep {
  const choice = choices[index % choices.length] ?? 0;
  const look = (text: string) => ({ name: "look", args: { text } });
  if (choice === 0) return { text: `Before ${index}. `, toolCalls: [look("a"), look("b")] };
  if (choice === 1)
    return {
      text: `Before ${index}. `,
      toolCalls: [look("a"), { name: "last", args: { text: "b" } }],
    };
  return { text: `Answer ${index}. It goes on. And it ends.` };
}

/**
 * A user who goes from voice to keyboard and back in one chat, and what must hold whatever they do.
 */
class Conversation {
  readonly complaints: string[] = [];
  /** What was said and typed. */
  readonly requests: string[] = [];
  spokenAnswers = 0;
  private readonly server: ModelServer;
  private readonly folder: TempFolder;
  private readonly isHandsFree: boolean;
  private readonly log = new MemoryEventLog();
  private readonly voice = new ScriptedVoice();
  private readonly running = new Set<() => void>();
  private chat: Chat;
  private session: VoiceSession;
  private line = new MemoryLine();

  private constructor(server: ModelServer, folder: TempFolder, chat: Chat, isHandsFree: boolean) {
    this.server = server;
    this.folder = folder;
    this.chat = chat;
    this.isHandsFree = isHandsFree;
    this.session = this.openSession();
  }

  static async open(choices: readonly number[], isHandsFree: boolean): Promise<Conversation> {
    const server = await startModelServer(strictModel((_, index) => answerOf(index, choices)));
    const folder = await tempFolder({});
    // Opened anew with its tools below.
    const conversation = new Conversation(
      server,
      folder,
      await openChat(server, folder.root),
      isHandsFree,
    );
    await conversation.reload();
    return conversation;
  }

  async make([action, choice, waits]: Move): Promise<void> {
    await this.act(action, choice);
    if (waits) await this.settle();
  }

  /** Lets all turns end, also those of queued messages. */
  async settle(): Promise<void> {
    while (this.chat.busy || this.chat.queued.length > 0) {
      if (!this.chat.busy) void this.chat.sendQueued();
      for (const end of this.running) end();
      await setImmediate();
    }
  }

  async close(): Promise<void> {
    this.session.dispose();
    await this.chat.dispose();
    await this.server.close();
    await this.folder.remove();
  }

  /** What holds once all turns are over. */
  async check(): Promise<void> {
    await this.settle();
    const sent = this.chat.send("Last");
    await this.settle();
    await sent;
    assert.deepEqual(this.complaints, []);
    const { tree } = this.chat;
    const events = this.chat.events();
    const called = events.flatMap((event) =>
      event.type === "tool-call" ? [`${event.turnId} ${event.callId}`] : [],
    );
    const answered = events.flatMap((event) =>
      event.type === "tool-result" ? [`${event.turnId} ${event.callId}`] : [],
    );
    assert.deepEqual(answered.toSorted(), called.toSorted(), "each call is answered once");
    const errors = events.flatMap((event) =>
      event.type === "turn-end" && event.reason === "error" ? [event] : [],
    );
    assert.deepEqual(errors, [], "a strict provider has no complaints");
    const asked = events.flatMap((event) =>
      (event.type === "turn-start" && event.role === "user") || event.type === "user-message"
        ? (event.text ?? "").split("\n\n")
        : [],
    );
    for (const text of this.requests)
      assert.equal(
        asked.filter((each) => each === text).length,
        1,
        `${text} reached the model once`,
      );
    const shown = branch(tree, tree.headTurnId);
    const unheard = shown.flatMap((turn) =>
      turn.role === "agent" ? turn.parts.filter(({ type }) => type === "unheard") : [],
    );
    const last =
      this.server.requests
        .at(-1)
        ?.body.messages.map(({ content }) => content ?? "")
        .join("\n") ?? "";
    const told = last.match(/interrupted your spoken answer|Speaking your answer failed/g) ?? [];
    assert.equal(
      told.length,
      unheard.length,
      "the model knows of every answer that was not heard to its end",
    );
  }

  private async act(action: Action, choice: number): Promise<void> {
    const { chat, session, line } = this;
    const turns = [...chat.tree.turns.values()];
    const name = `${action} ${this.requests.length}`;
    switch (action) {
      case "say":
        return this.say(name);
      case "type":
        this.requests.push(name);
        void chat.send(name);
        return;
      case "hear":
        return line.listenTo();
      case "hear part":
        return line.listenTo(1);
      case "hush":
        return session.hush();
      case "stop":
        return session.stop();
      case "edit": {
        const requests = turns.filter(({ role }) => role === "user");
        const turn = requests[choice % Math.max(1, requests.length)];
        if (chat.busy || !turn) return;
        this.requests.push(name);
        void chat.resend(turn.id, name);
        return;
      }
      case "switch": {
        const turn = turns[choice % Math.max(1, turns.length)];
        if (turn) chat.showBranch(turn.id);
        return;
      }
      case "reload":
        return this.reload();
      case "unplug":
        line.end({ code: "unplugged" });
        await this.until(() => session.view.state === "off");
    }
  }

  private async say(text: string): Promise<void> {
    await this.session.openMicrophone();
    this.voice.transcripts.push(text);
    this.requests.push(text);
    const { line } = this;
    if (!this.isHandsFree) this.session.press();
    await this.until(() => line.listening);
    const silenced = line.hushed;
    const wasSpeaking = this.session.view.state === "speaking";
    line.say(WORDS);
    if (wasSpeaking && !line.held && line.hushed === silenced)
      this.complaints.push(`${text} silenced nothing`);
    if (this.isHandsFree) line.say(PAUSE);
    else await this.session.release();
    await this.until(
      () => this.voice.transcripts.length === 0 && this.session.view.state !== "recognizing",
    );
  }

  /** Everything of the window is gone but the history. */
  private async reload(): Promise<void> {
    this.session.dispose();
    await this.chat.dispose();
    const before = this.chat.events();
    const look = testTool("look", async (text) => ({ ok: true, output: `saw ${text}` }));
    const last = testTool("last", (_, { signal }) => {
      return new Promise((resolve) => {
        const end = () => {
          this.running.delete(end);
          resolve({ ok: true, output: "done" });
        };
        this.running.add(end);
        signal.addEventListener("abort", end);
      });
    });
    this.chat = await openChat(this.server, this.folder.root, {
      log: this.log,
      tools: [look, last],
    });
    if (this.log.lines.length > 0)
      assert.deepEqual(this.chat.events().slice(0, before.length), before, "the history is whole");
    this.session = this.openSession();
    await this.session.openMicrophone();
  }

  private openSession(): VoiceSession {
    return new VoiceSession({
      chat: voiceChat(this.chat),
      openLine: async () => ok(this.openLine()),
      voice: () => this.voice,
      pauseMs: () => (this.isHandsFree ? 700 : null),
      t: english,
    });
  }

  private openLine(): MemoryLine {
    const line = new MemoryLine();
    const { play, hush } = line;
    let lastSpeech = 0;
    let silenced = 0;
    line.play = (speech, pcm) => {
      if (speech > lastSpeech && line.held)
        this.complaints.push(`${this.voice.textOf(pcm)} began while the user spoke`);
      lastSpeech = speech;
      if (speech <= silenced)
        this.complaints.push(`${this.voice.textOf(pcm)} was heard after it was silenced`);
      this.checkSound(this.voice.textOf(pcm));
      play.call(line, speech, pcm);
    };
    line.hush = () => {
      silenced = lastSpeech;
      hush.call(line);
    };
    this.line = line;
    return line;
  }

  /** Nothing is heard before the results are in, and only in answer to what was said. */
  private checkSound(text: string): void {
    if (text.startsWith("Before")) this.complaints.push(`${text} was heard`);
    if (!text.startsWith("Answer")) return;
    this.spokenAnswers += 1;
    const { turns } = this.chat.tree;
    const turn = [...turns.values()].find(
      (each): each is AgentTurn => each.role === "agent" && textOf(each).includes(`${text} `),
    );
    if (!turn || turn.endReason === null)
      this.complaints.push(`${text} was heard before its turn was over`);
    const asked = turns.get(turn?.parentTurnId ?? "");
    const isSpoken =
      (asked?.role === "user" && asked.spoken) ||
      turn?.parts.some((part) => part.type === "user-message" && part.spoken === true);
    if (!isSpoken) this.complaints.push(`${text} was heard, but nobody said anything`);
  }

  private async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await setImmediate();
  }
}

function textOf(turn: AgentTurn): string {
  return turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

describe("one chat by voice and by keyboard", () => {
  it("loses nothing and says nothing too early, whatever alternates", async () => {
    let spokenAnswers = 0;
    let moves = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { minLength: 30, maxLength: 60 }),
        fc
          .array(fc.nat({ max: 4 }), { minLength: 5, maxLength: 12 })
          .map((choices) => [...choices, 2]),
        fc.boolean(),
        async (all, choices, isHandsFree) => {
          const conversation = await Conversation.open(choices, isHandsFree);
          try {
            for (const each of all) await conversation.make(each);
            await conversation.check();
          } finally {
            await conversation.close();
          }
          spokenAnswers += conversation.spokenAnswers;
          moves += all.length;
        },
      ),
      { numRuns: campaignRuns(2, 20), endOnFailure: true },
    );
    assert.ok(spokenAnswers > moves / 20, `${spokenAnswers} spoken answers after ${moves} moves`);
  });
});

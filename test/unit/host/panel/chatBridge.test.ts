import assert from "node:assert/strict";
import fc from "fast-check";
import { Emitter } from "../../../../src/base/emitter.ts";
import {
  ChatBridge,
  type ChatSource,
  type FrameScheduler,
} from "../../../../src/host/panel/chatBridge.ts";
import type { HostMessage, PanelStatus } from "../../../../src/protocol/messages.ts";
import { mergeTurnEvent } from "../../../../src/turns/mergeTurnEvent.ts";
import type { TurnEvent, TurnEventBody } from "../../../../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";

const status: PanelStatus = {
  busy: false,
  model: "Demo",
  demo: true,
  chosen: false,
  offers: null,
  keyMissing: false,
  trusted: true,
  workspace: true,
  behind: [],
  pending: [],
};

class ScriptedChat implements ChatSource {
  readonly chatId: string;
  private readonly merged: TurnEvent[] = [];
  private readonly emitter = new Emitter<TurnEvent>();
  private seq = 0;

  constructor(chatId: string) {
    this.chatId = chatId;
  }

  events(): readonly TurnEvent[] {
    return this.merged;
  }

  onEvent(listener: (event: TurnEvent) => void) {
    return this.emitter.on(listener);
  }

  emit(body: TurnEventBody): void {
    const event: TurnEvent = { ...body, seq: ++this.seq, turnId: "turn-1", at: 0 };
    mergeTurnEvent(this.merged, event);
    this.emitter.fire(event);
  }

  begin(): void {
    this.emit({
      type: "turn-start",
      role: "agent",
      parentTurnId: null,
      text: null,
      model: "m",
      editFile: null,
      activeFile: null,
    });
  }

  text(text: string): void {
    this.emit({ type: "text-delta", text });
  }
}

/** Frames that pass when the test says so. */
function handFrames() {
  const waiting = new Set<() => void>();
  const schedule: FrameScheduler = (task) => {
    waiting.add(task);
    return { dispose: () => waiting.delete(task) };
  };
  const frame = () => {
    const due = [...waiting];
    waiting.clear();
    for (const task of due) task();
  };
  return { schedule, frame, waiting };
}

/** The panel's side of the protocol: what it would show. */
class FakePanel {
  messages: HostMessage[] = [];
  chatId: string | null = null;
  tree = emptyTree();
  status: PanelStatus | null = null;
  /** Null for a panel too slow to draw. */
  draws: ((seq: number) => void) | null = null;

  readonly post = (message: HostMessage): void => {
    this.messages.push(message);
    if (message.type === "snapshot") {
      this.chatId = message.chatId;
      this.tree = emptyTree();
    }
    if (message.type === "snapshot" || message.type === "status") this.status = message.status;
    if (message.type === "snapshot" || message.type === "events") {
      assert.equal(message.chatId, this.chatId);
      for (const event of message.events) applyTurnEvent(this.tree, event);
      this.draws?.(this.tree.lastSeq);
    }
  };
}

function setUp() {
  const chat = new ScriptedChat("chat-1");
  const frames = handFrames();
  const bridge = new ChatBridge(chat, status, frames.schedule);
  const panel = new FakePanel();
  bridge.connect(panel.post);
  panel.draws = (seq) => bridge.drawn(seq);
  return { chat, bridge, panel, ...frames };
}

function treeOf(chat: ScriptedChat) {
  const tree = emptyTree();
  for (const event of chat.events()) applyTurnEvent(tree, event);
  return tree;
}

describe("the bridge to the panel", () => {
  it("posts nothing until the panel is ready, then a snapshot", () => {
    const { chat, bridge, panel, frame } = setUp();
    chat.begin();
    chat.text("Hello");
    frame();
    assert.equal(panel.messages.length, 0);
    bridge.ready();
    assert.deepEqual(
      panel.messages.map((message) => message.type),
      ["snapshot"],
    );
    assert.deepEqual(panel.tree, treeOf(chat));
  });

  it("posts one message per frame with merged text", () => {
    const { chat, bridge, panel, frame } = setUp();
    bridge.ready();
    chat.begin();
    for (const piece of "streamed in many pieces") chat.text(piece);
    assert.equal(panel.messages.length, 1);
    frame();
    assert.equal(panel.messages.length, 2);
    const last = panel.messages.at(-1);
    assert.ok(last?.type === "events");
    assert.deepEqual(
      last.events.map((event) => (event.type === "text-delta" ? event.text : event.type)),
      ["turn-start", "streamed in many pieces"],
    );
    frame();
    assert.equal(panel.messages.length, 2, "an idle frame posts nothing");
  });

  it("sends a slow panel the next events once it has drawn the last ones, and the end at once", () => {
    const { chat, bridge, panel, frame, waiting } = setUp();
    panel.draws = null;
    bridge.ready();
    chat.begin();
    frame();
    for (let piece = 0; piece < 100; piece++) {
      chat.text("more ");
      frame();
    }
    bridge.setStatus({ ...status, busy: true });
    frame();
    assert.equal(panel.messages.length, 2, "nothing waits for it in a row");
    bridge.drawn(panel.tree.lastSeq);
    frame();
    const last = panel.messages.at(-2);
    assert.ok(last?.type === "events");
    assert.equal(last.events.length, 1);
    assert.equal(panel.status?.busy, true);
    chat.text("last");
    bridge.drawn(1);
    assert.equal(waiting.size, 0, "an old word of it counts for nothing");
    bridge.drawn(panel.tree.lastSeq);
    frame();
    assert.deepEqual(panel.tree, treeOf(chat));
  });

  it("does not send provider data to the panel", () => {
    const { chat, bridge, panel, frame } = setUp();
    bridge.ready();
    chat.begin();
    chat.emit({
      type: "provider-data",
      source: "s",
      message: { reasoning_details: ["secret"] },
      calls: { c1: { extra_content: "secret" } },
    });
    frame();
    bridge.connect(panel.post);
    bridge.ready();
    assert.ok(!JSON.stringify(panel.messages).includes("secret"));
    assert.equal(panel.tree.lastSeq, 2);
  });

  it("sends the paths of what several models make of files, and not the texts", () => {
    const { chat, bridge, panel, frame } = setUp();
    bridge.ready();
    chat.begin();
    chat.emit({ type: "candidates", candidates: [{ chatId: "chat-2", model: "one" }] });
    chat.emit({
      ...{ type: "candidate-end", chatId: "chat-2", reason: "done", error: null, left: [] },
      files: [{ path: "a.ts", base: "secret", text: "secret" }],
    });
    frame();
    bridge.connect(panel.post);
    bridge.ready();
    assert.ok(!JSON.stringify(panel.messages).includes("secret"));
    const turn = panel.tree.turns.get("turn-1");
    assert.ok(turn?.role === "agent");
    assert.deepEqual(
      turn.candidates[0]?.end?.files.map(({ path }) => path),
      ["a.ts"],
    );
  });

  it("sends a changed status after the events of its frame, also while an answer streams", () => {
    const { chat, bridge, panel, frame } = setUp();
    bridge.ready();
    chat.begin();
    bridge.setStatus({ ...status, busy: true });
    frame();
    assert.deepEqual(
      panel.messages.map((message) => message.type),
      ["snapshot", "events", "status"],
    );
    assert.equal(panel.status?.busy, true);
  });

  it("sends nothing while the panel is hidden, and a snapshot when it is shown again", () => {
    const { chat, bridge, panel, frame, waiting } = setUp();
    bridge.ready();
    chat.begin();
    frame();
    bridge.pause();
    const before = panel.messages.length;
    chat.text("missed");
    bridge.setStatus({ ...status, busy: true });
    assert.equal(waiting.size, 0);
    assert.equal(panel.messages.length, before);
    bridge.ready();
    assert.deepEqual(panel.tree, treeOf(chat));
    assert.equal(panel.status?.busy, true);
  });

  it("shows another chat instead of the old one", () => {
    const { chat, bridge, panel, frame } = setUp();
    bridge.ready();
    chat.begin();
    const next = new ScriptedChat("chat-2");
    bridge.show(next);
    chat.text("late");
    frame();
    assert.equal(panel.chatId, "chat-2");
    assert.equal(panel.tree.turns.size, 0);
  });

  it("focuses the composer of a loading panel once it is ready", () => {
    const { bridge, panel } = setUp();
    bridge.focusComposer();
    assert.equal(panel.messages.length, 0);
    bridge.ready();
    bridge.ready();
    assert.equal(panel.messages.filter((message) => message.type === "focus-composer").length, 1);
  });

  it("keeps every attachment for a loading panel, but no answer to what an earlier one asked", () => {
    const { bridge, panel } = setUp();
    const attach = { type: "attach" as const, items: [], refused: [] };
    bridge.context(attach);
    bridge.context({ type: "suggestions", id: 1, items: [], complete: true });
    bridge.context(attach);
    const image = { type: "scale-image" as const, name: "a.png", path: null, data: "AAAA" };
    bridge.context(image);
    bridge.ready();
    bridge.ready();
    assert.deepEqual(panel.messages.slice(1, 4), [attach, attach, image]);
    assert.equal(
      panel.messages.filter(({ type }) => type === "attach" || type === "suggestions").length,
      2,
    );
  });

  it("gives the panel the same turns in any order of events", () => {
    const step = fc.oneof(
      fc.constantFrom("frame", "hide", "show", "status").map((what) => ({ what, text: "" })),
      fc.string({ minLength: 1, maxLength: 3 }).map((text) => ({ what: "text", text })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { chat, bridge, panel, frame } = setUp();
        bridge.ready();
        chat.begin();
        for (const { what, text } of steps) {
          if (what === "text") chat.text(text);
          else if (what === "frame") frame();
          else if (what === "hide") bridge.pause();
          else if (what === "status") bridge.setStatus(status);
          else bridge.ready();
        }
        bridge.ready();
        assert.deepEqual(panel.tree, treeOf(chat));
      }),
    );
  });
});

import assert from "node:assert/strict";
import * as z from "zod/mini";
import type { TurnEvent } from "../../../src/turns/turnEvent.ts";
import { PanelStore, type SavedState } from "../../../webview/panelStore.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";
import { readyStatus } from "../../ui/panelPage.ts";

const postedSchema = z.array(z.looseObject({ type: z.string() }));

/** A store with what it posted and composed; `saved` is from before a reload. */
function panel({ saved, isTab = false }: { saved?: SavedState; isTab?: boolean } = {}) {
  const posted: unknown[] = [];
  const composed: string[] = [];
  let state = saved;
  const store = new PanelStore(
    {
      postMessage: (message) => posted.push(message),
      getState: () => state,
      setState: (next) => {
        state = next;
      },
    },
    (task) => task(),
    isTab,
  );
  const nothing = (): void => undefined;
  store.start({
    ...{ reset: nothing, status: nothing, outgoing: nothing, frame: nothing, find: nothing },
    ...{ focusComposer: nothing, context: nothing, voice: nothing, candidates: nothing },
    compose: (text) => composed.push(text),
  });
  return {
    store,
    composed,
    saved: () => state,
    /** What was posted, without what was drawn. */
    posted: () => postedSchema.parse(posted).filter(({ type }) => type !== "drawn"),
    show: (chatId: string, events: readonly TurnEvent[] = []) =>
      store.receive({ type: "snapshot", chatId, events, status: readyStatus }),
    events: (chatId: string, events: readonly TurnEvent[], after = 0) =>
      store.receive({ type: "events", chatId, after, events }),
    waiting: () => store.outgoing.map(({ text }) => text),
  };
}

const asked = (text: string) => new TurnScript().ask(text).text("Yes.").end().events;

describe("what the panel knows", () => {
  it("has no status before a chat is shown, so that what is sent until then waits", () => {
    const { store, show, posted } = panel();
    store.receive({ type: "status", status: readyStatus });
    assert.equal(store.status, null);
    show("a");
    assert.notEqual(store.status, null);
    store.send("Hello");
    assert.equal(store.outgoing.length, 1);
    assert.deepEqual(
      posted().map(({ type }) => type),
      ["ready", "send"],
    );
  });

  const strays: readonly [what: string, chatId: string, after: number, isAsked: boolean][] = [
    ["events of another chat", "b", 0, true],
    ["events that do not follow on what is here", "a", 99, true],
    ["events of its chat", "a", 0, false],
  ];
  for (const [what, chatId, after, isAsked] of strays)
    it(`${isAsked ? "asks" : "does not ask"} for the whole chat after ${what}`, () => {
      const { show, events, posted } = panel();
      show("a");
      events(chatId, asked("Hi"), after);
      assert.deepEqual(posted().slice(1), isAsked ? [{ type: "ready", chatId: "a" }] : []);
    });

  it("keeps a message that is shown as queued until the host has stored it", () => {
    const { store, show, events, waiting } = panel();
    show("a");
    store.send("Hello");
    assert.deepEqual(waiting(), ["Hello"]);
    const messages = store.outgoing.map(({ id }) => id);
    const recorded = asked("Hello").map((event) =>
      event.type === "turn-start" && event.role === "user" ? { ...event, messages } : event,
    );
    events("a", recorded);
    assert.deepEqual(waiting(), []);
    assert.deepEqual(
      store.savedState.outbox.map(({ text }) => text),
      ["Hello"],
    );
    store.receive({ type: "settled", id: messages[0], refused: false });
    assert.deepEqual(store.savedState.outbox, []);
  });

  it("takes a refused message back into the composer", () => {
    const { store, show, composed, waiting } = panel();
    show("a");
    store.send("one");
    store.send("two");
    const [one, two] = store.outgoing;
    store.receive({ type: "settled", id: one?.id, refused: false });
    assert.deepEqual([waiting(), composed], [["two"], []]);
    store.receive({ type: "settled", id: two?.id, refused: true });
    assert.deepEqual([waiting(), composed], [[], ["two"]]);
  });

  it("asks after a reload what became of a message that the host has not settled, and again where the answer was lost", () => {
    const before = panel();
    before.show("a");
    before.store.send("Hello");
    const sent = { ...before.posted().at(-1), again: true };
    const saved = before.saved();
    assert.ok(saved);
    const after = panel({ saved });
    after.show("a");
    assert.deepEqual(after.posted().slice(1), [sent]);
    after.show("a");
    assert.deepEqual(after.posted().slice(1), [sent, sent]);
    after.store.receive({ type: "settled", id: before.store.outgoing[0]?.id, refused: false });
    after.show("a");
    assert.equal(after.posted().length, 3);
  });

  it("shows a new chat at once, and ignores what comes of the one before", () => {
    const { store, show, events, posted, waiting } = panel();
    show("a", asked("Old question"));
    const fresh = store.newChat();
    assert.ok(fresh !== undefined && fresh !== "a");
    store.send("and then this");
    assert.deepEqual(
      posted()
        .slice(1)
        .map(({ type, chatId }) => [type, chatId]),
      [
        ["new-chat", fresh],
        ["send", fresh],
      ],
    );
    show("a", asked("Old question"));
    events("a", asked("Old question"), 99);
    assert.deepEqual([store.chatId, store.tree.turns.size, posted().length], [fresh, 0, 3]);
    show(fresh);
    assert.deepEqual([store.chatId, waiting()], [fresh, ["and then this"]]);
  });

  it("opens no new chat in place of an empty one, nor of a tab's", () => {
    const empty = panel();
    empty.show("a");
    assert.equal(empty.store.newChat(), "a");
    const tab = panel({ isTab: true });
    tab.show("a", asked("Hi"));
    assert.notEqual(tab.store.newChat(), "a");
    assert.equal(tab.store.chatId, "a");
  });

  it("keeps what the newest twenty forms hold, until they are closed", () => {
    const { store } = panel();
    for (let at = 0; at < 25; at++) store.keepForm(`form ${at}`, [`${at}`]);
    assert.deepEqual(Object.keys(store.savedState.forms).length, 20);
    assert.deepEqual(store.savedState.forms["form 24"], ["24"]);
    store.keepForm("form 24", null);
    assert.equal(store.savedState.forms["form 24"], undefined);
  });
});

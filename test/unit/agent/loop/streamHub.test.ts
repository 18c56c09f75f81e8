import assert from "node:assert/strict";
import { StreamHub } from "../../../../src/agent/loop/streamHub.ts";
import type { StreamListener } from "../../../../src/turns/streamRegistry.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";

const end = { reason: "stop", moreCalls: false } as const;
const signal = new AbortController().signal;

function listener(overrides: Partial<StreamListener> = {}): StreamListener {
  const quiet = () => undefined;
  return {
    messageStart: quiet,
    text: quiet,
    messageEnd: async () => null,
    dispose: quiet,
    ...overrides,
  };
}

const opened: StreamHub[] = [];

function openHub(): {
  hub: StreamHub;
  stored: TurnEvent[];
  seen: TurnEvent[];
  logger: RecordingLogger;
} {
  const logger = new RecordingLogger();
  const stored: TurnEvent[] = [];
  const seen: TurnEvent[] = [];
  const hub = new StreamHub(7, (event) => stored.push(event), logger, 1);
  hub.subscribe((event) => seen.push(event));
  hub.turnStart();
  opened.push(hub);
  return { hub, stored, seen, logger };
}

const texts = (events: readonly TurnEvent[]) =>
  events.map((event) => ("text" in event ? event.text : event.type));

describe("stream hub", () => {
  afterEach(() => {
    for (const hub of opened.splice(0)) hub.turnEnd();
  });

  it("continues the store's numbers and passes text to requests in order, then to the store, then to the panel", () => {
    const { hub, stored, seen } = openHub();
    const order: string[] = [];
    hub.register(
      "one",
      listener({ text: (text) => order.push(`one ${text}, stored ${stored.length}`) }),
    );
    hub.register(
      "two",
      listener({ text: (text) => order.push(`two ${text}, seen ${seen.length}`) }),
    );
    hub.emit("t", { type: "text-delta", text: "a" });
    assert.deepEqual(order, ["one a, stored 0", "two a, seen 0"]);
    assert.deepEqual(stored, seen);
    assert.equal(stored[0]?.seq, 8);
  });

  it("orders a request's events after the text that caused them, for every receiver", () => {
    const { hub, stored, seen } = openHub();
    const say = (text: string) => hub.emit("t", { type: "user-message", text });
    hub.register("one", listener({ text: (text) => say(`one heard ${text}`) }));
    hub.register("two", listener({ text: (text) => say(`two heard ${text}`) }));
    hub.emit("t", { type: "text-delta", text: "a" });
    hub.emit("t", { type: "text-delta", text: "b" });
    assert.deepEqual(texts(stored), [
      "a",
      "one heard a",
      "two heard a",
      "b",
      "one heard b",
      "two heard b",
    ]);
    assert.deepEqual(seen, stored);
    assert.deepEqual(pluck(stored, "seq"), [8, 9, 10, 11, 12, 13]);
  });

  it("continues when a subscriber throws", () => {
    const { hub, logger } = openHub();
    const later: TurnEvent[] = [];
    hub.subscribe(() => {
      throw new Error("the panel is gone");
    });
    hub.subscribe((event) => later.push(event));
    hub.emit("t", { type: "text-delta", text: "a" });
    assert.deepEqual(texts(later), ["a"]);
    assert.match(logger.errors.join(), /the panel is gone/);
  });

  it("drops and disposes of a request that throws, tells the model, and keeps feeding the others", async () => {
    const { hub } = openHub();
    let disposed = 0;
    let heard = "";
    const text = () => {
      throw new Error("lost my place");
    };
    hub.register("bad", listener({ text, dispose: () => (disposed += 1) }));
    hub.register("good", listener({ text: (piece) => (heard += piece) }));
    hub.emit("t", { type: "text-delta", text: "a" });
    hub.emit("t", { type: "text-delta", text: "b" });
    assert.equal(heard, "ab");
    assert.equal(disposed, 1);
    assert.equal(hub.activeRequests, 1);
    assert.match(
      (await hub.messageEnd(end, signal)).join(),
      /bad failed inside Graft \(lost my place\)/,
    );
    assert.deepEqual(await hub.messageEnd(end, signal), []);
  });

  it("collects the reports in the order of registration", async () => {
    const { hub } = openHub();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    hub.register("slow", listener({ messageEnd: () => gate.then(() => "slow") }));
    hub.register("silent", listener());
    const quick = async () => {
      release();
      return "quick";
    };
    hub.register("quick", listener({ messageEnd: quick }));
    assert.deepEqual(await hub.messageEnd(end, signal), ["slow", "quick"]);
  });

  it("drops a request that does not settle after the turn was stopped", async () => {
    const { hub } = openHub();
    hub.register("stuck", listener({ messageEnd: () => new Promise(() => undefined) }));
    const stopped = AbortSignal.abort();
    assert.match(
      (await hub.messageEnd({ reason: "cancelled", moreCalls: false }, stopped)).join(),
      /did not stop in time/,
    );
    assert.equal(hub.activeRequests, 0);
  });

  it("replaces a request that registers again, and accepts none when no turn runs", () => {
    const { hub } = openHub();
    const disposed: string[] = [];
    const first = hub.register("c", listener({ dispose: () => disposed.push("first") }));
    hub.register("c", listener({ dispose: () => disposed.push("second") }));
    first.dispose();
    assert.deepEqual(disposed, ["first"]);
    assert.equal(hub.activeRequests, 1);
    hub.turnEnd();
    assert.deepEqual(disposed, ["first", "second"]);
    hub.register("late", listener({ dispose: () => disposed.push("late") }));
    assert.deepEqual(disposed, ["first", "second", "late"]);
    assert.equal(hub.activeRequests, 0);
  });
});

import assert from "node:assert/strict";
import { mock } from "node:test";
import { abortable } from "../../../src/base/abortable.ts";
import { Deadline } from "../../../src/base/deadline.ts";

describe("a deadline", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("aborts and has expired when its limit is over", () => {
    const deadline = new Deadline(new AbortController().signal);
    deadline.restart(20);
    mock.timers.tick(19);
    assert.equal(deadline.signal.aborted, false);
    mock.timers.tick(1);
    assert.ok(deadline.signal.aborted && deadline.expired);
  });

  it("aborts with its caller's signal, without having expired", () => {
    const caller = new AbortController();
    const deadline = new Deadline(caller.signal);
    deadline.restart(10_000);
    caller.abort("stop");
    assert.equal(deadline.signal.reason, "stop");
    assert.equal(deadline.expired, false);
    assert.ok(new Deadline(caller.signal).signal.aborted);
  });

  it("counts anew after a restart: later, sooner, and after a pause", () => {
    for (const first of [10, 10_000]) {
      const deadline = new Deadline(new AbortController().signal);
      deadline.restart(first);
      mock.timers.tick(5);
      deadline.restart(40);
      mock.timers.tick(39);
      assert.equal(deadline.signal.aborted, false);
      mock.timers.tick(1);
      assert.ok(deadline.expired);
    }
    const paused = new Deadline(new AbortController().signal);
    paused.restart(5);
    paused.pause();
    mock.timers.tick(20);
    assert.equal(paused.signal.aborted, false);
    paused.restart(5);
    mock.timers.tick(5);
    assert.ok(paused.signal.aborted && paused.expired);
  });

  it("releases timer and caller when disposed of, and aborts its signal", () => {
    const caller = new AbortController();
    const deadline = new Deadline(caller.signal);
    deadline.restart(10_000);
    deadline.dispose();
    deadline.dispose();
    assert.ok(deadline.signal.aborted);
    assert.equal(deadline.expired, false);
  });

  it("never expires with a limit beyond what a timer holds", () => {
    const deadline = new Deadline(new AbortController().signal);
    deadline.restart(Number.POSITIVE_INFINITY);
    deadline.restart(2 ** 40);
    deadline.dispose();
    assert.equal(deadline.expired, false);
  });
});

describe("abortable work", () => {
  it("settles like the work", async () => {
    const { signal } = new AbortController();
    assert.equal(await abortable(Promise.resolve(1), signal), 1);
    await assert.rejects(abortable(Promise.reject(new Error("no")), signal), /no/);
  });

  it("is abandoned on abort, without an unhandled rejection later", async () => {
    const controller = new AbortController();
    let fail = (_error: Error) => {};
    const work = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const waiting = abortable(work, controller.signal);
    controller.abort(new Error("stopped"));
    await assert.rejects(waiting, /stopped/);
    fail(new Error("late"));
    await assert.rejects(abortable(Promise.resolve(1), controller.signal), /stopped/);
  });
});

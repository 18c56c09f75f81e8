import assert from "node:assert/strict";
import fc from "fast-check";
import { type EditSpan, StepSegments } from "../../../webview/markdown/stepSegments.ts";

/** Records the parts as the panel would show them. */
class Recorder {
  readonly shown: { kind: string; container: string; text: string }[] = [];
  readonly segments = new StepSegments<string>({
    markdown: (container) => {
      const entry = { kind: "markdown", container, text: "" };
      this.shown.push(entry);
      return {
        push: (text) => {
          entry.text += text;
        },
        cut: (offset) => {
          const removed = entry.text.slice(offset);
          entry.text = entry.text.slice(0, offset);
          return removed;
        },
        finish: () => undefined,
      };
    },
    card: (blockId, container) => {
      const entry = { kind: blockId, container, text: "" };
      this.shown.push(entry);
      return {
        push: (text) => {
          entry.text += text;
        },
        finish: (source) => {
          if (source !== null) entry.text = source;
        },
      };
    },
  });

  /** The parts without empty runs. */
  result(): { kind: string; container: string; text: string }[] {
    return this.shown.filter((entry) => entry.kind !== "markdown" || entry.text !== "");
  }
}

const text = "Intro.\n```ts:1:2\nnew code\n```\nBetween.\n```ts:8:9\nmore\n```\nEnd.";
const first: EditSpan = { blockId: "one", start: 7, end: 32 };
const second: EditSpan = { blockId: "two", start: 41, end: 61 };
const expected = [
  { kind: "markdown", container: "a", text: text.slice(0, 7) },
  { kind: "one", container: "a", text: text.slice(7, 32) },
  { kind: "markdown", container: "a", text: text.slice(32, 41) },
  { kind: "two", container: "a", text: text.slice(41, 61) },
  { kind: "markdown", container: "a", text: text.slice(61) },
];

describe("StepSegments", () => {
  it("shows blocks that are announced before their text", () => {
    const recorder = new Recorder();
    recorder.segments.setEdit(first);
    recorder.segments.setEdit(second);
    recorder.segments.append(text, "a");
    recorder.segments.finish("a");
    assert.deepEqual(recorder.result(), expected);
  });

  it("shows the same parts wherever in the stream the events come", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, fc.nat(8), fc.nat(8), (chunkSizes, openDelay, closeDelay) => {
        const recorder = new Recorder();
        const events = [first, second].flatMap((span) => [
          { at: span.start + 10 + openDelay, span: { ...span, end: null } },
          { at: (span.end ?? 0) + closeDelay, span },
        ]);
        let at = 0;
        for (let index = 0; at < text.length; index++) {
          const size = chunkSizes[index % chunkSizes.length] ?? 1;
          recorder.segments.append(text.slice(at, at + size), "a");
          at += size;
          while (events[0] && events[0].at <= at) {
            const event = events.shift();
            if (event) recorder.segments.setEdit(event.span);
          }
        }
        for (const event of events) recorder.segments.setEdit(event.span);
        recorder.segments.finish("a");
        assert.deepEqual(recorder.result(), expected);
      }),
      { numRuns: 500 },
    );
  });

  it("continues an open block after an interruption", () => {
    const recorder = new Recorder();
    recorder.segments.setEdit({ ...first, end: null });
    recorder.segments.append(text.slice(0, 20), "a");
    recorder.segments.interrupt();
    recorder.segments.append(text.slice(20, 40), "b");
    recorder.segments.setEdit(first);
    recorder.segments.append(text.slice(40, 41), "b");
    assert.deepEqual(recorder.result(), [
      { kind: "markdown", container: "a", text: text.slice(0, 7) },
      { kind: "one", container: "a", text: text.slice(7, 32) },
      { kind: "markdown", container: "a", text: text.slice(32, 40) },
      { kind: "markdown", container: "b", text: text.slice(40, 41) },
    ]);
  });

  it("shows a block without text at the end", () => {
    const recorder = new Recorder();
    recorder.segments.append("Words.", "a");
    recorder.segments.setEdit({ blockId: "late", start: 6, end: 6 });
    recorder.segments.finish("end");
    assert.deepEqual(recorder.result().at(-1), { kind: "late", container: "end", text: "" });
  });
});

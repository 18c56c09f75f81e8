import assert from "node:assert/strict";
import * as fc from "fast-check";
import { SAMPLE_RATE } from "../../../src/ports/audioLine.ts";
import { Endpointer, type Heard, LONGEST_MS } from "../../../src/voice/endpointer.ts";
import { concat, cut, noise, words } from "../../fakes/sound.ts";

const PAUSE = 700;
const ROOM = -60;

function hear(
  pauseMs: number | null,
  ...pieces: readonly Int16Array[]
): { readonly heard: Heard[]; readonly endpointer: Endpointer } {
  const endpointer = new Endpointer(pauseMs);
  return { heard: pieces.flatMap((piece) => endpointer.push(piece)), endpointer };
}

const types = (heard: readonly Heard[]) => heard.map(({ type }) => type);
const ms = (heard: Heard | null | undefined) =>
  heard?.type === "utterance" ? (heard.pcm.length * 1000) / SAMPLE_RATE : null;

const segment = fc.oneof(
  fc
    .record({ ms: fc.integer({ min: 1, max: 1_500 }), decibels: fc.integer({ min: -80, max: -5 }) })
    .map((of) => noise(of.ms, of.decibels)),
  fc
    .record({ ms: fc.integer({ min: 1, max: 1_500 }), decibels: fc.integer({ min: -45, max: -5 }) })
    .map((of) => words(of.ms, of.decibels)),
);
const sound = fc
  .array(segment, { minLength: 1, maxLength: 5 })
  .map((segments) => concat(...segments));

describe("the end of what is said", () => {
  it("is a pause of 0.7 s, with a little of the sound before and after the words", () => {
    const { heard } = hear(
      PAUSE,
      noise(1_000, ROOM),
      words(1_000, -25),
      noise(600, ROOM),
      words(400, -25),
      noise(1_000, ROOM),
    );
    assert.deepEqual(types(heard), ["voice", "utterance"]);
    const length = ms(heard[1]) ?? 0;
    assert.ok(length >= 2_200 && length <= 2_500, `${length} ms`);
  });

  it("is the release of the button when it is held, from the first sound on", () => {
    const { heard, endpointer } = hear(
      null,
      words(400, -25),
      noise(2_000, ROOM),
      words(400, -25),
      noise(7, ROOM),
    );
    assert.deepEqual(types(heard), ["voice"]);
    assert.equal(ms(endpointer.finish()), 2_807);
    assert.equal(endpointer.finish(), null);
  });

  it("is reached after 60 s at the latest", () => {
    const { heard } = hear(PAUSE, noise(500, ROOM), words(62_000, -25), noise(1_000, ROOM));
    assert.deepEqual(types(heard), ["voice", "utterance", "voice", "utterance"]);
    assert.equal(ms(heard[1]), LONGEST_MS);
  });

  it("is not looked for in noise, silence, or sounds of less than 200 ms", () => {
    assert.deepEqual(types(hear(PAUSE, new Int16Array(SAMPLE_RATE * 3)).heard), []);
    assert.deepEqual(
      types(hear(PAUSE, noise(3_000, -65), noise(60, -20), noise(3_000, -65)).heard),
      [],
    );
    assert.deepEqual(
      types(hear(PAUSE, noise(3_000, -65), noise(160, -20), noise(3_000, -65)).heard),
      ["voice", "dropped"],
    );
    assert.equal(
      hear(null, noise(700, -65), noise(160, -20), noise(300, -65)).endpointer.finish()?.type,
      "dropped",
    );
    assert.deepEqual(
      types(hear(PAUSE, noise(8_000, -30)).heard).includes("utterance"),
      false,
      "a fan",
    );
  });

  it("is found at once when words begin, so that the answer goes silent in time", () => {
    const endpointer = new Endpointer(PAUSE);
    endpointer.push(noise(1_000, ROOM));
    const spoken = cut(words(400, -30), [240]);
    const at = spoken.findIndex((piece) => endpointer.push(piece).length > 0);
    assert.ok((at + 1) * 10 <= 100, `${(at + 1) * 10} ms`);
  });

  it("is not begun by keys and clicks, however many", () => {
    const click = concat(noise(30, -20), noise(70, ROOM));
    assert.deepEqual(
      types(hear(PAUSE, noise(1_015, ROOM), ...Array.from({ length: 50 }, () => click)).heard),
      [],
    );
  });

  it("is the same for every way to cut the sound", () => {
    fc.assert(
      fc.property(
        sound,
        fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(null, PAUSE),
        (pcm, lengths, pause) => {
          const whole = hear(pause, pcm);
          const pieces = hear(pause, ...cut(pcm, lengths));
          assert.deepEqual(
            [...pieces.heard, pieces.endpointer.finish()],
            [...whole.heard, whole.endpointer.finish()],
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is found in every room, whatever was heard before", () => {
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 4 }),
        fc.integer({ min: -80, max: -32 }),
        (before, room) => {
          const endpointer = new Endpointer(PAUSE);
          for (const each of before) endpointer.push(each);
          // The room may have become loud, which takes some seconds to learn.
          endpointer.push(noise(4_500, room));
          const level = Math.max(room + 14, -44);
          const heard = [
            ...endpointer.push(words(1_200, level, room)),
            ...endpointer.push(noise(1_200, room)),
          ];
          assert.deepEqual(types(heard), ["voice", "utterance"]);
          const length = ms(heard[1]) ?? 0;
          assert.ok(length >= 1_200 && length <= 1_900, `${length} ms`);
        },
      ),
      { numRuns: 100 },
    );
  });
});

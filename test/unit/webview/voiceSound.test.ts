import assert from "node:assert/strict";
import fc from "fast-check";
import { PlayQueue } from "../../../webview/voicePage/playQueue.ts";
import { fromPcm, Resampler, toPcm } from "../../../webview/voicePage/resampler.ts";

const tone = (hertz: number, rate: number, seconds: number) =>
  Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / rate),
  );
const loudness = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);

describe("sound in the voice page", () => {
  it("keeps speech and drops what would alias, at every rate of a microphone", () => {
    for (const rate of [16_000, 44_100, 48_000, 96_000]) {
      const kept = new Resampler(rate, 24_000).push(tone(1_000, rate, 0.5));
      assert.ok(Math.abs(kept.length - 12_000) < 40, `${kept.length} samples from ${rate}`);
      assert.ok(
        Math.abs(loudness(kept.subarray(100, -100)) / (0.5 / Math.SQRT2) - 1) < 0.02,
        `${rate} Hz`,
      );
      if (rate < 40_000) continue;
      assert.ok(
        loudness(new Resampler(rate, 24_000).push(tone(18_000, rate, 0.5))) < 0.005,
        `18 kHz at ${rate} Hz`,
      );
    }
  });

  it("is the same however it is cut", () => {
    const whole = tone(440, 44_100, 0.05);
    const expected = [...new Resampler(44_100, 24_000).push(whole)];
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 20 }),
        (cuts) => {
          const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
          const resampler = new Resampler(44_100, 24_000);
          const pieces = places
            .slice(1)
            .flatMap((end, at) => [...resampler.push(whole.subarray(places[at], end))]);
          assert.equal(pieces.length, expected.length);
          for (const [at, sample] of pieces.entries())
            assert.ok(Math.abs(sample - (expected[at] ?? 0)) < 1e-3);
        },
      ),
    );
  });

  it("does not overflow", () => {
    assert.deepEqual([...toPcm(Float32Array.of(2, -2, 0))], [32_767, -32_767, 0]);
    assert.deepEqual([...fromPcm(Int16Array.of(-32_768, 0))], [-1, 0]);
  });

  it("is played in order, counted as it is heard, and forgotten when hushed", () => {
    const reports: [number, number][] = [];
    const queue = new PlayQueue(24_000, 48_000, (speech, ms) => reports.push([speech, ms]));
    const pull = (ms: number) => {
      const output = new Float32Array(ms * 48);
      queue.pull(output);
      return output;
    };
    queue.add(1, toPcm(tone(300, 24_000, 0.1)));
    queue.add(1, toPcm(tone(300, 24_000, 0.1)));
    queue.add(2, toPcm(tone(300, 24_000, 0.1)));
    const first = pull(100);
    assert.ok(loudness(first) > 0.3);
    assert.ok(reports.every(([speech, ms]) => speech === 1 && ms > 90 && ms <= 101));
    pull(120);
    assert.deepEqual(
      reports.find(([, ms]) => ms === 200),
      [1, 200],
      "the end of a speech is its length",
    );
    queue.clear();
    const [speech, ms] = reports.at(-1) ?? [0, 0];
    assert.equal(speech, 2);
    assert.ok(ms > 15 && ms < 25, `${ms} ms of the second were heard`);
    assert.equal(loudness(pull(50)), 0);
    queue.add(3, new Int16Array(2_400));
    pull(200);
    assert.deepEqual(reports.at(-1), [3, 100]);
  });
});

import assert from "node:assert/strict";
import { SAMPLE_RATE } from "../../../src/ports/audioLine.ts";
import { Endpointer, type Heard } from "../../../src/voice/endpointer.ts";
import { concat, heardSound, noise, words } from "../../fakes/sound.ts";

const PAUSE = 700;
const ROOM = -60;
const room = (ms: number) => noise(ms, ROOM);

function hear(
  pauseMs: number | null,
  ...pieces: readonly Int16Array[]
): { readonly heard: Heard[]; readonly endpointer: Endpointer } {
  const endpointer = new Endpointer(pauseMs);
  return {
    heard: heardSound(concat(...pieces)).flatMap((each) => endpointer.push(each)),
    endpointer,
  };
}

const types = (heard: readonly Heard[]) => heard.map(({ type }) => type);
const ms = (heard: Heard | null | undefined) =>
  heard && "pcm" in heard ? (heard.pcm.length * 1000) / SAMPLE_RATE : 0;
/** Speech of a minute and a half, with a breath every five seconds. */
const long = Array.from({ length: 18 }, () => [words(4_600, -25), room(400)]).flat();

describe("the end of what is said", () => {
  it("is a pause, with a little of the sound before and after the words", () => {
    const said = [room(1_000), words(1_000, -25), room(600), words(400, -25), room(1_000)];
    const { heard } = hear(PAUSE, ...said);
    assert.deepEqual(types(heard), ["voice", "utterance"]);
    assert.ok(ms(heard[1]) >= 2_200 && ms(heard[1]) <= 2_900, `${ms(heard[1])} ms`);
    assert.deepEqual(types(hear(1_500, ...said).heard), ["voice"], "not for who is patient");
  });

  it("is the release of the button when it is held, from the first sound on", () => {
    const { heard, endpointer } = hear(
      null,
      words(400, -25),
      room(1_900),
      words(400, -25),
      room(7),
    );
    assert.deepEqual(types(heard), ["voice"]);
    assert.equal(Math.round(ms(endpointer.finish())), 2_707);
    assert.equal(endpointer.finish(), null);
  });

  it("is not the length: long speech comes in parts that are cut at breaths, whole in sum", () => {
    for (const pause of [PAUSE, null]) {
      const { heard, endpointer } = hear(pause, ...long, room(1_000));
      const last = endpointer.finish();
      const all = [...heard, ...(last ? [last] : [])];
      const kinds = types(all).filter((type) => type !== "voice");
      assert.deepEqual(kinds, [...kinds.slice(1).map(() => "part"), "utterance"]);
      assert.ok(kinds.length >= 4, `${kinds.length} parts`);
      const sum = all.reduce((total, each) => total + ms(each), 0);
      assert.ok(sum > 89_500 && sum <= 91_100, `${sum} ms`);
    }
  });

  it("is too far away after ten minutes, after which what goes on is no new utterance", () => {
    const endpointer = new Endpointer(PAUSE);
    const minute = heardSound(words(60_000, -25));
    const heard: Heard[] = [];
    for (let minutes = 0; minutes < 10; minutes++)
      for (const each of minute) heard.push(...endpointer.push(each));
    const end = concat(words(5_000, -25), room(1_000));
    for (const each of heardSound(end)) heard.push(...endpointer.push(each));
    const kinds = types(heard).filter((type) => type !== "part");
    assert.deepEqual(kinds, ["voice", "limit", "utterance"]);
  });

  it("is told without the long silence in it, for which recognizers invent words", () => {
    const { endpointer } = hear(null, words(400, -25), room(9_000), words(400, -25), room(9_000));
    const length = ms(endpointer.finish());
    assert.ok(length >= 4_700 && length <= 4_900, `${length} ms`);
  });

  it("is told again where nothing follows for some seconds", () => {
    const { heard } = hear(PAUSE, words(600, -25), room(6_000));
    assert.deepEqual(types(heard), ["voice", "utterance", "silence"]);
    assert.deepEqual(types(hear(PAUSE, room(9_000)).heard), []);
  });

  it("is not looked for in silence, and sounds too short for a word are dropped early", () => {
    assert.deepEqual(types(hear(PAUSE, new Int16Array(SAMPLE_RATE * 3)).heard), []);
    assert.deepEqual(types(hear(PAUSE, room(3_000), noise(25, -20), room(3_000)).heard), []);
    const { heard } = hear(PAUSE, room(1_000), noise(100, -20), room(400));
    assert.deepEqual(types(heard), ["voice", "dropped"]);
    assert.equal(
      hear(null, room(700), noise(25, -20), room(300)).endpointer.finish()?.type,
      "dropped",
    );
  });

  it("is before the first sound of the next words, which begin before a voice is known", () => {
    const loud = (pcm: Int16Array) => pcm.filter((each) => Math.abs(each) > 1_000).length;
    const next = words(1_000, -25);
    const cough = [noise(190, -20), room(260)];
    for (const [before, count] of [
      [[words(600, -25), room(610)], 2] as const,
      [cough, 1] as const,
    ]) {
      const endpointer = new Endpointer(PAUSE);
      const late: number[] = [0, 0, 0];
      const heard = heardSound(concat(room(1_000), ...before, next, room(1_000)));
      const all = heard.flatMap(({ pcm, voice }) => {
        late.push(voice);
        return endpointer.push({ pcm, voice: late.shift() ?? 0 });
      });
      const utterances = all.flatMap((each) => (each.type === "utterance" ? [each.pcm] : []));
      assert.equal(utterances.length, count);
      assert.ok(loud(utterances.at(-1) ?? new Int16Array(0)) >= loud(next));
    }
  });

  it("is found at once when words begin, so that the answer goes silent in time", () => {
    const endpointer = new Endpointer(PAUSE);
    for (const each of heardSound(room(1_000))) endpointer.push(each);
    const at = heardSound(words(400, -30)).findIndex((each) => endpointer.push(each).length > 0);
    assert.ok(at >= 0 && at <= 3, `${at} frames`);
  });
});

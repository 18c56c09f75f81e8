import assert from "node:assert/strict";
import fs from "node:fs";
import { SAMPLE_RATE } from "../../../src/ports/audioLine.ts";
import { SOUND_FRAME } from "../../../src/protocol/voicePage.ts";
import { Endpointer, type Heard } from "../../../src/voice/endpointer.ts";
import { VoiceDetector } from "../../../webview/voicePage/voiceDetector.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { concat, cut, noise } from "../../fakes/sound.ts";
import { coughs, mixed, ROOMS } from "../../fakes/voice/sounds.ts";
import { spokenBy, VOICES } from "../../fakes/voice/speech.ts";
import { missingSpeechTools } from "../../harness/speechTools.mjs";

/** All voices and sentences, or only some: GRAFT_VOICE_MATRIX=full. */
const isFull = process.env.GRAFT_VOICE_MATRIX === "full";
const SENTENCES = [
  "Rename the first function, and then run all the tests.",
  "Please tell me what the second file does and why it is so slow.",
  "Add a check for an empty list before the loop begins.",
].slice(0, isFull ? 3 : 1);
const SPEAKERS = VOICES.slice(0, isFull ? VOICES.length : campaignRuns(1, 2));
/** So many seconds of each room alone are heard. */
const ALONE = campaignRuns(2, 8);
const SHORT = ["Yes.", "No.", "Stop.", "Go on.", "The second one.", "Hush.", "Why?", "Undo that."];
const model = Uint8Array.from(fs.readFileSync("media/silero-vad/voiceModel.bin")).buffer;
const ms = (pcm: Int16Array) => (pcm.length * 1000) / SAMPLE_RATE;

/** What a session hears of the sound, with pauses that end what is said. */
function hear(sound: Int16Array): readonly Heard[] {
  const detector = new VoiceDetector(model);
  const endpointer = new Endpointer(700);
  return cut(sound, [SOUND_FRAME]).flatMap((pcm) =>
    endpointer.push({ pcm, voice: detector.push(pcm) }),
  );
}

const utterances = (heard: readonly Heard[]) =>
  heard.flatMap((each) => (each.type === "utterance" ? [each.pcm] : []));

describe("what is heard in a noisy room", () => {
  const said = new Map<string, Int16Array[]>();

  before(async function () {
    if (missingSpeechTools().length > 0) this.skip();
    for (const voice of SPEAKERS) {
      const sounds = await Promise.all(SENTENCES.map((text) => spokenBy(voice, text)));
      const all = sounds.filter((sound) => sound !== null);
      if (all.length > 0) said.set(voice, all);
    }
  });

  it("is whole sentences, each once, and nothing of the room alone", () => {
    const far = concat(...[...said.values()].flat());
    let [all, whole] = [0, 0];
    for (const [name, { sound, decibels }] of ROOMS) {
      const row = { whole: 0, split: 0, alone: 0 };
      let cases = 0;
      for (const voice of said.values())
        for (const sentence of voice) {
          const quiet = concat(noise(1_000, -65), sentence, noise(1_500, -65));
          const room = mixed(quiet, sound(ms(quiet) / 1000, far), decibels);
          const heard = utterances(hear(room));
          const length = heard.reduce((sum, pcm) => sum + ms(pcm), 0);
          cases += 1;
          if (heard.length === 1 && length >= ms(sentence) * 0.95) row.whole += 1;
          if (heard.length > 1) row.split += 1;
        }
      row.alone = utterances(hear(sound(ALONE, far).map((each) => each / 4))).length;
      console.log(
        `      ${name.padEnd(13)} ${row.whole} of ${cases} whole, ${row.split} split; alone: ${row.alone} messages in ${ALONE} s`,
      );
      assert.equal(row.alone, 0, name);
      all += cases;
      whole += row.whole;
    }
    assert.ok(whole >= all * 0.95, `${whole} of ${all}`);
  });

  it("is a voice within 200 ms, also right after a cough, so that no answer goes on over it", () => {
    const cough = coughs(0.8).subarray(SAMPLE_RATE / 2);
    for (const [voice, [sentence = new Int16Array(0)]] of said)
      for (const gap of [0, 50, 100, 200, 300, 400]) {
        const before = concat(noise(1_000, -65), cough, noise(gap, -65));
        const detector = new VoiceDetector(model);
        const endpointer = new Endpointer(700);
        const frames = cut(concat(before, sentence), [SOUND_FRAME]);
        const first = frames.findIndex((pcm) =>
          endpointer.push({ pcm, voice: detector.push(pcm) }).some(({ type }) => type === "voice"),
        );
        const after = ((first + 1) * SOUND_FRAME * 1000) / SAMPLE_RATE - ms(before);
        assert.ok(after > 0 && after <= 200, `${voice}, ${gap} ms after a cough: ${after} ms`);
      }
  });

  it("is each short word", async () => {
    const missed: string[] = [];
    for (const voice of VOICES.slice(0, said.size))
      for (const word of SHORT) {
        const sound = await spokenBy(voice, word);
        if (!sound) continue;
        const heard = utterances(hear(concat(noise(1_000, -65), sound, noise(1_000, -65))));
        if (heard.length !== 1) missed.push(`${voice}: ${word} ${ms(sound).toFixed(0)} ms`);
      }
    if (missed.length > 0) console.log(`      missed ${missed.join(", ")}`);
    assert.ok(missed.length <= (said.size * SHORT.length) / 20, missed.join(", "));
  });
});

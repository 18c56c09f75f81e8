import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { SOUND_FRAME } from "../../../src/protocol/voicePage.ts";
import { BINS, spectrum } from "../../../webview/voicePage/spectrum.ts";
import { VoiceDetector } from "../../../webview/voicePage/voiceDetector.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { cut, noise } from "../../fakes/sound.ts";
import { clicks, coughs, keyboard, mixed, music, pink } from "../../fakes/voice/sounds.ts";
import { samplesOf, speak } from "../../fakes/voice/speech.ts";
import { missingSpeechTools } from "../../harness/speechTools.mjs";

/** So long is each sound of a room. */
const SECONDS = campaignRuns(2, 6);
const bytes = fs.readFileSync("media/silero-vad/voiceModel.bin");
const detector = () => new VoiceDetector(Uint8Array.from(bytes).buffer);

/** The share of frames with a voice. */
function voiceIn(pcm: Int16Array, by = detector()): number {
  const frames = cut(pcm, [SOUND_FRAME]).map((frame) => by.push(frame) >= 0.5);
  return frames.filter(Boolean).length / frames.length;
}

describe("a voice", () => {
  it("is found in none of the sounds of a room", () => {
    const room = { pink: pink(SECONDS), music: music(SECONDS), coughs: coughs(SECONDS) };
    const desk = {
      clicks: clicks(SECONDS),
      keyboard: keyboard(SECONDS),
      noise: noise(SECONDS * 1_000, -20),
    };
    for (const [name, sound] of Object.entries({ ...room, ...desk }))
      assert.ok(voiceIn(sound) < 0.02, `${name}: ${voiceIn(sound)}`);
  });

  it("is found in speech, also over music and noise 14 dB below it", async function () {
    if (missingSpeechTools().length > 0) this.skip();
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "graft-voice-"));
    const file = path.join(dir, "said.wav");
    await speak("Change the name of the first function and then read the whole file.", file);
    const said = samplesOf(file);
    fs.rmSync(dir, { recursive: true });
    for (const over of [noise(100, -80), music(5), pink(5)])
      assert.ok(voiceIn(mixed(said, over, -14)) > 0.85);
  });

  it("is known by its frequencies, as the sum of waves says that defines them", () => {
    const sound = Float32Array.from(music(0.1).subarray(500, 1_140), (each) => each / 32_768);
    const found = new Float32Array(4 * BINS);
    spectrum(sound, found);
    for (const [index, size] of found.entries()) {
      const [time, bin] = [Math.floor(index / BINS), index % BINS];
      let [real, imaginary] = [0, 0];
      for (let at = 0; at < 256; at++) {
        const angle = (2 * Math.PI * at) / 256;
        const faded = (sound[time * 128 + at] ?? 0) * (0.5 - 0.5 * Math.cos(angle));
        real += faded * Math.cos(bin * angle);
        imaginary += faded * Math.sin(bin * angle);
      }
      assert.ok(Math.abs(size - Math.hypot(real, imaginary)) < 1e-4, `${bin} at ${time}`);
    }
    assert.ok(Math.max(...found) > 1);
  });

  it("is judged anew after a gap, and a file that is no model is refused", () => {
    const used = detector();
    const first = used.push(noise(32, -20));
    voiceIn(music(1), used);
    used.reset();
    assert.equal(used.push(noise(32, -20)), first);
    assert.throws(() => new VoiceDetector(new ArrayBuffer(200)));
  });
});

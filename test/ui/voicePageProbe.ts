import type { Page } from "playwright-core";
import * as z from "zod/mini";

/**
 * Runs in the voice page before its own script: `say` speaks into the microphone beside what the
 * fake device has, `recorded` is what goes to the loudspeaker while it is `loud`, `loudFrom` when
 * that first was since something was said, `loudTo` when it last was before that was over,
 * `saidFrom` and `saidTo` when its words began and ended, and `firstAt` when the first sound of the
 * last speech arrived. Times are Unix time in milliseconds.
 */
export const PROBE = `
if (globalThis.AudioContext && navigator.mediaDevices && window.top === window) {
  const now = () => performance.timeOrigin + performance.now();
  const probe = (globalThis.probe = { recorded: [], rate: 0, loud: false, loudFrom: 0, loudAt: 0, firstAt: 0, speech: -1 });
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (...args) {
    if (args[0] instanceof AudioDestinationNode) {
      probe.rate = this.context.sampleRate;
      const tap = this.context.createScriptProcessor(512, 1, 1);
      tap.onaudioprocess = ({ inputBuffer }) => {
        const samples = inputBuffer.getChannelData(0);
        const loud = samples.some((each) => Math.abs(each) > 0.005);
        probe.loud = loud;
        if (loud) probe.loudAt = now();
        if (loud && probe.loudFrom === 0) probe.loudFrom = now();
        if (now() - probe.loudAt < 500) probe.recorded.push(...samples);
      };
      connect.call(this, tap);
      connect.call(tap, args[0]);
    }
    return connect.apply(this, args);
  };
  const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (asked) => {
    const real = await getUserMedia(asked);
    const context = new AudioContext();
    const out = context.createMediaStreamDestination();
    connect.call(context.createMediaStreamSource(real), out);
    probe.say = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
      const source = context.createBufferSource();
      source.buffer = await context.decodeAudioData(bytes.buffer);
      connect.call(source, out);
      const samples = source.buffer.getChannelData(0);
      const isVoice = (each) => Math.abs(each) > 0.01;
      probe.saidFrom = now() + (samples.findIndex(isVoice) / source.buffer.sampleRate) * 1000;
      probe.saidTo = now() + (samples.findLastIndex(isVoice) / source.buffer.sampleRate) * 1000;
      probe.loudFrom = 0;
      source.start();
      await new Promise((resolve) => source.addEventListener("ended", resolve));
      probe.loudTo = probe.loudAt;
    };
    return out.stream;
  };
  const Socket = globalThis.WebSocket;
  globalThis.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return;
        const speech = new DataView(data).getUint32(0, true);
        if (speech !== probe.speech) probe.firstAt = now();
        probe.speech = speech;
      });
    }
  };
}
`;

const time = z._default(z.number(), 0);
const timesSchema = z.object({
  loudFrom: time,
  loudTo: time,
  firstAt: time,
  saidFrom: time,
  saidTo: time,
  rate: z.number(),
  loud: z.boolean(),
});

/** What the probe measured. */
export async function timesOf(page: Page) {
  // Without the sound, of which there may be minutes.
  return timesSchema.parse(await page.evaluate("(({ recorded, ...times }) => times)(probe)"));
}

/** Speaks into the page's microphone; settles when it has been said. */
export function sayTo(page: Page, wav: Buffer): Promise<unknown> {
  return page.evaluate(`probe.say(${JSON.stringify(wav.toString("base64"))})`);
}

/** What went to the loudspeaker and was loud, since the last time this was asked. */
export async function takePlayed(page: Page): Promise<Int16Array> {
  const samples = z.array(z.number()).parse(await page.evaluate("probe.recorded.splice(0)"));
  return Int16Array.from(samples, (sample) => Math.max(-1, Math.min(1, sample)) * 32_767);
}

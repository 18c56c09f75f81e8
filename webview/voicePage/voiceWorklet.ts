import { SOUND_FRAME } from "../../src/protocol/voicePage.ts";
import { PlayQueue } from "./playQueue.ts";
import { Resampler, toPcm } from "./resampler.ts";
import { type FromWorklet, LINE_RATE, PROCESSOR, type ToWorklet } from "./workletMessages.ts";

// Parts of AudioWorkletGlobalScope that the DOM types lack.
declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Samples per chunk (96 ms), because each chunk has overhead. */
const PIECE = 3 * SOUND_FRAME;
/** Samples per chunk during playback, because a voice must silence it immediately. */
const PIECE_OVER_SPEECH = SOUND_FRAME;
const QUANTUM = 128;
/** Seconds in which playback fades out and in. */
const FADE = 0.05;

/**
 * Records the microphone and plays speech on the audio thread, which browsers do not throttle in
 * background tabs.
 */
class VoiceProcessor extends AudioWorkletProcessor {
  private readonly capture = new Resampler(sampleRate, LINE_RATE);
  private readonly queue = new PlayQueue(LINE_RATE, sampleRate, (speech, ms) =>
    this.tell({ type: "played", speech, ms }),
  );
  private readonly silence = new Float32Array(QUANTUM);
  private readonly piece = new Float32Array(PIECE);
  private length = 0;
  private listening = false;
  private held = false;
  private volume = 1;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ToWorklet>) => this.receive(data);
  }

  process(
    [input]: readonly (readonly Float32Array[])[],
    [output]: readonly (readonly Float32Array[])[],
  ): boolean {
    const [speech] = output ?? [];
    if (speech) this.play(speech);
    if (this.listening) this.record(this.capture.push(input?.[0] ?? this.silence));
    return true;
  }

  private receive(message: ToWorklet): void {
    switch (message.type) {
      case "play":
        this.queue.add(message.speech, message.pcm);
        return;
      case "hush":
        this.queue.clear();
        return;
      case "hold":
        this.held = message.on;
        return;
      case "listen":
        if (!message.on) this.flush();
        this.listening = message.on;
        this.tell({ type: "mark", mark: message.mark });
        return;
    }
  }

  private play(output: Float32Array): void {
    if (this.held && this.volume === 0) {
      output.fill(0);
      return;
    }
    this.queue.pull(output);
    const step = (this.held ? -1 : 1) / (FADE * sampleRate);
    for (let at = 0; at < output.length; at++) {
      this.volume = Math.min(1, Math.max(0, this.volume + step));
      output[at] = (output[at] ?? 0) * this.volume;
    }
  }

  private record(samples: Float32Array): void {
    const longest = this.queue.isEmpty ? PIECE : PIECE_OVER_SPEECH;
    for (const sample of samples) {
      this.piece[this.length++] = sample;
      if (this.length >= longest) this.flush();
    }
  }

  private flush(): void {
    if (this.length === 0) return;
    const pcm = toPcm(this.piece.subarray(0, this.length));
    this.length = 0;
    this.port.postMessage({ type: "sound", pcm } satisfies FromWorklet, [pcm.buffer]);
  }

  private tell(message: FromWorklet): void {
    this.port.postMessage(message);
  }
}

registerProcessor(PROCESSOR, VoiceProcessor);

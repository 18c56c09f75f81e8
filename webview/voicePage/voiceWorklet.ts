import { PlayQueue } from "./playQueue.ts";
import { Resampler, toPcm } from "./resampler.ts";
import { type FromWorklet, LINE_RATE, PROCESSOR, type ToWorklet } from "./workletMessages.ts";

// Parts of AudioWorkletGlobalScope that the DOM types lack.
declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Samples per chunk (100 ms), because each chunk has overhead. */
const PIECE = LINE_RATE / 10;
/** Samples per chunk during playback (20 ms), because a voice must silence it immediately. */
const PIECE_OVER_SPEECH = LINE_RATE / 50;
const QUANTUM = 128;

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

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ToWorklet>) => this.receive(data);
  }

  process(
    [input]: readonly (readonly Float32Array[])[],
    [output]: readonly (readonly Float32Array[])[],
  ): boolean {
    const [speech] = output ?? [];
    if (speech) this.queue.pull(speech);
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
      case "listen":
        if (!message.on) this.flush();
        this.listening = message.on;
        this.tell({ type: "mark", mark: message.mark });
        return;
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

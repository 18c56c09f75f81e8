import type { Disposable } from "../../../src/base/disposable.ts";
import { Emitter } from "../../../src/base/emitter.ts";
import {
  type AudioEnd,
  type AudioLine,
  type HeardSound,
  SAMPLE_RATE,
} from "../../../src/ports/audioLine.ts";
import { heardSound } from "../sound.ts";

/** A line whose microphone and ears are the test. */
export class MemoryLine implements AudioLine {
  /** What was played and not silenced before it was heard, in order. */
  readonly played: { readonly speech: number; readonly pcm: Int16Array }[] = [];
  listening = false;
  hushed = 0;
  held = false;
  readonly closed: Promise<AudioEnd>;
  end: (end: AudioEnd) => void = () => undefined;
  private readonly sounds = new Emitter<HeardSound>();
  private readonly heard = new Emitter<readonly [speech: number, ms: number]>();
  private readonly mutes = new Emitter<boolean>();
  readonly onSound = this.sounds.on.bind(this.sounds);
  readonly onMuted = this.mutes.on.bind(this.mutes);

  constructor() {
    this.closed = new Promise((resolve) => (this.end = resolve));
  }

  onPlayed(listener: (speech: number, ms: number) => void): Disposable {
    return this.heard.on(([speech, ms]) => listener(speech, ms));
  }

  async listen(on: boolean): Promise<void> {
    this.listening = on;
  }

  play(speech: number, pcm: Int16Array): void {
    this.played.push({ speech, pcm });
  }

  hold(on: boolean): void {
    this.held = on;
  }

  hush(): void {
    this.hushed += 1;
  }

  close(): void {
    this.end({ code: "closed" });
  }

  /** The microphone hears `pcm`, as long as it is open. */
  say(pcm: Int16Array): void {
    for (const sound of heardSound(pcm)) if (this.listening) this.sounds.fire(sound);
  }

  mute(muted: boolean): void {
    this.mutes.fire(muted);
  }

  /** The user hears the first `pieces` pieces of the last speech; by default all of it. */
  listenTo(pieces = Number.POSITIVE_INFINITY): void {
    const speech = this.played.at(-1)?.speech ?? 0;
    const pcm = this.played.filter((each) => each.speech === speech).slice(0, pieces);
    this.heard.fire([
      speech,
      pcm.reduce((ms, each) => ms + (each.pcm.length * 1000) / SAMPLE_RATE, 0),
    ]);
  }
}

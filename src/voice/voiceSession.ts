import { type Disposable, DisposableStack } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import type { Localize } from "../base/localize.ts";
import { pause } from "../base/pause.ts";
import { SerialQueue } from "../base/serialQueue.ts";
import type { Voice } from "../model/speech/voice.ts";
import type { AudioEnd, AudioLine, OpenAudioLine } from "../ports/audioLine.ts";
import type { SpeechEnd, TurnEvent } from "../turns/turnEvent.ts";
import { type Announcement, Announcements } from "./announcements.ts";
import { Endpointer, type Heard } from "./endpointer.ts";
import { announcementText, type VoiceProblem } from "./messages.ts";
import { Speakable } from "./speakable.ts";
import { Speech, SpeechPlayer, type SpeechReport } from "./speech.ts";
import { SpokenAnswer } from "./spokenAnswer.ts";
import { spokenChoice, voiceCommand } from "./voiceCommands.ts";

/** The pause that ends an utterance in hands-free mode, in milliseconds. */
const PAUSE_MS = 700;
/**
 * Settings decide most approvals immediately. Only approvals still open after this delay are
 * announced.
 */
const ASKED_MS = 300;

/** The chat, as seen by the voice session. */
export interface VoiceChat {
  readonly busy: boolean;
  /** Sends what the user said. It is queued while a turn runs. */
  send(text: string): void;
  stop(): void;
  answer(callId: string, values: readonly string[]): void;
  /** Records how much of an answer the user heard. */
  speechEnded(turnId: string, speech: SpeechEnd): void;
  onEvent(listener: (event: TurnEvent) => void): Disposable;
  onBusy(listener: (busy: boolean) => void): Disposable;
}

/** Dependencies of a session. */
export interface VoiceSessionOptions {
  readonly chat: VoiceChat;
  readonly openLine: OpenAudioLine;
  /** The current speech recognizer and synthesizer, by the settings. */
  voice(): Voice;
  /** Whether pauses end utterances, instead of a button. Read when the line opens. */
  isHandsFree(): boolean;
  readonly t: Localize;
}

/** `ready`: the user must hold the button to speak. */
export type VoiceState =
  | "off"
  | "opening"
  | "ready"
  | "listening"
  | "hearing"
  | "recognizing"
  | "working"
  | "waiting"
  | "speaking";

/** The session as shown to the user. */
export interface VoiceStatus {
  readonly state: VoiceState;
  /** The words recognized so far. */
  readonly words: string;
  /** The browser blocks playback until the user clicks in the page. */
  readonly muted: boolean;
  /** Words and speech are simulated. */
  readonly demo: boolean;
  readonly problem: VoiceProblem | null;
}

interface OpenLine {
  readonly line: AudioLine;
  readonly player: SpeechPlayer;
  readonly isHandsFree: boolean;
  readonly listeners: DisposableStack;
}

/** A voice chat: sends what the user says to the chat, and speaks the answers. */
export class VoiceSession implements Disposable {
  private readonly options: VoiceSessionOptions;
  private readonly changes = new Emitter<VoiceStatus>();
  private readonly levels = new Emitter<number>();
  private readonly listeners = new DisposableStack();
  private readonly closing = new AbortController();
  private readonly recognition = new SerialQueue();
  private readonly announcements = new Announcements();
  private readonly answer: SpokenAnswer<Speech>;
  private opening: AbortController | null = null;
  private current: OpenLine | null = null;
  private endpointer: Endpointer | null = null;
  private isHearing = false;
  private isPressed = false;
  private isMuted = false;
  /** The number of utterances being recognized. */
  private recognizing = 0;
  private words = "";
  private problem: VoiceProblem | null = null;
  /** An utterance that could not be recognized, kept for `retry`. */
  private failed: Int16Array | null = null;
  private lastView = "";

  /** Called when {@link view} has changed. */
  readonly onChange = this.changes.on.bind(this.changes);
  /** Called with the microphone level, from 0 to 1, while sound arrives. */
  readonly onLevel = this.levels.on.bind(this.levels);

  constructor(options: VoiceSessionOptions) {
    this.options = options;
    this.answer = new SpokenAnswer(
      () => (this.current ? new Speech(options.voice()) : null),
      (turnId, speech) => this.playAnswer(turnId, speech),
    );
    this.listeners.add(options.chat.onEvent((event) => this.takeEvent(event)));
    this.listeners.add(options.chat.onBusy(() => this.changed()));
  }

  get view(): VoiceStatus {
    const { state, words, isMuted: muted, problem } = this;
    return { state, words, muted, demo: this.options.voice().isDemo ?? false, problem };
  }

  /** Opens the microphone and speaker. Calling it again is harmless. */
  async open(): Promise<void> {
    if (this.current || this.opening || this.closing.signal.aborted) return;
    const opening = new AbortController();
    this.opening = opening;
    this.problem = null;
    this.changed();
    const opened = await this.options.openLine(opening.signal);
    if (this.opening !== opening) {
      if (opened.ok) opened.value.close();
      return;
    }
    this.opening = null;
    if (opened.ok) this.attach(opened.value);
    else this.problem = { code: "line", end: opened.error };
    this.changed();
  }

  /** Closes the microphone and speaker. Complete utterances are still sent. */
  close(): void {
    this.opening?.abort();
    this.opening = null;
    this.isPressed = false;
    const { line } = this.current ?? {};
    this.detach({ code: "closed" });
    line?.close();
  }

  /** The user pressed the talk button. Opens the line if necessary. */
  press(): void {
    if (this.isPressed) return;
    this.isPressed = true;
    this.problem = null;
    if (this.current) this.beginPress(this.current);
    else void this.open();
    this.changed();
  }

  /** The user released the talk button. */
  async release(): Promise<void> {
    if (!this.isPressed) return;
    this.isPressed = false;
    const { current: open, endpointer } = this;
    if (!open || !endpointer || open.isHandsFree) {
      this.changed();
      return;
    }
    this.recognizing += 1;
    this.changed();
    await open.line.listen(false);
    this.recognizing -= 1;
    if (this.endpointer === endpointer) this.endpointer = null;
    // Null if the line closed first.
    const heard = endpointer.finish();
    if (heard) this.takeHeard(heard);
    this.changed();
  }

  /** Silences the answer. */
  hush(): void {
    this.current?.player.hush();
  }

  /** Silences the answer and stops the turn. */
  stop(): void {
    this.hush();
    this.options.chat.stop();
  }

  /** Retries recognition of the failed utterance. */
  retry(): void {
    const { failed } = this;
    this.failed = null;
    this.problem = null;
    if (failed) void this.recognize(failed);
    this.changed();
  }

  dispose(): void {
    this.close();
    this.closing.abort();
    this.listeners.dispose();
  }

  private get state(): VoiceState {
    const { current: open } = this;
    if (!open) return this.opening ? "opening" : this.recognizing > 0 ? "recognizing" : "off";
    if (this.isHearing) return "hearing";
    if (this.isPressed) return "listening";
    if (this.recognizing > 0) return "recognizing";
    if (open.player.isSpeaking) return "speaking";
    if (this.announcements.isWaiting) return "waiting";
    if (this.options.chat.busy) return "working";
    return open.isHandsFree ? "listening" : "ready";
  }

  private attach(line: AudioLine): void {
    const listeners = new DisposableStack();
    const isHandsFree = this.options.isHandsFree();
    const open = {
      line,
      isHandsFree,
      listeners,
      player: new SpeechPlayer(line, () => this.changed()),
    };
    this.current = open;
    listeners.add(line.onSound((pcm) => this.takeSound(pcm)));
    listeners.add(
      line.onMuted((muted) => {
        this.isMuted = muted;
        this.changed();
      }),
    );
    void line.closed.then((end) => this.current === open && this.detach(end));
    if (isHandsFree) {
      this.endpointer = new Endpointer(PAUSE_MS);
      void line.listen(true);
    } else if (this.isPressed) this.beginPress(open);
  }

  private detach(end: AudioEnd): void {
    const { current: open, endpointer } = this;
    if (!open) {
      this.changed();
      return;
    }
    this.current = null;
    this.endpointer = null;
    this.isHearing = false;
    this.isPressed = false;
    this.isMuted = false;
    open.listeners.dispose();
    open.player.lost();
    if (end.code !== "closed") {
      this.problem = { code: "line", end };
      const heard = endpointer?.finish();
      if (heard?.type === "utterance") void this.recognize(heard.pcm);
    }
    this.changed();
  }

  private beginPress({ line, player, isHandsFree }: OpenLine): void {
    player.hush();
    if (isHandsFree) return;
    this.endpointer = new Endpointer(null);
    void line.listen(true);
  }

  private takeSound(pcm: Int16Array): void {
    const { endpointer } = this;
    if (!endpointer) return;
    for (const heard of endpointer.push(pcm)) this.takeHeard(heard);
    this.levels.fire(endpointer.level);
  }

  private takeHeard(heard: Heard): void {
    this.isHearing = heard.type === "voice";
    if (heard.type === "voice") {
      this.problem = null;
      this.current?.player.hush();
    } else if (heard.type === "utterance") void this.recognize(heard.pcm);
    else if (!this.current?.isHandsFree) this.problem = { code: "nothing-heard" };
    this.changed();
  }

  private async recognize(utterance: Int16Array): Promise<void> {
    this.recognizing += 1;
    this.changed();
    const { signal } = this.closing;
    const show = (words: string) => {
      this.words = words;
      this.changed();
    };
    const result = await this.recognition.run(() =>
      this.options.voice().transcribe(utterance, signal, show),
    );
    this.recognizing -= 1;
    this.words = "";
    if (signal.aborted) return;
    if (!result.ok) {
      this.failed = utterance;
      this.problem = { code: "transcription", error: result.error };
    } else if (result.value.trim() === "") this.problem = { code: "nothing-recognized" };
    else this.takeWords(result.value.trim());
    this.changed();
  }

  private takeWords(words: string): void {
    const { chat } = this.options;
    const command = voiceCommand(words);
    const { question } = this.announcements;
    if (command === "hush" || (command === "stop" && !chat.busy)) this.hush();
    else if (command === "stop") this.stop();
    else if (question) {
      const values = spokenChoice(question, words);
      if (values) chat.answer(question.callId, values);
      else this.announce({ code: "no-option" });
    } else chat.send(words);
  }

  private takeEvent(event: TurnEvent): void {
    // A new request silences the answer.
    if (event.type === "turn-start" && event.role === "user") this.hush();
    const isSpoken = this.answer.isSpoken(event.turnId);
    this.answer.take(event);
    for (const announcement of this.announcements.take(event)) {
      if (!isSpoken) continue;
      if (announcement.code === "approval" && "callId" in event)
        void this.announceSoon(announcement, event.callId);
      else this.announce(announcement);
    }
    this.changed();
  }

  private async announceSoon(announcement: Announcement, callId: string): Promise<void> {
    await pause(ASKED_MS, this.closing.signal);
    if (this.announcements.isAsked(callId)) this.announce(announcement);
  }

  private announce(announcement: Announcement): void {
    const { player } = this.current ?? {};
    if (!player) return;
    const speech = new Speech(this.options.voice());
    const text = new Speakable();
    const sentences = text.push(announcementText(announcement, this.options.t));
    for (const sentence of [...sentences, ...text.flush()]) speech.add(sentence, null);
    speech.onEnd((report) => this.takeFailure(report));
    player.play(speech);
  }

  private playAnswer(turnId: string, speech: Speech | null): void {
    const { player } = this.current ?? {};
    if (!speech || !player) {
      speech?.drop();
      this.announce({ code: "on-screen" });
      return;
    }
    speech.onEnd((report) => {
      for (const step of report.steps)
        this.options.chat.speechEnded(turnId, { ...step, reason: report.reason });
      this.takeFailure(report);
    });
    player.play(speech);
  }

  private takeFailure({ reason, error }: SpeechReport): void {
    if (reason === "failed" && error) this.problem = { code: "speech", error };
  }

  private changed(): void {
    const { view } = this;
    const text = JSON.stringify(view);
    if (text === this.lastView) return;
    this.lastView = text;
    this.changes.fire(view);
  }
}

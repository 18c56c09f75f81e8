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

/** The pause that ends an utterance when no button is held. */
const PAUSE_MS = 700;
/** Settings answer most approvals at once; only the rest is announced. */
const ASKED_MS = 300;

/** The chat as the voice knows it. */
export interface VoiceChat {
  readonly busy: boolean;
  /** Sends what the user said; while a turn runs, it is queued. */
  send(text: string): void;
  /** Stops the running turn. */
  stop(): void;
  /** Answers the model's question. */
  answer(callId: string, values: readonly string[]): void;
  /** Records how much of an answer the user heard. */
  speechEnded(turnId: string, speech: SpeechEnd): void;
  onEvent(listener: (event: TurnEvent) => void): Disposable;
  onBusy(listener: (busy: boolean) => void): Disposable;
}

/** What a session needs. */
export interface VoiceSessionOptions {
  readonly chat: VoiceChat;
  readonly openLine: OpenAudioLine;
  /** Who turns sound into text and back, as the settings say now. */
  voice(): Voice;
  /** Without a button: pauses end what is said. Asked when the line opens. */
  isHandsFree(): boolean;
  readonly t: Localize;
}

/** `ready`: the button must be held to speak. */
export type VoiceState = "off" | "opening" | "ready" | "listening" | "hearing" | "recognizing" | "working" | "waiting" | "speaking";

/** What the user sees of a session. */
export interface VoiceView {
  readonly state: VoiceState;
  /** The words so far, while they are recognized. */
  readonly words: string;
  /** The browser plays nothing before a click into the page. */
  readonly muted: boolean;
  /** Words and speech are made up. */
  readonly demo: boolean;
  readonly problem: VoiceProblem | null;
}

interface OpenLine {
  readonly line: AudioLine;
  readonly player: SpeechPlayer;
  readonly isHandsFree: boolean;
  readonly listeners: DisposableStack;
}

/** Speaks with the user in place of the keyboard: sends what they say to the chat, and speaks the answers to it. */
export class VoiceSession implements Disposable {
  private readonly options: VoiceSessionOptions;
  private readonly changes = new Emitter<VoiceView>();
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
  /** Utterances that are not words yet. */
  private recognizing = 0;
  private words = "";
  private problem: VoiceProblem | null = null;
  /** What could not be recognized. */
  private failed: Int16Array | null = null;
  private lastView = "";

  /** Called when {@link view} has changed. */
  readonly onChange = this.changes.on.bind(this.changes);
  /** Called with the microphone's loudness, from 0 to 1, while sound comes. */
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

  get view(): VoiceView {
    const { state, words, isMuted: muted, problem } = this;
    return { state, words, muted, demo: this.options.voice().isDemo ?? false, problem };
  }

  /** Opens microphone and loudspeaker. Harmless where they are open. */
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

  /** Closes them. What was said completely is still sent. */
  close(): void {
    this.opening?.abort();
    this.opening = null;
    this.isPressed = false;
    const { line } = this.current ?? {};
    this.detach({ code: "closed" });
    line?.close();
  }

  /** The user holds the button: what they say from now on is for the chat. Opens the line where it is not open. */
  press(): void {
    if (this.isPressed) return;
    this.isPressed = true;
    this.problem = null;
    if (this.current) this.beginPress(this.current);
    else void this.open();
    this.changed();
  }

  /** The user let go of the button. */
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
    // Nothing where the line's end came first.
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

  /** Tries again to recognize what could not be recognized. */
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
    const open = { line, isHandsFree, listeners, player: new SpeechPlayer(line, () => this.changed()) };
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
    const result = await this.recognition.run(() => this.options.voice().transcribe(utterance, signal, show));
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
    // Whoever asks something else has heard enough.
    if (event.type === "turn-start" && event.role === "user") this.hush();
    const isSpoken = this.answer.isSpoken(event.turnId);
    this.answer.take(event);
    for (const announcement of this.announcements.take(event)) {
      if (!isSpoken) continue;
      if (announcement.code === "approval" && "callId" in event) void this.announceSoon(announcement, event.callId);
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
      for (const step of report.steps) this.options.chat.speechEnded(turnId, { ...step, reason: report.reason });
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

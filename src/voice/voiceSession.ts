import { type Disposable, DisposableStack } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import type { Localize } from "../base/localize.ts";
import type { Voice } from "../model/speech/voice.ts";
import type { AudioEnd, AudioLine, OpenAudioLine } from "../ports/audioLine.ts";
import { outerEvents } from "../turns/plan/outerEvents.ts";
import type { SpeechEnd, TurnEvent } from "../turns/turnEvent.ts";
import { type Announcement, Announcements, announcementDue } from "./announcements.ts";
import { Hearing } from "./hearing.ts";
import { announcementText, type VoiceProblem } from "./messages.ts";
import { Speakable } from "./speakable.ts";
import { Speech, SpeechPlayer, type SpeechReport } from "./speech.ts";
import { SpokenAnswer } from "./spokenAnswer.ts";
import { isDecision, voiceCommand } from "./voiceCommands.ts";

/** A longer answer is spoken up to here, and then Graft offers to read the rest. In sentences. */
const LONG_ANSWER = 6;
const SPOKEN_FIRST = 2;

/** The chat, as seen by the voice session. */
export interface VoiceChat {
  readonly busy: boolean;
  /** The user begins to speak, to the chat that is in front now. */
  began(): void;
  /** Sends what the user said. It is queued while a turn runs. */
  send(text: string): void;
  /** Puts what the user said into the composer, because the user did not end it. */
  draft(text: string): void;
  /** Shows the chat with what waits for the user's decision. */
  show(): void;
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
  /**
   * The pause that ends what is said, in milliseconds; null where a button does. Read when the line
   * opens.
   */
  pauseMs(): number | null;
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
  private readonly announcements = new Announcements();
  private readonly answer: SpokenAnswer<Speech>;
  private readonly hearing: Hearing;
  private opening: AbortController | null = null;
  private current: OpenLine | null = null;
  private isPressed = false;
  /** The button was let go, and its last sound is still to come. */
  private isReleasing = false;
  private isMuted = false;
  private problem: VoiceProblem | null = null;
  /** What is left of a long answer. */
  private rest: Speech | null = null;
  /** Announcements to come: one of approvals, and one of each call. */
  private readonly due = new Map<string, ReturnType<typeof setTimeout>>();
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
      options.t,
    );
    this.hearing = new Hearing({
      recognize: (pcm, onWords) => options.voice().transcribe(pcm, this.closing.signal, onWords),
      said: (words) => this.takeWords(words),
      draft: (words, reason) => {
        options.chat.draft(words);
        this.problem = { code: "draft", reason };
      },
      began: () => {
        this.problem = null;
        options.chat.began();
      },
      problem: (problem) => {
        this.problem = problem;
      },
      stateChanged: () => this.stateChanged(),
    });
    this.listeners.add(options.chat.onEvent(outerEvents((event) => this.takeEvent(event))));
    this.listeners.add(options.chat.onBusy(() => this.stateChanged()));
  }

  get view(): VoiceStatus {
    const { state, isMuted: muted, problem } = this;
    const { words } = this.hearing;
    return { state, words, muted, demo: this.options.voice().isDemo ?? false, problem };
  }

  /** Opens the microphone and speaker. Calling it again is harmless. */
  async openMicrophone(): Promise<void> {
    if (this.current || this.opening || this.closing.signal.aborted) return;
    const opening = new AbortController();
    this.opening = opening;
    this.problem = null;
    this.stateChanged();
    const opened = await this.options.openLine(opening.signal);
    if (this.opening !== opening) {
      if (opened.ok) opened.value.close();
      return;
    }
    this.opening = null;
    if (opened.ok) this.attach(opened.value);
    else {
      this.isPressed = false;
      this.problem = { code: "line", end: opened.error };
    }
    this.stateChanged();
  }

  /** Closes the microphone and speaker. What the user has not ended becomes a draft. */
  close(): void {
    this.opening?.abort();
    this.opening = null;
    const { line } = this.current ?? {};
    this.detach({ code: "closed" });
    line?.close();
  }

  /** The user pressed the talk button. Opens the line if necessary. */
  press(): void {
    if (this.isPressed || this.isReleasing) return;
    this.isPressed = true;
    this.problem = null;
    if (this.current) this.beginPress(this.current);
    else void this.openMicrophone();
    this.stateChanged();
  }

  /** The user released the talk button. */
  async release(): Promise<void> {
    if (!this.isPressed) return;
    this.isPressed = false;
    const { current: open } = this;
    this.isReleasing = open !== null && !open.isHandsFree;
    this.stateChanged();
    if (!open || !this.isReleasing) return;
    await open.line.listen(false);
    this.isReleasing = false;
    this.hearing.finish();
    this.stateChanged();
  }

  /** Silences the answer. */
  hush(): void {
    this.current?.player.stop("interrupted");
  }

  /** Silences the answer and stops the turn. */
  stop(): void {
    this.hush();
    this.options.chat.stop();
  }

  /** Retries recognition of the failed messages, in order. */
  retry(): void {
    this.problem = null;
    this.hearing.retry();
    this.stateChanged();
  }

  /** Closes the microphone. Settles when all that was said is a message or a draft. */
  async end(): Promise<void> {
    this.close();
    await this.hearing.settled();
    this.dispose();
  }

  dispose(): void {
    this.close();
    this.closing.abort();
    for (const timer of this.due.values()) clearTimeout(timer);
    this.listeners.dispose();
  }

  /** Whether the user is heard, or may go on speaking. Then nothing is played. */
  private get isTalking(): boolean {
    return this.isPressed || this.isReleasing || this.hearing.isTalking;
  }

  private get state(): VoiceState {
    const { current: open, hearing } = this;
    const isRecognizing = this.isReleasing || hearing.isRecognizing;
    if (!open) return this.opening ? "opening" : isRecognizing ? "recognizing" : "off";
    if (hearing.isHearing) return "hearing";
    if (this.isPressed) return "listening";
    if (isRecognizing) return "recognizing";
    if (open.player.isSpeaking) return "speaking";
    if (this.announcements.isWaiting) return "waiting";
    if (this.options.chat.busy) return "working";
    return open.isHandsFree ? "listening" : "ready";
  }

  private attach(line: AudioLine): void {
    const listeners = new DisposableStack();
    const pauseMs = this.options.pauseMs();
    const isHandsFree = pauseMs !== null;
    const player = new SpeechPlayer(line, () => this.stateChanged());
    const open = { line, isHandsFree, listeners, player };
    this.current = open;
    listeners.add(
      line.onSound((sound) => {
        this.hearing.takeSound(sound);
        this.levels.fire(this.hearing.level);
      }),
    );
    listeners.add(
      line.onMuted((muted) => {
        this.isMuted = muted;
        this.stateChanged();
      }),
    );
    void line.closed.then((end) => this.current === open && this.detach(end));
    if (isHandsFree) {
      this.hearing.begin(pauseMs);
      void line.listen(true);
    } else if (this.isPressed) this.beginPress(open);
  }

  private detach(end: AudioEnd): void {
    const { current: open } = this;
    this.isPressed = false;
    if (open) {
      this.current = null;
      this.isMuted = false;
      open.listeners.dispose();
      open.player.stop("failed");
      if (end.code !== "closed") this.problem = { code: "line", end };
      // What the button has ended, `release` sends.
      if (!this.isReleasing) this.hearing.stop(end.code);
    }
    this.stateChanged();
  }

  private beginPress({ line, isHandsFree }: OpenLine): void {
    if (isHandsFree) return;
    this.hearing.begin(null);
    void line.listen(true);
  }

  private takeWords(words: string): void {
    const { chat } = this.options;
    const { question, asked } = this.announcements;
    this.hush();
    if (this.obeys(words)) return;
    // The model knows its own question best: "the second one" is an answer to it.
    if (question !== null) chat.answer(question, [words]);
    else if (asked !== null && isDecision(words, asked)) this.announce({ code: "by-hand" });
    else chat.send(words);
  }

  /** Does what the words command. False where they are no command, or there is nothing to do. */
  private obeys(words: string): boolean {
    const { current, rest } = this;
    const command = voiceCommand(words);
    if (command === "stop" && this.options.chat.busy) this.stop();
    if (command === "stop" || command === "hush") return true;
    if (command === "show" && this.announcements.isWaiting) {
      this.options.chat.show();
      return true;
    }
    if (command !== "read" || !rest) return false;
    this.rest = null;
    current?.player.play(rest);
    return true;
  }

  private takeEvent(event: TurnEvent): void {
    // A new request silences the answer.
    if (event.type === "turn-start" && event.role === "user") {
      this.hush();
      this.rest = null;
    }
    const isSpoken = this.answer.isSpoken(event.turnId);
    this.answer.takeEvent(event);
    for (const announcement of this.announcements.takeEvent(event))
      if (isSpoken) this.announceDue(announcement);
    if (event.type === "turn-end" && this.rest)
      this.announce({ code: "more", command: this.announcements.command });
    this.stateChanged();
  }

  /** Announces what is still so after a while: settings decide most approvals immediately. */
  private announceDue(announcement: Announcement): void {
    if (!("callId" in announcement)) {
      this.announce(announcement);
      return;
    }
    const { code, callId } = announcement;
    const key = code === "approval" ? code : callId;
    clearTimeout(this.due.get(key));
    const say = () => {
      this.due.delete(key);
      // Whoever is talking, or hears something, knows that Graft is there.
      const isNeeded = code === "approval" || !(this.isTalking || this.current?.player.isSpeaking);
      if (isNeeded && this.announcements.isOpen(announcement)) this.announce(announcement);
    };
    this.due.set(key, setTimeout(say, announcementDue(announcement)));
  }

  private announce(announcement: Announcement): void {
    const { player } = this.current ?? {};
    if (!player) return;
    const speech = new Speech(this.options.voice());
    const text = new Speakable(this.options.t);
    const sentences = text.push(announcementText(announcement, this.options.t));
    for (const sentence of [...sentences, ...text.flush()]) speech.add(sentence, null);
    speech.onEnd((report) => this.takeFailure(report));
    const isCall = "callId" in announcement;
    player.play(speech, () => !isCall || this.announcements.isOpen(announcement));
  }

  private playAnswer(turnId: string, speech: Speech | null): void {
    const { player } = this.current ?? {};
    if (!speech || !player) {
      speech?.drop();
      this.announce({ code: "on-screen" });
      return;
    }
    this.rest = speech.length > LONG_ANSWER ? speech.split(SPOKEN_FIRST) : null;
    for (const part of [speech, this.rest])
      part?.onEnd((report) => {
        for (const step of report.steps)
          this.options.chat.speechEnded(turnId, { ...step, reason: report.reason });
        this.takeFailure(report);
      });
    player.play(speech);
  }

  private takeFailure({ reason, error }: SpeechReport): void {
    if (reason === "failed" && error) this.problem = { code: "speech", error };
  }

  private stateChanged(): void {
    this.current?.player.hold(this.isTalking);
    const { view } = this;
    const text = JSON.stringify(view);
    if (text === this.lastView) return;
    this.lastView = text;
    this.changes.fire(view);
  }
}

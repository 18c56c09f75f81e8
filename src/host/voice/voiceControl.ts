import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import type { PanelMessage, PanelVoice, VoiceMessage } from "../../protocol/messages.ts";
import { fromVoicePageSchema } from "../../protocol/voicePageMessages.ts";
import { problemMessage } from "../../voice/messages.ts";
import type { VoiceSession } from "../../voice/voiceSession.ts";
import { t } from "../localize.ts";
import { openGraftSettings } from "../settings/configuration.ts";
import type { HostVoiceOptions, HostVoiceView } from "./hostVoice.ts";
import { voiceStatusLabel } from "./messages.ts";

type Action = Extract<PanelMessage, { readonly type: "voice" }>["action"];

/** What {@link VoiceControl} needs. */
export interface VoiceControlOptions extends Omit<HostVoiceOptions, "changed" | "level" | "parse"> {
  /** Loads what opens a microphone; null where none can be opened. */
  readonly load: ((options: HostVoiceOptions) => Promise<VoiceSession>) | null;
  /** Asks for the key of the server that hears and speaks. */
  setKey(): Promise<unknown>;
  /** Tells the panel. */
  tell(message: VoiceMessage): void;
}

/** Least milliseconds between two levels that the panel gets. */
const LEVEL_MS = 80;

/** Speaking with Graft as commands, the panel and the status bar have it. Loads its parts when the user first wants to talk. */
export class VoiceControl implements Disposable {
  private readonly options: VoiceControlOptions;
  private readonly owned = new DisposableStack();
  private readonly item: vscode.StatusBarItem;
  private loaded: Promise<VoiceSession> | null = null;
  private voice: PanelVoice;
  private levelAt = 0;

  constructor(options: VoiceControlOptions) {
    this.options = options;
    this.item = this.owned.add(vscode.window.createStatusBarItem("graft.voice", vscode.StatusBarAlignment.Left));
    this.item.name = t("Graft: Microphone");
    this.item.command = "graft.closeMicrophone";
    const reason = t("Voice works in VS Code on the desktop and with remotes, but not in VS Code for the Web.");
    this.voice = {
      state: "off",
      handsFree: options.settings().mode === "handsFree",
      words: "",
      muted: false,
      demo: false,
      problem: null,
      unavailable: options.load === null ? reason : null,
    };
  }

  /** Tells the panel how it is. */
  show(): void {
    this.options.tell({ type: "voice", voice: this.voice });
  }

  /** The settings may have changed. An open microphone stays as it is. */
  settingsChanged(): void {
    const handsFree = this.options.settings().mode === "handsFree";
    if (this.voice.state !== "off" || this.voice.handsFree === handsFree) return;
    this.voice = { ...this.voice, handsFree };
    this.show();
  }

  /** Begins to talk, or ends it: what was said is sent. Hands-free it turns the microphone on and off. */
  async talk(): Promise<void> {
    const { state, handsFree, unavailable } = this.voice;
    if (unavailable !== null) void vscode.window.showInformationMessage(unavailable);
    else if (state === "opening" || (handsFree && state !== "off")) await this.act("close");
    else await this.act(state === "listening" || state === "hearing" ? "release" : "press");
  }

  /** Does what a click in the panel asks for. */
  async act(action: Action): Promise<void> {
    if (action === "settings") return openGraftSettings("graft.voice.");
    if (action === "key") return void (await this.options.setKey());
    // Only talking loads anything, and only talking opens a microphone.
    const voice = action === "press" ? await this.load() : await this.loaded;
    // Hands-free nothing is held.
    if (action === "press" && this.voice.handsFree) void voice?.open();
    else await voice?.[action]();
  }

  dispose(): void {
    void this.loaded?.then((voice) => voice.dispose());
    this.loaded = null;
    this.owned.dispose();
  }

  private load(): Promise<VoiceSession> | null {
    const { load, tell } = this.options;
    this.loaded ??=
      load?.({
        ...this.options,
        parse: (message) => fromVoicePageSchema.safeParse(message).data ?? null,
        changed: (voice) => this.changed(voice),
        level: (level) => {
          if (performance.now() - this.levelAt < LEVEL_MS) return;
          this.levelAt = performance.now();
          tell({ type: "voice-level", level });
        },
      }) ?? null;
    return this.loaded;
  }

  private changed(voice: HostVoiceView): void {
    const { problem } = voice;
    const retry = problem?.code === "transcription";
    const key = problem !== null && "error" in problem && ["no-key", "key-rejected"].includes(problem.error.code);
    const told = problem && { text: problemMessage(problem, t), retry, key };
    this.voice = { ...voice, problem: told, unavailable: null };
    this.show();
    const open = voice.state !== "off";
    void vscode.commands.executeCommand("setContext", "graft.voiceOpen", open);
    if (!open) {
      this.item.hide();
      return;
    }
    this.item.text = voiceStatusLabel(t, voice.state);
    this.item.tooltip = t("Graft's voice page has the microphone. Click to turn it off.");
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    this.item.show();
  }
}

import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import type { Voice } from "../../model/speech/voice.ts";
import type { PanelMessage, PanelVoice, VoiceMessage } from "../../protocol/messages.ts";
import { fromVoicePageSchema } from "../../protocol/voicePageMessages.ts";
import { problemMessage } from "../../voice/messages.ts";
import type { VoiceChat, VoiceSession } from "../../voice/voiceSession.ts";
import type { Host } from "../host.ts";
import { t } from "../localize.ts";
import { openGraftSettings } from "../settings/configuration.ts";
import type { VoiceSettings } from "../settings/settings.ts";
import type { HostVoiceView } from "./hostVoice.ts";
import { voiceStatusLabel } from "./messages.ts";

type VoiceCommand = Extract<PanelMessage, { readonly type: "voice" }>["action"];

/** Sends a message to the panel. */
export type TellVoice = (message: VoiceMessage) => void;

/** Minimum milliseconds between two level updates for the panel. */
const LEVEL_MS = 80;

/**
 * Voice chat for the commands, the panel and the status bar. Loads its parts when the user first
 * talks.
 */
export class VoiceControl implements Disposable {
  private readonly host: Pick<Host, "adapters" | "configuration" | "context">;
  private readonly chat: VoiceChat;
  private readonly chosenVoice: () => Voice;
  private readonly setKey: () => Promise<unknown>;
  private readonly tell: TellVoice;
  private readonly owned = new DisposableStack();
  private readonly item: vscode.StatusBarItem;
  private loaded: Promise<VoiceSession> | null = null;
  private voice: PanelVoice;
  private levelAt = 0;
  /** Whether the window closes. */
  isEnding = false;
  /** What was said as the window closed is being kept. */
  kept: Promise<void> = Promise.resolve();

  /** `setKey` asks for the voice server's key, and `tell` sends a message to the panel. */
  constructor(
    host: Pick<Host, "adapters" | "configuration" | "context">,
    chat: VoiceChat,
    chosenVoice: () => Voice,
    setKey: () => Promise<unknown>,
    tell: TellVoice,
  ) {
    this.host = host;
    this.chat = chat;
    this.chosenVoice = chosenVoice;
    this.setKey = setKey;
    this.tell = tell;
    this.item = this.owned.add(
      vscode.window.createStatusBarItem("graft.voice", vscode.StatusBarAlignment.Left),
    );
    this.item.name = t("Graft: Microphone");
    this.item.command = "graft.closeMicrophone";
    const reason = t(
      "Voice works in VS Code on the desktop and with remotes, but not in VS Code for the Web.",
    );
    this.voice = {
      state: "off",
      handsFree: this.settings.mode === "handsFree",
      words: "",
      muted: false,
      demo: false,
      problem: null,
      unavailable: host.adapters.voice === null ? reason : null,
    };
  }

  /** Sends the current state to the panel. */
  show(): void {
    this.tell({ type: "voice", voice: this.voice });
  }

  /** The settings may have changed. An open microphone is not affected. */
  settingsChanged(): void {
    const handsFree = this.settings.mode === "handsFree";
    if (this.voice.state !== "off" || this.voice.handsFree === handsFree) return;
    this.voice = { ...this.voice, handsFree };
    this.show();
  }

  /**
   * Starts talking, or stops and sends what was said. In hands-free mode, turns the microphone on
   * or off.
   */
  async talk(): Promise<void> {
    const { state, handsFree, unavailable } = this.voice;
    if (unavailable !== null) void vscode.window.showInformationMessage(unavailable);
    else if (state === "opening" || (handsFree && state !== "off")) await this.act("close");
    else await this.act(state === "listening" || state === "hearing" ? "release" : "press");
  }

  /** Performs an action that the user clicked in the panel. */
  async act(action: VoiceCommand): Promise<void> {
    if (action === "settings") return openGraftSettings("graft.voice.");
    if (action === "key") return void (await this.setKey());
    // Only `press` loads voice and opens a microphone.
    const voice = action === "press" ? await this.load() : await this.loaded;
    // In hands-free mode, the button is not held.
    if (action === "press" && this.voice.handsFree) void voice?.openMicrophone();
    else await voice?.[action]();
  }

  /** The window closes. Settles when what was being said is kept. */
  async end(): Promise<void> {
    this.isEnding = true;
    await (await this.loaded)?.end();
    await this.kept;
  }

  dispose(): void {
    void this.loaded?.then((voice) => voice.dispose());
    this.loaded = null;
    this.owned.dispose();
  }

  private get settings(): VoiceSettings {
    return this.host.configuration.settings.voice;
  }

  private load(): Promise<VoiceSession> | null {
    const { chat, chosenVoice, host, tell } = this;
    this.loaded ??=
      host.adapters.voice?.({
        extensionUri: host.context.extensionUri,
        chat,
        settings: () => this.settings,
        voice: chosenVoice,
        parse: (message) => fromVoicePageSchema.safeParse(message).data ?? null,
        voiceChanged: (voice) => this.voiceChanged(voice),
        level: (level) => {
          if (performance.now() - this.levelAt < LEVEL_MS) return;
          this.levelAt = performance.now();
          tell({ type: "voice-level", level });
        },
      }) ?? null;
    return this.loaded;
  }

  private voiceChanged(voice: HostVoiceView): void {
    const { problem } = voice;
    const retry = problem?.code === "transcription";
    const key =
      problem !== null &&
      "error" in problem &&
      ["no-key", "key-rejected"].includes(problem.error.code);
    const told = problem && { text: problemMessage(problem, t), retry, key };
    this.voice = { ...voice, problem: told, unavailable: null };
    this.show();
    const open = voice.state !== "off";
    void vscode.commands.executeCommand("setContext", "graft.voiceOpen", open);
    if (!open) {
      this.item.hide();
      return;
    }
    this.item.text = voiceStatusLabel(t, this.voice);
    this.item.tooltip = t("Graft's voice page has the microphone. Click to turn it off.");
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    this.item.show();
  }
}

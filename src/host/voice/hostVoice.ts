import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { ModelError } from "../../model/modelFailure.ts";
import type { AudioEnd, AudioLine } from "../../ports/audioLine.ts";
import type { Voice } from "../../ports/voice.ts";
import type { PanelVoice } from "../../protocol/messages.ts";
import type { VoicePage } from "../../protocol/voicePage.ts";
import type { VoiceProblem } from "../../voice/messages.ts";
import { type OwnSound, type VoiceChat, VoiceSession } from "../../voice/voiceSession.ts";
import { t } from "../localize.ts";
import type { VoiceSettings } from "../settings/settings.ts";
import { showVoicePage } from "./showVoicePage.ts";

/** What voice needs of the window. */
export interface HostVoiceOptions {
  readonly extensionUri: vscode.Uri;
  readonly chat: VoiceChat;
  settings(): VoiceSettings;
  voice(): Voice<ModelError>;
  readonly ownSound: OwnSound;
  /** Checks a message of the page; null where it is none. */
  readonly parse: VoicePage["parse"];
  /** Something that the user sees has changed. */
  changed(voice: HostVoiceView): void;
  level(level: number): void;
}

/** What the user sees of a session. */
export interface HostVoiceView extends Omit<PanelVoice, "problem" | "unavailable"> {
  readonly problem: VoiceProblem | null;
}

/** Opens a page with a microphone; settles when the microphone is open. */
export type OpenVoicePage = (page: VoicePage, signal: AbortSignal) => Promise<Result<AudioLine, AudioEnd>>;

/** A session of this window. */
export interface HostVoice extends Disposable, Pick<VoiceSession, "press" | "release" | "hush" | "stop" | "close" | "retry"> {}

/** Makes the session of a window. Nothing is opened yet. */
export function createHostVoice(options: HostVoiceOptions, openPage: OpenVoicePage): HostVoice {
  const { extensionUri, chat, settings } = options;
  let refusal: AudioEnd | null = null;
  let handsFree = false;
  const session = new VoiceSession({
    chat,
    t,
    voice: options.voice,
    ownSound: options.ownSound,
    isHandsFree: () => handsFree,
    openLine(signal) {
      handsFree = settings().mode === "handsFree";
      return openPage(
        {
          readFile: async (name) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, "dist", "webview", name)),
          language: vscode.env.language,
          translations: vscode.l10n.bundle ?? {},
          theme: theme(),
          parse: options.parse,
          handsFree,
          talk: (on) => (on ? session.press() : void session.release()),
          show: (url, token) => showVoicePage(url, token, settings().page),
          refused(refused) {
            refusal = refused && { code: refused.code, detail: refused.detail };
            changed();
          },
        },
        signal,
      );
    },
  });
  const changed = () => {
    const { state, words, isMuted, isDemo, problem } = session.view;
    options.changed({
      state,
      handsFree: state === "off" || state === "opening" ? settings().mode === "handsFree" : handsFree,
      words,
      muted: isMuted,
      demo: isDemo,
      problem: problem ?? (refusal && { code: "line", end: refusal }),
    });
  };
  session.onChange(changed);
  session.onLevel(options.level);
  return {
    press() {
      const { state } = session.view;
      // Hands-free nothing is held.
      if (state === "off" ? settings().mode === "handsFree" : handsFree) void session.open();
      else session.press();
    },
    release: () => session.release(),
    hush: () => session.hush(),
    stop: () => session.stop(),
    close: () => session.close(),
    retry: () => session.retry(),
    dispose: () => session.dispose(),
  };
}

function theme(): VoicePage["theme"] {
  switch (vscode.window.activeColorTheme.kind) {
    case vscode.ColorThemeKind.Light:
      return "light";
    case vscode.ColorThemeKind.HighContrast:
      return "high-contrast";
    case vscode.ColorThemeKind.HighContrastLight:
      return "high-contrast-light";
    default:
      return "dark";
  }
}

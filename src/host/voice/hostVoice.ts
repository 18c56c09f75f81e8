import * as vscode from "vscode";
import type { Result } from "../../base/result.ts";
import type { Voice } from "../../model/speech/voice.ts";
import type { AudioEnd, AudioLine } from "../../ports/audioLine.ts";
import type { VoicePage } from "../../protocol/voicePage.ts";
import { type VoiceChat, VoiceSession, type VoiceStatus } from "../../voice/voiceSession.ts";
import { t, wordsLanguage } from "../localize.ts";
import type { VoiceSettings } from "../settings/settings.ts";

/** Opens VS Code's integrated browser, which not every version has. */
const INTEGRATED_BROWSER = "workbench.action.browser.open";

/** The pauses that end what is said, in milliseconds. */
const PAUSE_MS = { short: 700, patient: 1_500 } as const;

/** The parts of the window that voice needs. */
export interface HostVoiceOptions {
  readonly extensionUri: vscode.Uri;
  readonly chat: VoiceChat;
  settings(): VoiceSettings;
  voice(): Voice;
  /** Parses a message from the page. Null if it is invalid. */
  readonly parse: VoicePage["parse"];
  /** Called when something visible changed. */
  voiceChanged(voice: HostVoiceView): void;
  level(level: number): void;
}

/** The session as shown to the user. */
export interface HostVoiceView extends VoiceStatus {
  readonly handsFree: boolean;
}

/** Opens a page with a microphone. Settles when the microphone is open. */
export type OpenVoicePage = (
  page: VoicePage,
  signal: AbortSignal,
) => Promise<Result<AudioLine, AudioEnd>>;

/** Creates the window's voice session without opening anything. */
export function createHostVoice(options: HostVoiceOptions, openPage: OpenVoicePage): VoiceSession {
  const { extensionUri, chat, settings } = options;
  let refusal: AudioEnd | null = null;
  let handsFree = false;
  const session = new VoiceSession({
    chat,
    t,
    voice: options.voice,
    pauseMs: () => (handsFree ? PAUSE_MS[settings().pause] : null),
    openLine(signal) {
      handsFree = settings().mode === "handsFree";
      return openPage(
        {
          readFile: async (name) =>
            vscode.workspace.fs.readFile(
              vscode.Uri.joinPath(extensionUri, "dist", "webview", name),
            ),
          language: wordsLanguage(),
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
    const { view } = session;
    options.voiceChanged({
      ...view,
      handsFree:
        view.state === "off" || view.state === "opening"
          ? settings().mode === "handsFree"
          : handsFree,
      problem: view.problem ?? (refusal && { code: "line", end: refusal }),
    });
  };
  session.onChange(changed);
  session.onLevel(options.level);
  return session;
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

/**
 * Shows a page served by this machine, in VS Code's integrated browser to the side, or in the
 * user's browser. `token` becomes the fragment of the forwarded URL. False if it did not open.
 */
async function showVoicePage(
  url: string,
  token: string,
  where: "integrated" | "external",
): Promise<boolean> {
  const page = (await vscode.env.asExternalUri(vscode.Uri.parse(url))).with({ fragment: token });
  if (
    where === "integrated" &&
    (await vscode.commands.getCommands(true)).includes(INTEGRATED_BROWSER)
  ) {
    await vscode.commands.executeCommand(INTEGRATED_BROWSER, {
      url: page.toString(true),
      openToSide: true,
    });
    return true;
  }
  return vscode.env.openExternal(page);
}

import * as z from "zod/mini";
import {
  CLOSED_AS_TAKEN,
  packSound,
  unpackSpeech,
  VOICE_PROTOCOL,
} from "../../src/protocol/voicePage.ts";
import { type FromVoicePage, toVoicePageSchema } from "../../src/protocol/voicePageMessages.ts";
import type { PageState } from "./messages.ts";
import { type Microphone, openMicrophone } from "./openMicrophone.ts";
import { PageView } from "./pageView.ts";
import type { FromWorklet, ToWorklet } from "./workletMessages.ts";

// The content security policy forbids eval, which zod would try.
z.config({ jitless: true });

const token = location.hash.slice(1);
// The token can be used only once and should not stay in the history.
history.replaceState(null, "", location.pathname + location.search);

let state: PageState = { code: "connecting" };
let microphone: Microphone | null = null;
let asking = false;
let listen = { on: false, mark: 0 };
let connected = false;
const view = new PageView(document.getElementById("root") ?? document.body, {
  retry: () => void askForMicrophone(),
  talk: () => sendToHost({ type: "talk", on: !listen.on }),
  hear: () => void microphone?.context.resume(),
  stop() {
    sendToHost({ type: "stop" });
    endSession({ code: "stopped" });
  },
});
/** What the codes mean with which the host closes the connection. */
const ENDS: ReadonlyMap<number, "stopped" | "taken"> = new Map([
  [1000, "stopped"],
  [CLOSED_AS_TAKEN, "taken"],
]);
const address = new URL("socket", location.href);
address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
address.hash = "";
const socket = new WebSocket(address, token === "" ? [VOICE_PROTOCOL] : [VOICE_PROTOCOL, token]);
socket.binaryType = "arraybuffer";
socket.addEventListener("open", () => {
  connected = true;
  void askForMicrophone();
});
socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => receive(data));
socket.addEventListener("close", ({ code }) => {
  endSession({ code: connected ? (ENDS.get(code) ?? "lost") : "used" });
  // Some browsers do not let a page close its window. Then the page asks the user to do it.
  if (state.code === "stopped") window.close();
});
showState(state);

async function askForMicrophone(): Promise<void> {
  if (asking || isOver()) return;
  asking = true;
  showState({ code: "asking" });
  const { worklet = "", model = "", mode } = document.body.dataset;
  const opened = await openMicrophone({ worklet, model }, mode === "handsFree");
  asking = false;
  if ("type" in opened) {
    if (isOver()) return;
    sendToHost(opened);
    showState({ code: "refused", refusal: opened });
    return;
  }
  if (isOver()) {
    opened.close();
    return;
  }
  microphone = opened;
  opened.onEnded(() => {
    if (isOver()) return;
    sendToHost({ type: "unplugged" });
    endSession({ code: "unplugged" });
  });
  opened.processor.onmessage = ({ data }: MessageEvent<FromWorklet>) => heard(data);
  opened.context.addEventListener("statechange", showMuted);
  tellWorklet({ type: "listen", ...listen });
  sendToHost({ type: "open" });
  showMuted();
}

function receive(data: unknown): void {
  if (data instanceof ArrayBuffer) {
    if (data.byteLength < 4 || data.byteLength % 2 === 1) return;
    tellWorklet({ type: "play", ...unpackSpeech(data) });
    return;
  }
  const parsed = toVoicePageSchema.safeParse(JSON.parse(String(data)));
  if (!parsed.success) return;
  if (parsed.data.type !== "listen") {
    tellWorklet(parsed.data);
    return;
  }
  const { on, mark } = parsed.data;
  if (on && !listen.on) microphone?.detector.reset();
  listen = { on, mark };
  if (microphone === null) sendToHost({ type: "mark", mark });
  else tellWorklet({ type: "listen", on, mark });
  if (microphone !== null) showState({ code: on ? "listening" : "paused" });
}

/** Handles a message from the audio processor. */
function heard(message: FromWorklet): void {
  switch (message.type) {
    case "sound":
      sendSound(message.pcm);
      view.showSound(message.pcm);
      return;
    default:
      sendToHost(message);
  }
}

function sendSound(pcm: Int16Array): void {
  if (microphone === null || socket.readyState !== WebSocket.OPEN) return;
  const { detector } = microphone;
  socket.send(packSound(pcm, (frame) => detector.push(frame)));
}

function tellWorklet(message: ToWorklet): void {
  microphone?.processor.postMessage(message);
}

function sendToHost(message: FromVoicePage): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** Browsers allow audio only after a click, or while the page has the microphone. */
function showMuted(): void {
  if (microphone === null || isOver()) return;
  sendToHost({ type: "muted", muted: isMuted() });
  showState({ code: listen.on ? "listening" : "paused" });
}

function isMuted(): boolean {
  return microphone !== null && microphone.context.state !== "running";
}

function isOver(): boolean {
  return ["stopped", "lost", "taken", "unplugged", "used"].includes(state.code);
}

function endSession(last: PageState): void {
  if (isOver()) return;
  microphone?.close();
  microphone = null;
  showState(last);
  socket.close();
}

function showState(next: PageState): void {
  state = next;
  view.show(state, isMuted());
}

import * as z from "zod/mini";
import { unpackSpeech, VOICE_PROTOCOL } from "../../src/protocol/voicePage.ts";
import { type FromVoicePage, toVoicePageSchema } from "../../src/protocol/voicePageMessages.ts";
import type { PageState } from "./messages.ts";
import { type Microphone, openMicrophone } from "./openMicrophone.ts";
import { PageView } from "./pageView.ts";
import type { FromWorklet, ToWorklet } from "./workletMessages.ts";

// The page's content security policy forbids eval, which zod would try.
z.config({ jitless: true });

const token = location.hash.slice(1);
// The token serves once, and belongs in no history.
history.replaceState(null, "", location.pathname + location.search);

let state: PageState = { code: "connecting" };
let microphone: Microphone | null = null;
let asking = false;
let listen = { on: false, mark: 0 };
let connected = false;
const view = new PageView(document.getElementById("root") ?? document.body, {
  retry: () => void open(),
  talk: () => send({ type: "talk", on: !listen.on }),
  hear: () => void microphone?.context.resume(),
  stop() {
    send({ type: "stop" });
    end({ code: "stopped" });
  },
});
const address = new URL("socket", location.href);
address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
address.hash = "";
const socket = new WebSocket(address, token === "" ? [VOICE_PROTOCOL] : [VOICE_PROTOCOL, token]);
socket.binaryType = "arraybuffer";
socket.addEventListener("open", () => {
  connected = true;
  void open();
});
socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => receive(data));
socket.addEventListener("close", ({ code }) => {
  end({ code: !connected ? "used" : code === 1000 ? "stopped" : "lost" });
  // Not every browser lets a page do so; then it says that the user can.
  if (state.code === "stopped") window.close();
});
show(state);

async function open(): Promise<void> {
  if (asking || isOver()) return;
  asking = true;
  show({ code: "asking" });
  const { worklet = "", mode } = document.body.dataset;
  const opened = await openMicrophone(worklet, mode === "handsFree");
  asking = false;
  if ("type" in opened) {
    if (isOver()) return;
    send(opened);
    show({ code: "refused", refusal: opened });
    return;
  }
  if (isOver()) {
    opened.close();
    return;
  }
  microphone = opened;
  opened.onEnded(() => {
    if (isOver()) return;
    send({ type: "unplugged" });
    end({ code: "unplugged" });
  });
  opened.processor.onmessage = ({ data }: MessageEvent<FromWorklet>) => heard(data);
  opened.context.addEventListener("statechange", showMuted);
  tell({ type: "listen", ...listen });
  send({ type: "open" });
  showMuted();
}

function receive(data: unknown): void {
  if (data instanceof ArrayBuffer) {
    if (data.byteLength < 4 || data.byteLength % 2 === 1) return;
    tell({ type: "play", ...unpackSpeech(data) });
    return;
  }
  const parsed = toVoicePageSchema.safeParse(JSON.parse(String(data)));
  if (!parsed.success) return;
  if (parsed.data.type === "hush") {
    tell({ type: "hush" });
    return;
  }
  const { on, mark } = parsed.data;
  listen = { on, mark };
  if (microphone === null) send({ type: "mark", mark });
  else tell({ type: "listen", on, mark });
  if (microphone !== null) show({ code: on ? "listening" : "paused" });
}

/** What the processor says. */
function heard(message: FromWorklet): void {
  switch (message.type) {
    case "sound":
      if (socket.readyState === WebSocket.OPEN) socket.send(message.pcm);
      view.showSound(message.pcm);
      return;
    default:
      send(message);
  }
}

function tell(message: ToWorklet): void {
  microphone?.processor.postMessage(message);
}

function send(message: FromVoicePage): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** The browser lets a page play, and record, only after a click or where it has the microphone. */
function showMuted(): void {
  if (microphone === null || isOver()) return;
  send({ type: "muted", muted: isMuted() });
  show({ code: listen.on ? "listening" : "paused" });
}

function isMuted(): boolean {
  return microphone !== null && microphone.context.state !== "running";
}

function isOver(): boolean {
  return ["stopped", "lost", "unplugged", "used"].includes(state.code);
}

function end(last: PageState): void {
  if (isOver()) return;
  microphone?.close();
  microphone = null;
  show(last);
  socket.close();
}

function show(next: PageState): void {
  state = next;
  view.show(state, isMuted());
}

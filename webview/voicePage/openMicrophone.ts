import type { VoiceRefusal } from "../../src/protocol/voicePageMessages.ts";
import { LINE_RATE, PROCESSOR } from "./workletMessages.ts";

/** A microphone and a loudspeaker with the processor between them. */
export interface Microphone {
  readonly context: AudioContext;
  readonly processor: MessagePort;
  /** Calls `listener` when the device or its permission is gone. */
  onEnded(listener: () => void): void;
  close(): void;
}

/**
 * Asks for the microphone. With `overSpeech` it also listens while speech is played, and must not hear that: this costs the browser more
 * than all else. Both directions are in this document, or the browser would not know what it must not hear.
 */
export async function openMicrophone(worklet: string, overSpeech: boolean): Promise<Microphone | VoiceRefusal> {
  let stream: MediaStream | null = null;
  try {
    // Missing where the page's address is not secure.
    if (!("mediaDevices" in navigator)) return { type: "refused", code: "unsupported", detail: "insecure" };
    const audio = { channelCount: 1, echoCancellation: overSpeech, noiseSuppression: true, autoGainControl: true };
    stream = await navigator.mediaDevices.getUserMedia({ audio });
    const { context, source } = openContext(stream);
    await context.audioWorklet.addModule(worklet);
    const node = new AudioWorkletNode(context, PROCESSOR, { outputChannelCount: [1] });
    source.connect(node).connect(context.destination);
    const tracks = stream.getAudioTracks();
    return {
      context,
      processor: node.port,
      onEnded: (listener) => tracks[0]?.addEventListener("ended", listener),
      close() {
        for (const track of tracks) track.stop();
        void context.close();
      },
    };
  } catch (error) {
    for (const track of stream?.getTracks() ?? []) track.stop();
    return { type: "refused", ...refusal(error instanceof DOMException ? error.name : String(error)) };
  }
}

/** At the line's own rate the browser resamples, for half the work. Firefox opens a microphone only at the device's rate. */
function openContext(stream: MediaStream): { readonly context: AudioContext; readonly source: AudioNode } {
  const context = new AudioContext({ latencyHint: "interactive", sampleRate: LINE_RATE });
  try {
    return { context, source: context.createMediaStreamSource(stream) };
  } catch {
    void context.close();
    const own = new AudioContext({ latencyHint: "interactive" });
    return { context: own, source: own.createMediaStreamSource(stream) };
  }
}

function refusal(name: string): Pick<VoiceRefusal, "code" | "detail"> {
  switch (name) {
    case "NotAllowedError":
      return { code: "denied", detail: "" };
    case "NotFoundError":
      return { code: "no-microphone", detail: "" };
    case "NotReadableError":
      return { code: "microphone-busy", detail: "" };
    default:
      return { code: "unsupported", detail: name.slice(0, 200) };
  }
}

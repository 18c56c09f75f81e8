import type { VoiceRefusal } from "../../src/protocol/voicePageMessages.ts";
import { VoiceDetector } from "./voiceDetector.ts";
import { LINE_RATE, PROCESSOR } from "./workletMessages.ts";

/** A microphone and a speaker, connected through the audio processor. */
export interface Microphone {
  readonly context: AudioContext;
  readonly processor: MessagePort;
  readonly detector: VoiceDetector;
  /** Calls `listener` when the device or its permission is lost. */
  onEnded(listener: () => void): void;
  close(): void;
}

/**
 * Opens the microphone. With `overSpeech`, it also records during playback, which needs echo
 * cancellation and is expensive for the browser. Recording and playback share one document, because
 * the browser can cancel the echo only then.
 */
export async function openMicrophone(
  { worklet, model }: { readonly worklet: string; readonly model: string },
  overSpeech: boolean,
): Promise<Microphone | VoiceRefusal> {
  let stream: MediaStream | null = null;
  try {
    // Missing if the page's origin is not secure.
    if (!("mediaDevices" in navigator))
      return { type: "refused", code: "unsupported", detail: "insecure" };
    const audio = {
      channelCount: 1,
      echoCancellation: overSpeech,
      noiseSuppression: true,
      autoGainControl: true,
    };
    stream = await navigator.mediaDevices.getUserMedia({ audio });
    const { context, source } = openContext(stream);
    await context.audioWorklet.addModule(worklet);
    const detector = new VoiceDetector(await (await fetch(model)).arrayBuffer());
    const node = new AudioWorkletNode(context, PROCESSOR, { outputChannelCount: [1] });
    source.connect(node).connect(context.destination);
    const tracks = stream.getAudioTracks();
    return {
      context,
      processor: node.port,
      detector,
      onEnded(listener) {
        tracks[0]?.addEventListener("ended", listener);
        navigator.mediaDevices.addEventListener("devicechange", () => {
          if (tracks[0]?.readyState === "ended") listener();
        });
      },
      close() {
        for (const track of tracks) track.stop();
        void context.close();
      },
    };
  } catch (error) {
    for (const track of stream?.getTracks() ?? []) track.stop();
    return {
      type: "refused",
      ...microphoneRefusal(error instanceof DOMException ? error.name : String(error)),
    };
  }
}

/**
 * At the line's sample rate, the browser resamples at half the cost. Firefox opens a microphone
 * only at the device's rate.
 */
function openContext(stream: MediaStream): {
  readonly context: AudioContext;
  readonly source: AudioNode;
} {
  const context = new AudioContext({ latencyHint: "interactive", sampleRate: LINE_RATE });
  try {
    return { context, source: context.createMediaStreamSource(stream) };
  } catch {
    void context.close();
    const own = new AudioContext({ latencyHint: "interactive" });
    return { context: own, source: own.createMediaStreamSource(stream) };
  }
}

function microphoneRefusal(name: string): Pick<VoiceRefusal, "code" | "detail"> {
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

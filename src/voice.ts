import { createHostVoice, type HostVoiceOptions } from "./host/voice/hostVoice.ts";
import { openVoiceLine } from "./node/voice/openVoiceLine.ts";
import type { VoiceSession } from "./voice/voiceSession.ts";

/**
 * Speaking with Graft in a window, in a bundle of its own, so that it loads only once the user
 * wants to talk.
 */
export function openVoice(options: HostVoiceOptions): VoiceSession {
  return createHostVoice(options, openVoiceLine);
}

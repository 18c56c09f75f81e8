import assert from "node:assert/strict";
import { demoIntent } from "../../../src/demo/demoIntent.ts";
import { createDemoVoice } from "../../../src/demo/demoVoice.ts";
import { noSyntax } from "../../fakes/editor/noSyntax.ts";

describe("the voice of demo mode", () => {
  it("says that it is one, asks what demo mode can answer, and can be heard", async () => {
    const voice = createDemoVoice();
    const signal = new AbortController().signal;
    const heard = await voice.transcribe(new Int16Array(10), signal);
    assert.ok(voice.isDemo && heard.ok && demoIntent(heard.value, noSyntax)?.kind === "explain");
    const sound = [];
    for await (const pcm of voice.speak("Two words.", signal)) sound.push(Math.max(...pcm));
    assert.equal(sound.length, 3);
    assert.ok(sound.every((loudest) => loudest > 3_000));
  });
});

import assert from "node:assert/strict";
import { ok } from "../../../src/base/result.ts";
import { SAMPLE_RATE } from "../../../src/ports/audioLine.ts";
import { Hearing } from "../../../src/voice/hearing.ts";

const sound = (seconds: number, voice: number) => ({
  pcm: new Int16Array(seconds * SAMPLE_RATE).fill(3_000),
  voice,
});

/** What comes of what is heard: messages, and drafts with their reasons. */
function listener(...transcripts: readonly string[]) {
  const left = [...transcripts];
  const said: string[] = [];
  const hearing = new Hearing({
    recognize: async () => ok(left.shift() ?? "?"),
    said: (words) => said.push(words),
    draft: (words, reason) => said.push(`${reason}: ${words}`),
    began: () => undefined,
    problem: ({ code }) => said.push(code),
    stateChanged: () => undefined,
  });
  return { hearing, said };
}

describe("what is too long for one message", () => {
  for (const pauseMs of [null, 700])
    it(`is a draft with its end, ${pauseMs === null ? "push to talk" : "hands-free"}`, async () => {
      // Hands-free, the time counts from the first voice on.
      const minutes = pauseMs === null ? 10 : 11;
      const parts = Array.from({ length: minutes }, () => "and delete");
      const { hearing, said } = listener(...parts, "the folder.", "Rename it.");
      const end = async () => {
        if (pauseMs === null) hearing.finish();
        else hearing.takeSound(sound(1, 0));
        await hearing.settled();
      };
      hearing.begin(pauseMs);
      for (let minute = 0; minute < minutes; minute++) hearing.takeSound(sound(60, 1));
      await hearing.settled();
      assert.equal(hearing.isTalking, true, "nothing is said to who goes on");
      hearing.takeSound(sound(5, 1));
      await end();
      assert.deepEqual(said, [`limit: ${parts.join(" ")}`, "limit: the folder."]);

      if (pauseMs === null) hearing.begin(null);
      hearing.takeSound(sound(2, 1));
      await end();
      assert.equal(said.at(-1), "Rename it.", "what is said next is a message");
    });

  it("is nothing where nobody spoke while the button was held", async () => {
    const { hearing, said } = listener("Rename it.");
    hearing.begin(null);
    for (let minute = 0; minute < 11; minute++) hearing.takeSound(sound(60, 0));
    hearing.takeSound(sound(2, 1));
    hearing.finish();
    await hearing.settled();
    assert.deepEqual(said, ["Rename it."]);
  });
});

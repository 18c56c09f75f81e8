import assert from "node:assert/strict";
import { err, ok } from "../../../src/base/result.ts";
import { modelError } from "../../../src/model/modelFailure.ts";
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

describe("the sound of what is being said", () => {
  const VOICE = sound(1, 1);
  const PAUSE = sound(1, 0);

  /** What is kept of the sound, in samples, and a recognizer that fails while told to. */
  function keeper() {
    const told = { fails: false, kept: 0 };
    const said: string[] = [];
    const error = modelError({ code: "server-error" }, { baseUrl: "", model: "" });
    const hearing = new Hearing({
      recognize: async () => (told.fails ? err(error) : ok("Rename it.")),
      said: (words) => said.push(words),
      draft: (words) => said.push(`draft: ${words}`),
      began: () => undefined,
      problem: () => undefined,
      stateChanged: () => undefined,
      sound: {
        keep: (pcm) => {
          told.kept += pcm.length;
        },
        forget: () => {
          told.kept = 0;
        },
      },
    });
    return { hearing, told, said };
  }

  for (const pauseMs of [null, 700])
    it(`is kept as it comes until its words are a message, ${pauseMs === null ? "push to talk" : "hands-free"}`, async () => {
      const { hearing, told, said } = keeper();
      hearing.begin(pauseMs);
      hearing.takeSound(PAUSE);
      assert.equal(told.kept, 0, "nobody speaks");
      hearing.takeSound(VOICE);
      assert.ok(told.kept >= VOICE.pcm.length);
      hearing.takeSound(VOICE);
      assert.ok(told.kept >= 2 * VOICE.pcm.length);
      if (pauseMs === null) hearing.finish();
      else hearing.takeSound(PAUSE);
      assert.ok(told.kept > 0, "its words are not known yet");
      await hearing.settled();
      assert.deepEqual(said, ["Rename it."]);
      assert.equal(told.kept, 0);
    });

  it("is forgotten where it was noise", () => {
    const { hearing, told } = keeper();
    hearing.begin(700);
    hearing.takeSound(sound(0.1, 1));
    assert.ok(told.kept > 0);
    hearing.takeSound(PAUSE);
    assert.equal(told.kept, 0);
  });

  it("is forgotten once it is a draft", async () => {
    const { hearing, told, said } = keeper();
    hearing.begin(700);
    hearing.takeSound(VOICE);
    hearing.stop("lost");
    await hearing.settled();
    assert.deepEqual(said, ["draft: Rename it."]);
    assert.equal(told.kept, 0);
  });

  it("stays while it could not be recognized, without what was", async () => {
    const { hearing, told } = keeper();
    const say = async () => {
      hearing.begin(null);
      hearing.takeSound(VOICE);
      hearing.finish();
      await hearing.settled();
    };
    told.fails = true;
    await say();
    assert.equal(told.kept, VOICE.pcm.length);
    told.fails = false;
    await say();
    assert.equal(told.kept, VOICE.pcm.length);
    hearing.retry();
    await hearing.settled();
    assert.equal(told.kept, 0);
  });
});

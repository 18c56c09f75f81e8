import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { english } from "../../../src/base/localize.ts";
import type { EditStatus, TurnEventBody } from "../../../src/turns/turnEvent.ts";
import { type Announcement, Announcements } from "../../../src/voice/announcements.ts";
import {
  announcementText,
  problemMessage,
  type VoiceProblem,
} from "../../../src/voice/messages.ts";
import { spokenChoice, voiceCommand } from "../../../src/voice/voiceCommands.ts";
import { voiceError } from "../../fakes/voice/scriptedVoice.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");

const announcements: readonly Announcement[] = [
  { code: "approval", summary: "Run npm test" },
  { code: "question", question: "Which one?", options: ["Alpha", "Beta"] },
  { code: "question", question: "What is its name?", options: [] },
  { code: "question-on-screen" },
  { code: "review", changes: 1, files: ["src/main.ts"] },
  { code: "review", changes: 2, files: ["src/main.ts"] },
  { code: "review", changes: 5, files: ["src/main.ts", "b.ts"] },
  { code: "error" },
  { code: "on-screen" },
  { code: "no-option" },
];
const ends = [
  "closed",
  "denied",
  "no-microphone",
  "microphone-busy",
  "unplugged",
  "lost",
  "no-page",
  "unsupported",
] as const;
const problems: readonly VoiceProblem[] = [
  ...ends.map((code) => ({ code: "line" as const, end: { code } })),
  { code: "transcription", error: voiceError("connection-refused") },
  { code: "speech", error: voiceError("server-error") },
  { code: "nothing-heard" },
  { code: "nothing-recognized" },
];

describe("what Graft says aloud, and of trouble with it", () => {
  it("is as in messages.golden.txt", () => {
    const actual = [
      ...announcements.map(
        (each) => `${JSON.stringify(each)}\n  ${announcementText(each, english)}\n`,
      ),
      ...problems.map(
        (each) =>
          `${each.code === "line" ? JSON.stringify(each) : each.code}\n  ${problemMessage(each, english)}\n`,
      ),
    ].join("");
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(
      actual,
      readFileSync(golden, "utf8"),
      "run with UPDATE_GOLDEN=1 after looking at the difference",
    );
  });

  it("names the changes of this turn that wait for a review, and an error", () => {
    const block = {
      callId: "c",
      index: 1,
      target: "complete file",
      op: "complete",
      reason: null,
      warnings: [],
      step: 0,
    } as const;
    const counts = { addedLines: 1, removedLines: 1, textStart: 0, textEnd: 9 };
    const edit = (blockId: string, path: string, status: EditStatus): TurnEventBody => {
      return {
        type: "edit-update",
        edit: { ...block, ...counts, warnings: [], blockId, path, status },
      };
    };
    const said = (reason: "done" | "error", ...bodies: readonly TurnEventBody[]) => {
      const taken = new Announcements();
      const all = [
        ...bodies.map((body) => ({ ...body, turnId: "a" })),
        { type: "turn-end" as const, reason, error: null, turnId: "a" },
      ];
      return all.flatMap((body, index) => taken.take({ ...body, seq: index + 1, at: 0 }));
    };
    const edits = [
      edit("1", "a.ts", "streaming"),
      edit("1", "a.ts", "pending"),
      edit("2", "a.ts", "pending"),
      edit("3", "b.ts", "applied"),
    ];
    assert.deepEqual(said("done", ...edits), [{ code: "review", changes: 2, files: ["a.ts"] }]);
    assert.deepEqual(said("error", edit("1", "a.ts", "rejected")), [{ code: "error" }]);
  });
});

describe("what a user says to Graft itself", () => {
  it("is a command only if it is the whole utterance", () => {
    for (const words of [
      "Stop.",
      "stop it",
      "Please stop!",
      "Stopp",
      "Halt!",
      "Abbrechen.",
      "cancel",
    ])
      assert.equal(voiceCommand(words), "stop", words);
    for (const words of ["Quiet, please.", "Ruhe!", "Sei still"])
      assert.equal(voiceCommand(words), "hush", words);
    for (const words of [
      "Stop the server in main.ts",
      "Cancel the request when it fails",
      "Don't stop",
      "",
    ])
      assert.equal(voiceCommand(words), null, words);
  });

  it("answers a question by name, by number, with yes or no, or freely", () => {
    const options = ["Tests", "All tests", "No tests"];
    const choose = (words: string, kind: "choice" | "multi-choice" = "choice") =>
      spokenChoice({ kind, options }, words);
    assert.deepEqual(choose("All tests, please."), ["All tests"]);
    assert.deepEqual(choose("the second one"), ["All tests"]);
    assert.deepEqual(choose("Die dritte."), ["No tests"]);
    assert.equal(choose("I do not know"), null);
    assert.equal(choose("the first or the third"), null);
    assert.deepEqual(choose("the first and the third", "multi-choice"), ["Tests", "No tests"]);
    assert.deepEqual(spokenChoice({ kind: "confirm", options: [] }, "Ja, gerne."), ["yes"]);
    assert.deepEqual(spokenChoice({ kind: "confirm", options: [] }, "No."), ["no"]);
    assert.equal(spokenChoice({ kind: "confirm", options: [] }, "Nobody knows"), null);
    assert.deepEqual(spokenChoice({ kind: "text", options: [] }, " Summarize. "), ["Summarize."]);
  });
});

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { english } from "../../../src/base/localize.ts";
import type { EditStatus } from "../../../src/turns/editBlock.ts";
import type { TurnEventBody } from "../../../src/turns/turnEvent.ts";
import { type Announcement, Announcements } from "../../../src/voice/announcements.ts";
import {
  announcementText,
  problemMessage,
  type VoiceProblem,
} from "../../../src/voice/messages.ts";
import { voiceCommand } from "../../../src/voice/voiceCommands.ts";
import { voiceError } from "../../fakes/voice/scriptedVoice.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");

const announcements: readonly Announcement[] = [
  { code: "approval", callId: "c", summary: "Delete a file", command: null },
  { code: "approval", callId: "c", summary: "Run npm test", command: "npm test" },
  { code: "by-hand" },
  { code: "running", callId: "c", tool: "run_command", command: "npm test" },
  { code: "running", callId: "c", tool: "read_file", command: null },
  { code: "running", callId: "c", tool: "search_in_files", command: null },
  { code: "running", callId: "c", tool: "git_log", command: null },
  { code: "more", command: null },
  { code: "more", command: { text: "npm test", passed: true } },
  {
    code: "more",
    command: {
      text: "npm test -- --grep something that is long enough to be cut here",
      passed: false,
    },
  },
  { code: "question", question: "Which one?", options: ["Alpha", "Beta"] },
  { code: "question", question: "What is its name?", options: [] },
  { code: "question-on-screen" },
  { code: "review", changes: 1, files: ["src/main.ts"] },
  { code: "review", changes: 2, files: ["src/main.ts"] },
  { code: "review", changes: 5, files: ["src/main.ts", "b.ts"] },
  { code: "error" },
  { code: "on-screen" },
];
const ends = [
  "closed",
  "denied",
  "no-microphone",
  "microphone-busy",
  "unplugged",
  "lost",
  "taken",
  "no-page",
  "unsupported",
] as const;
const problems: readonly VoiceProblem[] = [
  ...ends.map((code) => ({ code: "line" as const, end: { code } })),
  { code: "transcription", error: voiceError("connection-refused") },
  { code: "speech", error: voiceError("server-error") },
  { code: "nothing-heard" },
  { code: "nothing-recognized" },
  ...(["silence", "limit", "lost"] as const).map((reason) => ({ code: "draft" as const, reason })),
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
});

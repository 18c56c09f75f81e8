import assert from "node:assert/strict";
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
import { assertDistinct, assertSentence, type Message } from "../../fakes/assertMessages.ts";
import { voiceError } from "../../fakes/voice/scriptedVoice.ts";

const said = (announcement: Announcement) => announcementText(announcement, english);
const problem = (each: VoiceProblem) => problemMessage(each, english);
const running = (tool: string, command: string | null = null) =>
  said({ code: "running", callId: "c", tool, command });
const review = (changes: number, ...files: readonly string[]) =>
  said({ code: "review", changes, files });
const line = { code: "line", end: { code: "lost" } } as const;

const texts: readonly Message[] = [
  [said({ code: "approval", callId: "c", summary: "Delete a file", command: null }), "Delete a f"],
  [said({ code: "approval", callId: "c", summary: "", command: "npm test" }), "npm test"],
  [running("run_command", "npm test"), "npm test"],
  [running("read_file")],
  [running("search_in_files")],
  [running("git_log")],
  [said({ code: "more", command: null })],
  [said({ code: "more", command: { text: "npm test", passed: true } }), "npm test"],
  [said({ code: "more", command: { text: "npm test", passed: false } }), "npm test"],
  [said({ code: "question", question: "Which one?", options: ["A", "B"] }), "1: A.", "2: B."],
  [said({ code: "question", question: "Its name?", options: [] }), "Its name?"],
  [review(1, "src/main.ts"), " main.ts"],
  [review(2, "src/main.ts"), "2 changes", " main.ts"],
  [review(5, "a.ts", "b.ts"), "5 changes", "2 files"],
  [problem(line)],
  [problem({ code: "line", end: { code: "unsupported", detail: "AbortError" } }), "AbortError"],
  [problem({ code: "line", end: { code: "unsupported" } })],
  [problem({ code: "transcription", error: voiceError("server-error") }), "http://voice.invalid"],
  [problem({ code: "speech", error: voiceError("server-error") }), "http://voice.invalid"],
  [problem({ code: "draft", reason: "silence" })],
  [problem({ code: "draft", reason: "limit" })],
  [problem({ code: "draft", reason: "lost" }), problem(line)],
];

describe("what Graft says aloud, and of trouble with it", () => {
  it("holds the command, the question, the files and the reason", () => {
    for (const text of texts) assertSentence(text);
    assertDistinct(texts.map(([text]) => text));
  });

  it("says only the first words of a long command", () => {
    const text = "npm test -- --grep something that is long enough to be cut here\nnpm start";
    const heard = said({ code: "more", command: { text, passed: true } });
    assert.match(heard, /^npm test -- --grep something that is long enough to be cut (?!here)/);
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
      return all.flatMap((body, index) => taken.takeEvent({ ...body, seq: index + 1, at: 0 }));
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

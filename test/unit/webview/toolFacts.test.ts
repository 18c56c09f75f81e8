import assert from "node:assert/strict";
import type { ToolCallState } from "../../../src/turns/turn.ts";
import type { TurnEventBody } from "../../../src/turns/turnEvent.ts";
import {
  answerShown,
  canTryAgain,
  failureShown,
  outputShown,
  timeShown,
} from "../../../webview/cards/toolFacts.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";
import { answersOf, shownTurn } from "./shownTurn.ts";

type Result = TurnEventBody & { type: "tool-result" };

const begun = (name = "run_command") =>
  new TurnScript()
    .ask("Go on")
    .add(
      { type: "tool-call-start", callId: "c", name },
      { type: "tool-call", callId: "c", name, argsText: "{}", input: {} },
      { type: "tool-start", callId: "c" },
    );
const result = (more: Partial<Result> = {}): TurnEventBody => ({
  ...{ type: "tool-result", callId: "c", status: "success", output: "ok", error: null },
  ...{ durationMs: 5, ...more },
});
function callOf(script: TurnScript): ToolCallState {
  const call = answersOf(script)[0]?.toolCalls.get("c");
  assert.ok(call);
  return call;
}
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join("\n");
const NOW = 1_700_000_100_000;
const failed = { code: "exited", exitCode: 2, tail: "line 20\nline 29" } as const;
const timedOut = {
  status: "error",
  error: { category: "timeout", message: "Timed out." },
} as const;
const denied = () =>
  begun().add(
    {
      type: "approval-request",
      callId: "c",
      tool: "run_command",
      effect: "execute",
      summary: "Run npm test",
    },
    { type: "approval-decision", callId: "c", allowed: false, by: "user" },
    result({
      status: "error",
      error: { category: "permission", message: "The user denied it. Do not try again." },
    }),
  );
const question: TurnEventBody = {
  type: "question",
  callId: "c",
  kind: "confirm",
  question: "Sure?",
  options: [],
};

describe("what a tool call's row shows", () => {
  const outputs: readonly [what: string, TurnScript, text: string][] = [
    ["nothing before there is any output", begun(), ""],
    [
      "the last eight lines of a running command",
      begun().add({ type: "tool-progress", callId: "c", text: lines(30) }),
      lines(30).split("\n").slice(22).join("\n"),
    ],
    [
      "nothing of a command that succeeded",
      begun().add({ type: "tool-progress", callId: "c", text: "x" }, result()),
      "",
    ],
    ["the end of a failed command", begun().add(result({ command: failed })), "line 20\nline 29"],
  ];
  for (const [what, script, text] of outputs)
    it(`is ${what}`, () => assert.equal(outputShown(callOf(script)).text, text));

  it("says how far a copy is before its command runs", () => {
    const copied = { files: 12, bytes: 3 * 1_048_576 };
    assert.equal(
      outputShown({ ...callOf(begun()), copied }).text,
      "Copying the workspace: 12 files, 3 MB",
    );
  });

  const times: readonly [what: string, TurnScript, ranMs: number, text: string][] = [
    ["how long it has been running", begun(), 65_000, "65 s"],
    ["nothing for less than two seconds", begun(), 1_900, ""],
    ["nothing while it asks the user", begun("ask_user").add(question), 65_000, ""],
    ["how long it took", begun().add(result({ durationMs: 1_700 })), 65_000, "1.7 s"],
    ["the number of retries", begun().add(result({ retries: 2 })), 65_000, "2 retries"],
    ["nothing for a denied call", denied(), 65_000, ""],
  ];
  for (const [what, script, ranMs, text] of times)
    it(`says as its time ${what}`, () => {
      const call = callOf(script);
      const startedAt = call.startedAt === null ? null : NOW - ranMs;
      assert.equal(timeShown({ ...call, startedAt }, NOW), text);
    });

  it("says why a call failed, but nothing of a denied one", () => {
    assert.equal(failureShown(callOf(begun().add(result(timedOut)))), "Timed out.");
    assert.equal(failureShown(callOf(denied())), "");
    assert.equal(failureShown(callOf(begun().add(result()))), "");
  });

  it("says what the user answered", () => {
    const answered = (name: string) => answerShown(callOf(begun(name).add(result())));
    assert.equal(answered("ask_user"), "Your answer: ok");
    assert.equal(answered("run_command"), "");
  });

  const recoveries: readonly [what: string, TurnScript, expected: boolean][] = [
    ["a failed call of the running answer", begun().add(result(timedOut)), true],
    ["a failed command", begun().add(result({ command: failed })), true],
    ["a failed call of a stopped answer", begun().add(result(timedOut)).end("cancelled"), true],
    ["a canceled call", begun().end("cancelled"), true],
    ["a failed call that the answer went on without", begun().add(result(timedOut)).end(), false],
    ["a failed call of an earlier answer", begun().add(result(timedOut)).end().ask("x"), false],
    ["a denied call", denied(), false],
    ["a call that succeeded", begun().add(result()), false],
  ];
  for (const [what, script, expected] of recoveries)
    it(`${expected ? "offers" : "does not offer"} to try again ${what}`, () =>
      assert.equal(canTryAgain(callOf(script), shownTurn(script)), expected));
});

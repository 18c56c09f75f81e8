import assert from "node:assert/strict";
import { modelError, OUTCOMES } from "../../../src/model/modelFailure.ts";
import type { EditStatus } from "../../../src/turns/editBlock.ts";
import type { TurnError } from "../../../src/turns/turnError.ts";
import { OUTCOME_BUTTONS } from "../../../webview/answer/outcomeButtons.ts";
import { turnOutcome } from "../../../webview/answer/turnOutcome.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";
import { shownTurn } from "./shownTurn.ts";

describe("turnOutcome", () => {
  const actions = (error: TurnError): readonly string[] =>
    turnOutcome({ endReason: "error", error, edits: new Map() })?.actions ?? [];
  const endpoint = { baseUrl: "https://api.example.com/v1", model: "m" };

  it("offers the actions that help with an error", () => {
    const cause = modelError({ code: "context-length" }, endpoint);
    assert.deepEqual(actions(modelError({ code: "no-key" }, endpoint)), [
      "set-api-key",
      "choose-model",
      "retry",
    ]);
    assert.deepEqual(actions(modelError({ code: "connection-refused" }, endpoint)), [
      "retry",
      "choose-model",
      "test-connection",
    ]);
    assert.deepEqual(actions(modelError({ code: "web-page" }, endpoint)), [
      "open-connections",
      "choose-model",
      "retry",
    ]);
    assert.deepEqual(actions(cause), ["compact", "new-chat", "choose-model", "retry"]);
    assert.deepEqual(
      actions({ code: "compaction-failed", kind: "context-length", retryable: false, cause })[0],
      "compact",
    );
    assert.deepEqual(actions({ code: "internal", kind: "internal", retryable: false, said: "m" }), [
      "retry",
    ]);
  });

  it("is null for a turn that runs or finished", () => {
    assert.equal(turnOutcome({ endReason: "done", error: null, edits: new Map() }), null);
    assert.equal(turnOutcome({ endReason: null, error: null, edits: new Map() }), null);
  });

  const codes = Object.keys(OUTCOMES).filter(
    (code): code is keyof typeof OUTCOMES => code in OUTCOMES,
  );
  for (const code of codes)
    it(`says one thing and offers something to do where a model fails: ${code}`, () => {
      const failure = { code, detail: "CERT_HAS_EXPIRED", status: 400 };
      const error = modelError(failure, endpoint);
      const outcome = turnOutcome(shownTurn(new TurnScript().ask("Go").fail(error)));
      assert.equal(outcome?.level, "error");
      assert.ok(outcome.title !== "" && outcome.detail !== "" && outcome.actions.length > 0);
      assert.doesNotMatch(`${outcome.title} ${outcome.detail}`, /\{|undefined/);
    });

  it("names the endpoint that rejected the key", () => {
    const error = modelError(
      { code: "key-rejected", status: 401 },
      { baseUrl: "api.example.com", model: "m" },
    );
    const outcome = turnOutcome({ endReason: "error", error, edits: new Map() });
    assert.match(outcome?.detail ?? "", /^api\.example\.com rejected the API key \(401\)\./);
    assert.equal(outcome?.title, "API key rejected");
    assert.deepEqual(outcome.actions, ["set-api-key", "choose-model", "retry"]);
  });

  const ends: readonly [
    "cancelled" | "interrupted" | "length" | "step-limit",
    title: string,
    detail: string,
    actions: readonly string[],
  ][] = [
    ["cancelled", "Stopped", "", ["retry"]],
    [
      "interrupted",
      "Interrupted",
      "The window was closed or reloaded during this answer. The text so far is kept.",
      ["retry"],
    ],
    ["length", "Cut off", "The model reached its length limit.", ["continue", "retry"]],
    ["step-limit", "Step limit reached", "", ["continue", "open-settings"]],
  ];
  for (const [reason, title, detail, offered] of ends)
    it(`says after ${reason}: ${title}`, () =>
      assert.deepEqual(turnOutcome(shownTurn(new TurnScript().ask("Go").end(reason))), {
        level: "info",
        title,
        detail,
        actions: offered,
      }));

  it("says that finished edits are kept for review, until they are decided", () => {
    const detail = (status: EditStatus, reason: "cancelled" | "interrupted") =>
      turnOutcome(
        shownTurn(
          new TurnScript().ask("Go").edit({ textStart: 0, textEnd: 0, status }).end(reason),
        ),
      )?.detail;
    assert.equal(detail("pending", "cancelled"), "The finished edits are kept for review.");
    assert.match(detail("pending", "interrupted") ?? "", /kept\. The finished edits are kept/);
    assert.equal(detail("rejected", "cancelled"), "");
  });

  const buttons: readonly [keyof typeof OUTCOME_BUTTONS, label: string, does: unknown][] = [
    ["retry", "Retry", "retry"],
    ["continue", "Continue", { send: "Continue." }],
    ["set-api-key", "Set API key", { post: { type: "set-api-key" } }],
    ["choose-model", "Choose model", { post: { type: "choose-model" } }],
    ["test-connection", "Test connection", { post: { type: "test-connection" } }],
    ["compact", "Compact", { send: "/compact" }],
    ["new-chat", "New chat", "new-chat"],
    ["open-settings", "Open settings", { post: { type: "open-settings" } }],
    [
      "open-connections",
      "Open connections",
      { post: { type: "open-settings", query: "graft.connections" } },
    ],
    ["open-network-settings", "Open settings", { post: { type: "open-settings", query: "http." } }],
  ];
  for (const [action, label, does] of buttons)
    it(`offers as ${action}: ${label}`, () => {
      assert.equal(OUTCOME_BUTTONS[action].label, label);
      assert.deepEqual(OUTCOME_BUTTONS[action].does, does);
    });
});

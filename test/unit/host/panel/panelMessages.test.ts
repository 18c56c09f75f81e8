import assert from "node:assert/strict";
import { followableLink, type PanelHandlers, receivePanelMessage } from "../../../../src/host/panel/panelMessages.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";

function recording() {
  const calls: unknown[] = [];
  const note = (message: unknown) => {
    calls.push(message);
  };
  const handlers: PanelHandlers = {
    ready: note,
    send: note,
    unqueue: note,
    "send-queued": note,
    "start-edit-mode": note,
    resend: note,
    "show-branch": note,
    stop: note,
    "new-chat": note,
    "open-elsewhere": note,
    retry: note,
    "open-file": note,
    "show-proposal": note,
    "accept-file": note,
    "reject-file": note,
    "accept-block": note,
    "reject-block": note,
    "accept-all": note,
    "reject-all": note,
    "show-changes": note,
    "keep-changes": note,
    "undo-changes": note,
    "restore-files": note,
    "propose-anyway": note,
    answer: note,
    approve: note,
    "set-api-key": note,
    "open-settings": note,
    "manage-trust": note,
    copy: note,
    "open-link": note,
  };
  return { calls, handlers, logger: new RecordingLogger() };
}

describe("messages of the panel", () => {
  it("reach their handler", () => {
    const { calls, handlers, logger } = recording();
    receivePanelMessage({ type: "send", text: "Hi" }, handlers, logger);
    receivePanelMessage({ type: "open-file", path: "a.ts", line: null }, handlers, logger);
    assert.deepEqual(calls, [
      { type: "send", text: "Hi" },
      { type: "open-file", path: "a.ts", line: null },
    ]);
  });

  for (const [what, message] of Object.entries({
    nothing: undefined,
    "a text": "send",
    "an unknown type": { type: "eval", code: "1" },
    "an inherited name": { type: "toString" },
    "a missing field": { type: "send" },
    "a wrong field": { type: "approve", callId: "c", allowed: "yes" },
    "a text without end": { type: "send", text: "x".repeat(1_000_001) },
  })) {
    it(`are dropped if they are ${what}`, () => {
      const { calls, handlers, logger } = recording();
      receivePanelMessage(message, handlers, logger);
      assert.deepEqual(calls, []);
      assert.equal(logger.warnings.length, 1);
    });
  }

  it("are logged without their content when handling fails", async () => {
    const { handlers, logger } = recording();
    const failing = { ...handlers, send: () => Promise.reject(new Error("no disk")) };
    receivePanelMessage({ type: "send", text: "secret plan" }, failing, logger);
    await new Promise((resolve) => setImmediate(resolve));
    assert.match(logger.errors[0] ?? "", /send.*no disk/);
    assert.ok(!logger.errors[0]?.includes("secret plan"));
  });
});

describe("links in answers", () => {
  it("are followed to web pages", () => {
    assert.equal(followableLink("https://example.com/a?b=c#d"), "https://example.com/a?b=c#d");
    assert.equal(followableLink("http://localhost:3000/"), "http://localhost:3000/");
  });

  for (const link of [
    "javascript:alert(1)",
    "command:workbench.action.closeWindow",
    "file:///etc/passwd",
    "vscode://settings",
    "data:text/html,x",
    "//example.com",
    "src/app.ts",
    "https://example.com@evil.example/",
    "",
  ]) {
    it(`are not followed to "${link}"`, () => assert.equal(followableLink(link), null));
  }
});

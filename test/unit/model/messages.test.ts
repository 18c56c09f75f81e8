import assert from "node:assert/strict";
import { english } from "../../../src/base/localize.ts";
import { FAILURE_SENTENCES, failureMessage } from "../../../src/model/messages.ts";
import { type FailureCode, type ModelFailure, OUTCOMES } from "../../../src/model/modelFailure.ts";
import { assertDistinct, assertSentence } from "../../fakes/assertMessages.ts";

const baseUrl = "https://api.example.com/v1";
const isCode = (name: string): name is FailureCode => name in OUTCOMES;

function told(failure: ModelFailure, address = baseUrl): string {
  return failureMessage({ ...failure, model: "some-model", baseUrl: address }, english);
}

describe("what the user reads when a request fails", () => {
  it("holds the facts of its failure, and differs for each cause", () => {
    const texts = Object.keys(OUTCOMES).filter(isCode);
    for (const code of texts) {
      const sentence = FAILURE_SENTENCES[code];
      const failure = { code, status: 418, detail: "some detail" };
      const facts = ["model", "status", "detail", "baseUrl"] as const;
      const named = { ...failure, model: "some-model", baseUrl };
      assertSentence([
        told(failure),
        ...facts.filter((fact) => sentence.includes(`{${fact}}`)).map((fact) => named[fact]),
      ]);
    }
    assertDistinct(texts.map((code) => told({ code })));
    assert.match(told({ code: "lm-blocked" }, "vscode-lm:copilot"), /^copilot /);
  });

  it("says when to try again, how long it waited, and what the server said", () => {
    const rows: readonly (readonly [ModelFailure, ...string[]])[] = [
      [{ code: "rate-limited", retryAfterMs: 6_100 }, " 7 s."],
      [{ code: "server-error", retryAfterMs: 300_000, said: "No memory" }, " 5 min.", "No memory."],
      [{ code: "connect-timeout", limitMs: 30_000 }, " 30 s."],
      [{ code: "first-token-timeout", limitMs: 300_000 }, " 5 min."],
      [{ code: "idle-timeout", limitMs: 500 }, " 500 ms."],
      [{ code: "redirected", detail: "https://c.d" }, baseUrl, "https://c.d"],
      [{ code: "redirected" }, baseUrl],
    ];
    for (const [failure, ...facts] of rows) assertSentence([told(failure), ...facts]);
  });

  it("says that a text that had begun is kept", () => {
    for (const code of ["idle-timeout", "interrupted", "overlong"] as const) {
      const text = told({ code, begun: true });
      assert.ok(text.startsWith(`${told({ code })} `), text);
      assertSentence([text]);
    }
    const broken = told({ code: "stream-error", begun: true });
    assert.ok(!broken.startsWith(told({ code: "stream-error" })));
  });

  it("explains the version in a base URL that has none", () => {
    assert.match(told({ code: "web-page" }, "http://localhost:11434"), /\/v1\.$/);
    assert.doesNotMatch(told({ code: "web-page" }), /\/v1\.$/);
  });

  it("tells a key that is missing from one that the server demands", () => {
    assertDistinct([told({ code: "no-key" }), told({ code: "no-key", status: 401 })]);
  });
});

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { english } from "../../../src/base/localize.ts";
import { failureMessage } from "../../../src/model/messages.ts";
import { type FailureCode, type ModelFailure, OUTCOMES } from "../../../src/model/modelFailure.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");
const endpoint = { baseUrl: "https://api.example.com/v1", model: "some-model" };
const status = new Map([
  ["api-not-found", 404],
  ["no-transcription", 404],
  ["no-speech", 405],
  ["rejected", 400],
  ["context-length", 400],
  ["server-error", 503],
]);
const detail = new Map([
  ["redirected", "https://other.example.com"],
  ["provider-failure", "network_error"],
  ["tls", "CERT_HAS_EXPIRED"],
  ["proxy-refused", "407"],
]);

/** Facts beyond those of a plain failure. */
const more: readonly ModelFailure[] = [
  { code: "rate-limited", retryAfterMs: 1_000 },
  { code: "rate-limited", retryAfterMs: 7_000 },
  { code: "server-error", status: 500, retryAfterMs: 300_000, said: "CUDA out of memory" },
  { code: "connect-timeout", limitMs: 30_000 },
  { code: "first-token-timeout", limitMs: 300_000 },
  { code: "idle-timeout", limitMs: 500, begun: true },
  { code: "interrupted", begun: true },
  { code: "overlong", begun: true },
  { code: "stream-error", begun: true, said: "GPU lost" },
  { code: "redirected" },
  { code: "unreachable", detail: "fetch failed" },
  { code: "key-rejected", said: "Incorrect API key provided: [key]." },
];

const isCode = (name: string): name is FailureCode => name in OUTCOMES;

describe("what the user reads when a request fails", () => {
  it("is as in messages.golden.txt", () => {
    const plain = Object.keys(OUTCOMES)
      .filter(isCode)
      .map((code): ModelFailure => {
        const facts = { status: status.get(code), detail: detail.get(code) };
        return {
          code,
          ...(facts.status && { status: facts.status }),
          ...(facts.detail && { detail: facts.detail }),
        };
      });
    const told = [...plain, ...more].map((failure) => {
      const { code, ...facts } = failure;
      const baseUrl = code.startsWith("lm-") ? "vscode-lm:copilot" : endpoint.baseUrl;
      return `${code} ${JSON.stringify(facts)}\n  ${failureMessage({ ...failure, ...endpoint, baseUrl }, english)}\n`;
    });
    const noVersion = failureMessage(
      { code: "web-page", ...endpoint, baseUrl: "http://localhost:11434" },
      english,
    );
    const actual = `${told.join("")}web-page at a base URL without a version\n  ${noVersion}\n`;
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(
      actual,
      readFileSync(golden, "utf8"),
      "run with UPDATE_GOLDEN=1 after looking at the difference",
    );
  });
});

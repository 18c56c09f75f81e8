import assert from "node:assert/strict";
import { commitMessage } from "../../../../src/agent/request/commitMessage.ts";
import { createOpenaiClient } from "../../../../src/model/openai/openaiClient.ts";
import {
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../../fakes/model/modelServer.ts";
import { GENEROUS } from "../../model/collect.ts";

describe("a commit message", () => {
  let server: ModelServer;

  async function write(
    step: ModelStep,
    diff: string,
    begun = "",
  ): ReturnType<typeof commitMessage> {
    server = await startModelServer([step]);
    const client = createOpenaiClient({ baseUrl: server.url, apiKey: "key", limits: GENEROUS });
    return commitMessage(
      diff,
      begun,
      { client, model: "m", info: null },
      new AbortController().signal,
    );
  }

  afterEach(() => server.close());

  it("is the model's answer to the diff, without a code fence around it", async () => {
    assert.deepEqual(
      await write({ text: "```\nAdd a cart\n\nIt was missing.\n```\n" }, "+cart", "Add"),
      {
        ok: true,
        value: "Add a cart\n\nIt was missing.",
      },
    );
    const said = server.requests[0]?.body.messages.at(-1)?.content ?? "";
    assert.match(said, /began the message like this:\nAdd\n\nThe changes:\n\+cart$/);
  });

  it("shows the beginning of a long diff only, and says so", async () => {
    await write({ text: "Add x" }, "+x\n".repeat(30_000));
    assert.match(
      server.requests[0]?.body.messages.at(-1)?.content ?? "",
      /\[30000 more characters of the diff are left out\.\]$/,
    );
  });

  it("is an error where the model answers nothing", async () => {
    const answer = await write({ text: " " }, "+x");
    assert.equal(!answer.ok && answer.error.code, "empty");
  });
});

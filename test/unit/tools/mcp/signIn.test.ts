import assert from "node:assert/strict";
import { signInToServer } from "../../../../src/node/mcp/signInToServer.ts";
import type { McpServer, McpSignIn } from "../../../../src/ports/mcp.ts";
import { type OauthMcpServer, startOauthMcpServer } from "../../../fakes/mcp/oauthMcpServer.ts";
import { callTool, mcpHarness } from "./mcpHarness.ts";

const RETURN = "vscode://graft-edits.graft/mcp-sign-in";
const { signal } = new AbortController();

function serverAt(url: string, headers: Record<string, string> = {}): McpServer {
  const transport = { type: "http" as const, url, headers };
  return { name: "closed", transport, secrets: [], definition: "d", own: true };
}

/** A browser whose user signs in at once, or does what `back` says with what returns. */
function browser(back: (returned: Record<string, string>) => Record<string, string> | null) {
  const kept = new Map<string, string>();
  const opened: string[] = [];
  const signIn: McpSignIn = {
    load: async (url) => kept.get(url) ?? null,
    save: async (url, text) => void kept.set(url, text),
    returnUrl: async () => RETURN,
    async open(page, state) {
      opened.push(page);
      const response = await fetch(page, { redirect: "manual" });
      const target = new URL(response.headers.get("location") ?? "");
      assert.equal(target.searchParams.get("state"), state);
      return back(Object.fromEntries(target.searchParams));
    },
  };
  return { signIn, kept, opened };
}

describe("Signing in to an MCP server", () => {
  const { start } = mcpHarness();
  let server: OauthMcpServer;
  beforeEach(async () => {
    server = await startOauthMcpServer();
  });
  afterEach(() => server.close());

  it("is asked for, opens no browser by itself, and gives the server's tools once done", async () => {
    const { signIn, kept, opened } = browser((back) => back);
    const before = start([serverAt(server.url)], { signIn });
    assert.deepEqual(await before.tools(), []);
    assert.equal(before.problems.length, 1);
    assert.deepEqual(opened, []);
    assert.equal(
      server.requests.some((each) => each.includes("register")),
      false,
    );

    assert.deepEqual(await signInToServer(serverAt(server.url), signIn, signal), {
      ok: true,
      value: null,
    });
    const page = new URL(opened[0] ?? "");
    assert.equal(page.searchParams.get("code_challenge_method"), "S256");
    assert.equal(page.searchParams.get("redirect_uri"), RETURN);
    assert.deepEqual([...kept.keys()], [server.url]);

    const { tools } = start([serverAt(server.url)], { signIn });
    assert.equal(await callTool(await tools(), "mcp__closed__add", { a: 20, b: 22 }), "42");
  });

  it("lasts: tokens are renewed without the user, and asked for again where that fails", async () => {
    const { signIn, opened } = browser((back) => back);
    await signInToServer(serverAt(server.url), signIn, signal);
    server.expire();
    const renewed = start([serverAt(server.url)], { signIn });
    assert.equal(await callTool(await renewed.tools(), "mcp__closed__add", { a: 1, b: 1 }), "2");
    server.expire(true);
    const again = start([serverAt(server.url)], { signIn });
    assert.deepEqual(await again.tools(), []);
    assert.equal(again.problems.length, 1);
    assert.equal(opened.length, 1, "no browser opens by itself");
  });

  it("that the user cancels or leaves ends at once, keeps no token, and can be done again", async () => {
    const cancelled = new AbortController();
    const { signIn, kept } = browser((back) => back);
    const outcome = await signInToServer(
      serverAt(server.url),
      {
        ...signIn,
        // The window is closed: nothing comes back until the user cancels.
        open: (_page, _state, during) =>
          new Promise((resolve) => {
            during.addEventListener("abort", () => resolve(null));
            cancelled.abort();
          }),
      },
      cancelled.signal,
    );
    assert.deepEqual(outcome, {
      ok: false,
      error: { code: "not-signed-in", name: "closed", why: "cancelled", detail: "" },
    });
    assert.doesNotMatch(kept.get(server.url) ?? "", /access_token/);
    assert.equal((await signInToServer(serverAt(server.url), signIn, signal)).ok, true);
  });

  const refusals: readonly (readonly [
    what: string,
    back: (returned: Record<string, string>) => Record<string, string>,
    detail: string,
  ])[] = [
    ["the user denies", () => ({ error: "access_denied", error_description: "No." }), "No."],
    ["no code comes back", () => ({}), ""],
    ["a made-up code comes back", () => ({ code: "guessed" }), ""],
  ];
  for (const [what, back, detail] of refusals)
    it(`fails with a reason where ${what}`, async () => {
      const { signIn, kept } = browser(back);
      const outcome = await signInToServer(serverAt(server.url), signIn, signal);
      assert.ok(!outcome.ok && outcome.error.code === "not-signed-in");
      assert.deepEqual([outcome.error.why, outcome.error.detail], ["refused", detail]);
      assert.doesNotMatch(kept.get(server.url) ?? "", /access_token/);
    });

  it("is not offered over unencrypted http to another machine, nor beside a header with a token", async () => {
    const { signIn, opened } = browser((back) => back);
    const plain = await signInToServer(serverAt("http://mcp.example.com/mcp"), signIn, signal);
    assert.equal(plain.ok ? "" : plain.error.code, "unencrypted-key");
    const { tools, problems } = start([serverAt(server.url, { Authorization: "Bearer wrong" })], {
      signIn,
    });
    assert.deepEqual(await tools(), []);
    assert.match(problems[0] ?? "", /401/);
    assert.deepEqual(opened, []);
  });
});

import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../../../src/ports/approval.ts";
import { PermissionGrants } from "../../../../src/tools/permissions/permissionGrants.ts";
import { decidePermission } from "../../../../src/tools/permissions/permissionPolicy.ts";
import { readCall } from "../../../../src/tools/toolArguments.ts";
import { createToolRouter } from "../../../../src/tools/toolRouter.ts";
import { createFetchUrl } from "../../../../src/tools/web/fetchUrl.ts";
import type { Web } from "../../../../src/tools/web/web.ts";

const page = { title: "Docs", text: "Words.", isCut: true };

/** Fetches addresses one after the other; `answers` are the user's. */
async function fetchAll(urls: readonly string[], scope: "call" | "session", web?: Web) {
  const asked: ApprovalRequest[] = [];
  const read: string[] = [];
  const stored = new Map<string, unknown>();
  const grants = new PermissionGrants({
    get: (key) => stored.get(key),
    update: async (key, value) => void stored.set(key, value),
  });
  const router = createToolRouter(
    [
      createFetchUrl(
        web ?? {
          async read(url) {
            read.push(url.href);
            return { ok: true, value: { url: url.href, ...page } };
          },
        },
      ),
    ],
    {
      async request(request) {
        assert.equal(
          decidePermission(request, { write: "allow", rules: [], restrictions: [] }).permission,
          "ask",
        );
        if (grants.find(request)) return { allowed: true, by: "user" };
        asked.push(request);
        if (scope === "session") await grants.add(request, scope);
        return { allowed: scope === "session", by: "user" };
      },
    },
  );
  const results: string[] = [];
  for (const [at, url] of urls.entries()) {
    const call = { callId: `c${at}`, name: "fetch_url", argsText: JSON.stringify({ url }) };
    const outcome = await router.prepare(readCall(call)).run({
      turnId: "t",
      callId: call.callId,
      signal: new AbortController().signal,
      emit: () => undefined,
      streams: { register: () => assert.fail("it does not listen") },
    });
    results.push(outcome.ok ? outcome.output : (outcome.error.code ?? ""));
  }
  return { asked, read, results };
}

describe("fetch_url", () => {
  it("asks once a host, with the whole address, also for another port or a subdomain", async () => {
    const { asked, read } = await fetchAll(
      [
        "https://docs.example/a?q=1",
        "https://docs.example/b",
        "https://docs.example:8443/a",
        "https://evil.docs.example/",
        "http://docs.example/c",
      ],
      "session",
    );
    assert.deepEqual(
      asked.map(({ host, arguments: address }) => [host, address]),
      [
        ["docs.example", "https://docs.example/a?q=1"],
        ["docs.example:8443", "https://docs.example:8443/a"],
        ["evil.docs.example", "https://evil.docs.example/"],
      ],
    );
    assert.equal(read.length, 5);
  });

  it("reads nothing where the user denies it, and nothing that is no web address", async () => {
    const { read, results } = await fetchAll(["https://docs.example/"], "call");
    assert.deepEqual([read, results], [[], ["denied"]]);
    const odd = await fetchAll(
      ["file:///etc/passwd", "https://user:word@docs.example/", "javascript:1", "no address"],
      "call",
    );
    assert.deepEqual(odd.read, []);
    assert.equal(odd.results.includes("denied"), false);
  });

  it("gives the page with its address, a note on where it ends, and that it is data", async () => {
    const { results } = await fetchAll(["https://docs.example/a"], "session");
    assert.match(
      results[0] ?? "",
      /https:\/\/docs\.example\/a[\s\S]*data[\s\S]*# Docs\n\nWords\.[\s\S]*1 MB/,
    );
  });

  it("tells the model where a redirect leads", async () => {
    const web: Web = {
      read: async () => ({
        ok: false,
        error: { code: "redirected", to: "https://other.example/" },
      }),
    };
    const { results } = await fetchAll(["https://docs.example/a"], "session", web);
    assert.deepEqual(results, ["not-fetched"]);
  });
});

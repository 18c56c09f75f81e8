import assert from "node:assert/strict";
import { PanelApproval } from "../../../../src/host/panel/panelApproval.ts";
import type { ApprovalRequest } from "../../../../src/ports/approval.ts";
import { describeGrant, type GrantMemory, PermissionGrants } from "../../../../src/tools/permissions/permissionGrants.ts";
import type { PermissionRule } from "../../../../src/tools/permissions/permissionRule.ts";

const request: ApprovalRequest = {
  turnId: "t",
  callId: "c1",
  tool: "edit_mode",
  effect: "write",
  reviewed: true,
  summary: "Propose edits to a.ts",
};

function approval(write: "allow" | "ask" | "deny", trusted = true, rules: readonly PermissionRule[] = [], memory = memento()) {
  const grants = new PermissionGrants(memory);
  const accepting: (() => void)[] = [];
  const acceptAll = () => new Promise<void>((resolve) => accepting.push(resolve));
  const panel = new PanelApproval({ trusted: () => trusted, policy: () => ({ write, rules, restrictions: [] }), grants, acceptAll });
  const asked: ApprovalRequest[] = [];
  panel.onAsked((question) => asked.push(question));
  return { panel, asked, grants, accepting };
}

function memento(): GrantMemory {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    async update(key, value) {
      values.set(key, value);
    },
  };
}

const unstopped = () => new AbortController().signal;
const command = (text: string, callId = "c1", turnId = "t"): ApprovalRequest => ({
  turnId,
  callId,
  tool: "run_command",
  effect: "execute",
  reviewed: false,
  summary: `Run ${text}`,
  command: { text, folder: "." },
});

describe("approval", () => {
  it("follows the settings without asking", async () => {
    assert.deepEqual(await approval("allow").panel.request(request, new AbortController().signal), {
      allowed: true,
      by: "settings",
      reason: null,
    });
    const denied = await approval("deny").panel.request(request, new AbortController().signal);
    assert.equal(denied.allowed, false);
    assert.match(denied.reason ?? "", /graft\.permissions\.write/);
  });

  it("denies everything in an untrusted workspace", async () => {
    const decision = await approval("allow", false).panel.request(request, new AbortController().signal);
    assert.equal(decision.allowed, false);
    assert.match(decision.reason ?? "", /not trusted/);
  });

  it("waits for the answer to that request", async () => {
    const { panel, asked } = approval("ask");
    const decision = panel.request(request, new AbortController().signal);
    assert.deepEqual(asked, [request]);
    await panel.answer("another", false);
    await panel.answer("c1", true);
    await panel.answer("c1", false);
    assert.deepEqual(await decision, { allowed: true, by: "user", reason: null, scope: "call" });
  });

  it("lets the call run only when the pending changes are accepted, where the user wants that", async () => {
    const { panel, accepting } = approval("ask");
    let decided = false;
    const decision = panel.request({ ...request, pendingFiles: ["a.ts"] }, unstopped()).finally(() => {
      decided = true;
    });
    const answered = panel.answer("c1", true, "call", true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(decided, false);
    accepting[0]?.();
    await answered;
    assert.deepEqual(await decision, { allowed: true, by: "user", reason: null, scope: "call" });
  });

  it("accepts nothing for a question that is closed, or that the user denies", async () => {
    const { panel, accepting } = approval("ask");
    const decision = panel.request(request, unstopped());
    await panel.answer("another", true, "call", true);
    await panel.answer("c1", false, "call", true);
    assert.equal((await decision).allowed, false);
    assert.equal(accepting.length, 0);
  });

  it("tells the model when the user denies", async () => {
    const { panel } = approval("ask");
    const decision = panel.request(request, new AbortController().signal);
    void panel.answer("c1", false);
    assert.match((await decision).reason ?? "", /user denied/);
  });

  it("denies when the turn stops before or during the question", async () => {
    const { panel, asked } = approval("ask");
    const stop = new AbortController();
    const decision = panel.request(request, stop.signal);
    stop.abort();
    assert.equal((await decision).allowed, false);
    assert.equal((await panel.request(request, stop.signal)).allowed, false);
    assert.equal(asked.length, 1);
  });

  it("asks before unreviewed writes unless the settings deny them", async () => {
    const deletion = { ...request, tool: "delete_file", reviewed: false };
    const { panel, asked } = approval("allow");
    const decision = panel.request(deletion, new AbortController().signal);
    assert.deepEqual(asked, [deletion]);
    void panel.answer("c1", true);
    assert.equal((await decision).by, "user");
    assert.equal((await approval("deny").panel.request(deletion, new AbortController().signal)).by, "settings");
  });

  it("always asks before running something", () => {
    const { panel, asked } = approval("allow");
    void panel.request({ ...request, effect: "execute" }, new AbortController().signal);
    assert.equal(asked.length, 1);
  });

  it("asks each time about editor configuration, whatever rules or permissions allow", async () => {
    const tasks: ApprovalRequest = { ...request, tool: "create_file", reviewed: false, eachTime: true };
    const { panel, asked, grants } = approval("allow", true, [{ tool: "create_file", allow: "always" }]);
    assert.equal((await panel.request({ ...request, tool: "create_file", reviewed: false }, unstopped())).allowed, true);
    for (const count of [1, 2]) {
      const decision = panel.request(tasks, unstopped());
      assert.equal(asked.length, count);
      await panel.answer("c1", true, "workspace");
      assert.equal((await decision).allowed, true);
    }
    assert.deepEqual(grants.all(), []);
    const never = approval("allow", true, [{ tool: "create_file", allow: "never" }]);
    assert.equal((await never.panel.request(tasks, unstopped())).allowed, false);
  });

  it("follows a rule without asking, and names it", async () => {
    const rules: readonly PermissionRule[] = [
      { tool: "run_command", match: "npm test*", allow: "always" },
      { tool: "git_commit", allow: "never" },
    ];
    const { panel, asked } = approval("allow", true, rules);
    assert.deepEqual(await panel.request(command("npm test -- --bail"), unstopped()), {
      allowed: true,
      by: "settings",
      reason: null,
      rule: "run_command npm test*: always",
    });
    const denied = await panel.request({ ...request, tool: "git_commit", effect: "execute", reviewed: false }, unstopped());
    assert.equal(denied.allowed, false);
    assert.equal(denied.rule, "git_commit: never");
    assert.match(denied.reason ?? "", /settings do not allow this \(git_commit: never\)/);
    assert.deepEqual(asked, []);
  });

  it("denies everything in an untrusted workspace despite permissions", async () => {
    const memory = memento();
    const before = approval("allow", true, [], memory);
    const first = before.panel.request(command("make"), unstopped());
    await before.panel.answer("c1", true, "workspace");
    assert.equal((await first).allowed, true);
    const { panel } = approval("allow", false, [{ tool: "*", allow: "always" }], memory);
    for (const each of [command("make"), request]) assert.equal((await panel.request(each, unstopped())).by, "trust");
  });

  it("remembers exactly the allowed command, for the chosen scope", async () => {
    const memory = memento();
    for (const [scope, turnId, again] of [
      ["call", "t", false],
      ["turn", "t", true],
      ["turn", "t2", false],
      ["session", "t2", true],
    ] as const) {
      const { panel, asked } = approval("allow", true, [], memory);
      const first = panel.request(command("npm test"), unstopped());
      await panel.answer("c1", true, scope);
      assert.equal((await first).scope, scope);
      const stop = new AbortController();
      const second = panel.request(command("npm test", "c2", turnId), stop.signal);
      stop.abort();
      assert.equal((await second).allowed, again, `${scope} ${turnId}`);
      for (const other of [
        command("npm test && rm x", "c3"),
        { ...command("npm test", "c4"), command: { text: "npm test", folder: "web" } },
      ]) {
        void panel.request(other, unstopped());
      }
      assert.equal(asked.length, again ? 3 : 4);
    }
  });

  it("keeps a workspace permission across windows, names it, and revokes it", async () => {
    const memory = memento();
    const before = approval("allow", true, [], memory);
    void before.panel.request(command("npm test"), unstopped());
    await before.panel.answer("c1", true, "workspace");
    const { panel, grants, asked } = approval("allow", true, [], memory);
    assert.deepEqual(await panel.request(command("npm test"), unstopped()), {
      allowed: true,
      by: "user",
      reason: null,
      rule: "run_command npm test",
      scope: "workspace",
    });
    const [kept] = grants.all();
    assert.ok(kept);
    assert.equal(describeGrant(kept.grant), "run_command npm test");
    await grants.remove(kept.grant);
    void panel.request(command("npm test"), unstopped());
    assert.equal(asked.length, 1);
  });

  it("drops a damaged permission and keeps the others", () => {
    const memory = memento();
    void memory.update("graft.permissions", [{ tool: "git_commit" }]);
    const damaged: GrantMemory = { ...memory, get: (key) => [7, { tool: 3 }, null, ...[memory.get(key)].flat()] };
    assert.deepEqual(
      new PermissionGrants(damaged).all().map(({ grant }) => describeGrant(grant)),
      ["git_commit"],
    );
  });

  it("covers all of a server's read-only tools, also in open requests, with one approval", async () => {
    const { panel, asked } = approval("allow");
    const read = (callId: string): ApprovalRequest => ({
      ...request,
      callId,
      tool: `mcp__docs__${callId}`,
      effect: "read",
      reviewed: false,
      server: "docs",
    });
    const both = Promise.all([panel.request(read("a"), unstopped()), panel.request(read("b"), unstopped())]);
    await panel.answer("a", true);
    assert.deepEqual(
      (await both).map(({ allowed, scope }) => ({ allowed, scope })),
      [
        { allowed: true, scope: "session" },
        { allowed: true, scope: "session" },
      ],
    );
    assert.equal((await panel.request(read("c"), unstopped())).allowed, true);
    assert.equal(asked.length, 2);
  });
});

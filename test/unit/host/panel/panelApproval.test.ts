import assert from "node:assert/strict";
import { PanelApproval } from "../../../../src/host/panel/panelApproval.ts";
import type { ApprovalRequest } from "../../../../src/ports/approval.ts";
import type { Memory } from "../../../../src/ports/memory.ts";
import {
  describeGrant,
  PermissionGrants,
} from "../../../../src/tools/permissions/permissionGrants.ts";
import type { PermissionRule } from "../../../../src/tools/permissions/permissionRule.ts";

const CHAT = { tree: { turns: { has: () => true } } };

const request: ApprovalRequest = {
  turnId: "t",
  callId: "c1",
  tool: "edit_mode",
  effect: "write",
  reviewed: true,
  summary: "Propose edits to a.ts",
};

function approval(
  write: "allow" | "ask" | "deny",
  trusted = true,
  rules: readonly PermissionRule[] = [],
  memory = memento(),
) {
  const grants = new PermissionGrants(memory);
  const accepting: ((all: boolean) => void)[] = [];
  const acceptAll = () => new Promise<boolean>((resolve) => accepting.push(resolve));
  const saved: (readonly string[])[] = [];
  const saveFiles = async (paths: readonly string[]) => {
    saved.push(paths);
    return !paths.includes("locked.ts");
  };
  const policy = () => ({ write, rules, restrictions: [] });
  const panel = new PanelApproval({ trusted: () => trusted, policy, grants, acceptAll, saveFiles });
  const asked: ApprovalRequest[] = [];
  let known = 0;
  panel.open.onChange((open) => {
    asked.push(...open.slice(known));
    known = open.length;
  });
  return { panel, asked, grants, accepting, saved };
}

function memento(): Memory {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    async update(key, value) {
      values.set(key, value);
    },
  };
}

const placed = (text: string, more: Readonly<Record<string, true>>): ApprovalRequest => ({
  ...command(text),
  onProposals: { chat: "chat-1", backend: "overlay", ...more },
});
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
    });
    const denied = await approval("deny").panel.request(request, new AbortController().signal);
    assert.equal(denied.allowed, false);
    assert.equal(denied.rule, "graft.permissions.write: deny");
  });

  it("does not take a permission for the user's files for one on proposals, nor the reverse", async () => {
    const onProposals = (
      callId: string,
      backend: "overlay" | "copy" = "overlay",
      chat = "chat-1",
    ) => ({ ...command("npm test", callId), onProposals: { chat, backend } });
    for (const [first, second] of [
      [command("npm test"), onProposals("c2")],
      [onProposals("c1"), command("npm test", "c2")],
      [onProposals("c1"), onProposals("c2", "copy")],
      [onProposals("c1", "copy"), onProposals("c2")],
      [onProposals("c1", "copy"), command("npm test", "c2")],
      [onProposals("c1"), onProposals("c2", "overlay", "chat-2")],
    ] as const) {
      const { panel, asked } = approval("allow");
      const answered = panel.request(first, unstopped());
      await panel.answer(CHAT, "c1", true, { scope: "session", more: true });
      assert.equal((await answered).allowed, true);
      void panel.request(second, unstopped());
      await new Promise(setImmediate);
      assert.deepEqual(
        asked.map(({ callId }) => callId),
        ["c1", "c2"],
      );
    }
  });

  it("keeps a permission for what a chat proposes for that chat, and never for the workspace", async () => {
    const { panel, grants } = approval("allow");
    const onProposals = { chat: "chat-1", backend: "overlay" } as const;
    const request = { ...command("npm test"), onProposals };
    const answered = panel.request(request, unstopped());
    await panel.answer(CHAT, "c1", true, { scope: "workspace" });
    await answered;
    assert.equal((await panel.request({ ...request, callId: "c2" }, unstopped())).allowed, true);
    assert.deepEqual(
      grants.all().map(({ scope }) => scope),
      ["session"],
    );
  });

  it("does not take a permission for a sandbox for one without", async () => {
    const grants = new PermissionGrants(memento());
    await grants.add(placed("npm test", { isSandboxed: true }), "session");
    assert.equal(grants.find(placed("npm test", {})), null);
    assert.ok(grants.find(placed("npm test", { isSandboxed: true })));
  });

  it("does not take a permission that an earlier version kept for proposals", async () => {
    const memory = memento();
    const command = { text: "npm test", folder: "." };
    await memory.update("graft.permissions", [
      { tool: "run_command", command, onProposals: true },
      { tool: "run_command", command, files: { "package.json": "hash" } },
    ]);
    assert.deepEqual(
      new PermissionGrants(memory).all().map(({ grant }) => grant),
      [{ tool: "run_command", command }],
    );
  });

  it("denies everything in an untrusted workspace", async () => {
    const decision = await approval("allow", false).panel.request(
      request,
      new AbortController().signal,
    );
    assert.deepEqual(decision, { allowed: false, by: "trust" });
  });

  it("waits for the answer to that request", async () => {
    const { panel, asked } = approval("ask");
    const decision = panel.request(request, new AbortController().signal);
    assert.deepEqual(asked, [request]);
    await panel.answer(CHAT, "another", false);
    await panel.answer(CHAT, "c1", true);
    await panel.answer(CHAT, "c1", false);
    assert.deepEqual(await decision, { allowed: true, by: "user", scope: "call" });
  });

  it("lets the call run only when the pending changes are accepted, where the user wants that", async () => {
    const { panel, accepting } = approval("ask");
    let decided = false;
    const decision = panel
      .request({ ...request, pendingFiles: ["a.ts"] }, unstopped())
      .finally(() => {
        decided = true;
      });
    const answered = panel.answer(CHAT, "c1", true, { first: "accept-all" });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(decided, false);
    accepting[0]?.(true);
    await answered;
    assert.deepEqual(await decision, { allowed: true, by: "user", scope: "call" });
  });

  it("does not let the call run, and grants nothing, where a change could not be accepted", async () => {
    const { panel, accepting, grants } = approval("ask");
    const decision = panel.request({ ...command("make"), pendingFiles: ["a.ts"] }, unstopped());
    const answered = panel.answer(CHAT, "c1", true, { scope: "session", first: "accept-all" });
    accepting[0]?.(false);
    await answered;
    const { allowed, again } = await decision;
    assert.deepEqual({ allowed, again }, { allowed: false, again: true });
    assert.deepEqual(grants.all(), []);
  });

  it("saves the files that the question named before the call runs, or asks again", async () => {
    const { panel, saved } = approval("ask");
    const asked = { ...command("make"), unsavedFiles: ["a.ts", "b.ts"] };
    const decision = panel.request(asked, unstopped());
    await panel.answer(CHAT, "c1", true, { first: "save-files" });
    assert.equal((await decision).allowed, true);
    const again = panel.request({ ...asked, unsavedFiles: ["locked.ts"] }, unstopped());
    await panel.answer(CHAT, "c1", true, { first: "save-files" });
    assert.equal((await again).again, true);
    assert.deepEqual(saved, [["a.ts", "b.ts"], ["locked.ts"]]);
  });

  it("accepts nothing for a question that is closed, or that the user denies", async () => {
    const { panel, accepting } = approval("ask");
    const decision = panel.request(request, unstopped());
    await panel.answer(CHAT, "another", true, { first: "accept-all" });
    await panel.answer(CHAT, "c1", false, { first: "accept-all" });
    assert.equal((await decision).allowed, false);
    assert.equal(accepting.length, 0);
  });

  it("tells the model when the user denies", async () => {
    const { panel } = approval("ask");
    const decision = panel.request(request, new AbortController().signal);
    void panel.answer(CHAT, "c1", false);
    assert.deepEqual(await decision, { allowed: false, by: "user" });
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
    void panel.answer(CHAT, "c1", true);
    assert.equal((await decision).by, "user");
    assert.equal(
      (await approval("deny").panel.request(deletion, new AbortController().signal)).by,
      "settings",
    );
  });

  it("always asks before running something", () => {
    const { panel, asked } = approval("allow");
    void panel.request({ ...request, effect: "execute" }, new AbortController().signal);
    assert.equal(asked.length, 1);
  });

  it("asks each time about editor configuration, whatever rules or permissions allow", async () => {
    const tasks: ApprovalRequest = {
      ...request,
      tool: "create_file",
      reviewed: false,
      eachTime: true,
    };
    const { panel, asked, grants } = approval("allow", true, [
      { tool: "create_file", allow: "always" },
    ]);
    assert.equal(
      (await panel.request({ ...request, tool: "create_file", reviewed: false }, unstopped()))
        .allowed,
      true,
    );
    for (const count of [1, 2]) {
      const decision = panel.request(tasks, unstopped());
      assert.equal(asked.length, count);
      await panel.answer(CHAT, "c1", true, { scope: "workspace" });
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
    assert.deepEqual(await panel.request(command("npm test unit"), unstopped()), {
      allowed: true,
      by: "settings",
      rule: "run_command npm test*: always",
    });
    const denied = await panel.request(
      { ...request, tool: "git_commit", effect: "execute", reviewed: false },
      unstopped(),
    );
    assert.equal(denied.allowed, false);
    assert.equal(denied.rule, "git_commit: never");
    assert.deepEqual(asked, []);
  });

  it("denies everything in an untrusted workspace despite permissions", async () => {
    const memory = memento();
    const before = approval("allow", true, [], memory);
    const first = before.panel.request(command("make"), unstopped());
    await before.panel.answer(CHAT, "c1", true, { scope: "workspace" });
    assert.equal((await first).allowed, true);
    const { panel } = approval("allow", false, [{ tool: "*", allow: "always" }], memory);
    for (const each of [command("make"), request])
      assert.equal((await panel.request(each, unstopped())).by, "trust");
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
      await panel.answer(CHAT, "c1", true, { scope });
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

  it("remembers the beginning of a test command where the user wants that, and asks before its options", async () => {
    const { panel, asked, grants } = approval("allow");
    const first = panel.request(command("npm test unit"), unstopped());
    await panel.answer(CHAT, "c1", true, { scope: "session", more: true });
    assert.equal((await first).allowed, true);
    assert.deepEqual(
      grants.all().map(({ grant }) => describeGrant(grant)),
      ["run_command npm test …"],
    );
    for (const text of ["npm test", "npm test integration"])
      assert.equal(
        (await panel.request(command(text, "c2"), unstopped())).rule,
        "run_command npm test …",
      );
    for (const text of [
      "npm testevil",
      "npm test --script-shell=./evil.sh",
      "npm test --prefix ../elsewhere",
      "npm test && x",
    ])
      void panel.request(command(text, text), unstopped());
    void panel.request(
      { ...command("npm test", "c4"), command: { text: "npm test", folder: "web" } },
      unstopped(),
    );
    assert.equal(asked.length, 6);
  });

  it("remembers exactly a command that has no such beginning, whatever the panel says", async () => {
    const { panel, grants } = approval("allow");
    void panel.request(command("rm -rf build"), unstopped());
    await panel.answer(CHAT, "c1", true, { scope: "session", more: true });
    assert.deepEqual(
      grants.all().map(({ grant }) => describeGrant(grant)),
      ["run_command rm -rf build"],
    );
  });

  it("keeps a workspace permission across windows, names it, and revokes it", async () => {
    const memory = memento();
    const before = approval("allow", true, [], memory);
    void before.panel.request(command("npm test"), unstopped());
    await before.panel.answer(CHAT, "c1", true, { scope: "workspace" });
    const { panel, grants, asked } = approval("allow", true, [], memory);
    assert.deepEqual(await panel.request(command("npm test"), unstopped()), {
      allowed: true,
      by: "user",
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
    const damaged: Memory = {
      ...memory,
      get: (key) => [7, { tool: 3 }, null, ...[memory.get(key)].flat()],
    };
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
    const both = Promise.all([
      panel.request(read("a"), unstopped()),
      panel.request(read("b"), unstopped()),
    ]);
    await panel.answer(CHAT, "a", true);
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

  it("lets a command in a sandbox run, except against a rule", async () => {
    const sandboxed = placed("npm test", { isSandboxed: true });
    const free = approval("ask");
    const { allowed, by } = await free.panel.request(sandboxed, unstopped());
    assert.deepEqual(
      { allowed, by, asked: free.asked.length },
      { allowed: true, by: "settings", asked: 0 },
    );
    const never = approval("ask", true, [
      { tool: "run_command", match: "npm test", allow: "never" },
    ]);
    assert.equal((await never.panel.request(sandboxed, unstopped())).allowed, false);
    const untrusted = approval("ask", false);
    assert.equal((await untrusted.panel.request(sandboxed, unstopped())).by, "trust");
  });

  it("asks where a command runs each time, and passes on the choice of the own files", async () => {
    const always = [
      { tool: "run_command", match: "npm test", onProposals: true, allow: "always" },
    ] as const;
    const { panel, asked } = approval("ask", true, always);
    const chosen = placed("npm test", { isChosen: true });
    const decided = panel.request(chosen, unstopped());
    await new Promise(setImmediate);
    assert.equal(asked.length, 1);
    await panel.answer(CHAT, "c1", true, { scope: "session", first: "own-files" });
    assert.deepEqual(await decided, {
      allowed: false,
      by: "user",
      again: true,
      chosen: { on: "workspace" },
    });
    const repeated = panel.request(chosen, unstopped());
    await new Promise(setImmediate);
    assert.equal(asked.length, 2);
    await panel.answer(CHAT, "c1", true, { first: "always-proposals" });
    const place = { on: "proposals", always: true };
    assert.deepEqual(await repeated, { allowed: false, by: "user", again: true, chosen: place });
  });
});

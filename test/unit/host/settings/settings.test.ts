import assert from "node:assert/strict";
import { contextWindowOf, parseSettings } from "../../../../src/host/settings/settings.ts";

const read = (values: Record<string, unknown>) => (name: string) => values[name];

describe("settings", () => {
  it("default to demo mode and safe limits", () => {
    const { settings, problems } = parseSettings(read({}));
    assert.deepEqual(problems, []);
    assert.equal(settings.baseUrl, null);
    assert.equal(settings.permissions.write, "allow");
    assert.equal(settings.edits.save, "onAccept");
    assert.deepEqual(settings.timeouts, { connect: 20, firstToken: 180, idle: 90 });
  });

  it("tell of chats that wait, and take what earlier versions had", () => {
    const told = (notifications?: unknown) =>
      parseSettings(read({ notifications })).settings.notifications;
    assert.equal(told(), "waiting");
    assert.deepEqual([true, false, "all", "loud"].map(told), ["all", "never", "all", "waiting"]);
    assert.deepEqual(parseSettings(read({ notifications: true })).problems, []);
  });

  it("say where an agent of another maker may write", () => {
    const agents = { Mine: { command: "mine", writes: ["~/.cache/mine"] } };
    const { settings, problems } = parseSettings(read({ agents }));
    assert.deepEqual(problems, []);
    assert.deepEqual(settings.agents[0]?.writes, ["~/.cache/mine"]);
    const wrong = parseSettings(read({ agents: { Mine: { command: "mine", writes: "~" } } }));
    assert.deepEqual([wrong.settings.agents, wrong.problems.length], [[], 1]);
  });

  it("keep what the user set", () => {
    const { settings, problems } = parseSettings(
      read({
        baseUrl: " http://localhost:11434/v1 ",
        model: "qwen",
        maxSteps: 3,
        "timeouts.idle": 1.5,
        "permissions.write": "ask",
      }),
    );
    assert.deepEqual(problems, []);
    assert.equal(settings.baseUrl, "http://localhost:11434/v1");
    assert.equal(settings.maxSteps, 3);
    assert.equal(settings.timeouts.idle, 1.5);
    assert.equal(settings.permissions.write, "ask");
  });

  for (const [name, value] of [
    ["baseUrl", 7],
    ["model", ["a"]],
    ["maxSteps", 0],
    ["maxSteps", 2.5],
    ["maxSteps", "ten"],
    ["contextWindow", 10],
    ["contextWindow", { "gpt-5": "large" }],
    ["contextWindow", [128_000]],
    ["timeouts.connect", -1],
    ["timeouts.firstToken", Number.POSITIVE_INFINITY],
    ["timeouts.idle", {}],
    ["edits.review", "never"],
    ["edits.save", "always"],
    ["edits.format", "diff"],
    ["maxTurnCost", -1],
    ["diff.inline", true],
  ] as const) {
    it(`report graft.${name} when it is ${JSON.stringify(value)}, and use its default`, () => {
      const { settings, problems } = parseSettings(read({ [name]: value }));
      assert.deepEqual(settings, parseSettings(read({})).settings);
      const [problem] = problems;
      assert.equal(problems.length, 1);
      assert.ok(problem?.code === "invalid-value" && problem.setting === name);
    });
  }

  it("give the context window of a model by its name, else the longest matching beginning, else none", () => {
    const size = (contextWindow: unknown, model: string) =>
      contextWindowOf(parseSettings(read({ contextWindow })).settings, model);
    assert.equal(size(undefined, "m"), null);
    assert.equal(size(32_000, "m"), 32_000);
    const byName = {
      "*": 9_000,
      "qwen*": 10_000,
      "qwen3*": 20_000,
      "qwen3-coder": 30_000,
      "gpt-4.1": 1_000_000,
    };
    assert.equal(size(byName, "qwen3-coder"), 30_000);
    assert.equal(size(byName, "qwen3-max"), 20_000);
    assert.equal(size(byName, "qwen2"), 10_000);
    assert.equal(size(byName, "other"), 9_000);
    assert.equal(size({ "gpt-4.1": 1_000_000 }, "gpt-4.1-mini"), null);
    assert.equal(size({ __proto__: null, a: 2_000 }, "toString"), null);
  });

  it("ask before edits when graft.permissions.write is invalid", () => {
    const { settings, problems } = parseSettings(read({ "permissions.write": "sometimes" }));
    assert.equal(settings.permissions.write, "ask");
    assert.deepEqual(problems, [
      { code: "invalid-value", setting: "permissions.write", fallback: "ask" },
    ]);
  });

  it("ask about what reaches an invalid rule, and report it", () => {
    for (const wrong of [
      7,
      { tool: "run_command" },
      { tool: "edit_mode", match: "src", allow: "always" },
      { tool: "x", allow: "never", mach: "y" },
    ]) {
      const good = { tool: "git_commit", allow: "never" } as const;
      const { settings, problems } = parseSettings(read({ "permissions.rules": [good, wrong] }));
      assert.deepEqual(settings.permissions.rules, [good, { tool: "*", allow: "ask" }]);
      const matches = typeof wrong === "object" && "match" in wrong;
      assert.deepEqual(problems, [
        { code: matches ? "match-without-command" : "invalid-rule", entry: 2 },
      ]);
    }
  });

  it("let a workspace make permissions stricter, never looser", () => {
    const never = { tool: "git_commit", allow: "never" } as const;
    const places = (user: Record<string, unknown>, workspace: Record<string, unknown>) =>
      parseSettings(read({}), (name) => ({
        user: user[name],
        workspace: [workspace[name], undefined],
      })).settings.permissions;
    assert.equal(
      places({ "permissions.write": "ask" }, { "permissions.write": "allow" }).write,
      "ask",
    );
    assert.equal(
      places({ "permissions.write": "allow" }, { "permissions.write": "deny" }).write,
      "deny",
    );
    assert.deepEqual(places({}, { "permissions.rules": [never] }), {
      write: "allow",
      rules: [],
      restrictions: [[never]],
    });
  });

  it("let a workspace ask for review before changes are applied, never after", () => {
    const review = (user: unknown, workspace: unknown) =>
      parseSettings(read({ "edits.review": workspace ?? user }), () => ({
        user,
        workspace: [workspace, undefined],
      })).settings.edits.review;
    assert.equal(review("after", undefined), "after");
    assert.equal(review("after", "before"), "before");
    assert.equal(review("before", "after"), "before");
    assert.equal(review(undefined, "after"), "before");
  });

  it("let a workspace stop Graft from fixing errors unasked, never start it", () => {
    const fix = (user: unknown, workspace: unknown) => {
      const places = () => ({ user, workspace: [workspace, undefined] });
      return parseSettings(read({ "edits.fixNewErrors": workspace ?? user }), places).settings.edits
        .fixNewErrors;
    };
    assert.equal(fix("always", undefined), "always");
    assert.equal(fix("always", "ask"), "ask");
    assert.equal(fix("ask", "always"), "ask");
    assert.equal(fix(undefined, "always"), "ask");
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import type { ApprovalRequest } from "../../../../src/ports/approval.ts";
import { decidePermission } from "../../../../src/tools/permissions/permissionPolicy.ts";
import type { PermissionRule } from "../../../../src/tools/permissions/permissionRule.ts";
import {
  commandPrefix,
  coversCommand,
  isOneCommand,
} from "../../../../src/tools/permissions/permissionRule.ts";

const base = { turnId: "t", callId: "c", summary: "s", reviewed: false } as const;
const run = (text: string): ApprovalRequest => ({
  ...base,
  tool: "run_command",
  effect: "execute",
  command: { text, folder: "." },
});
const use = (
  tool: string,
  effect: ApprovalRequest["effect"],
  reviewed = false,
): ApprovalRequest => ({ ...base, tool, effect, reviewed });

const always = (match: string): PermissionRule => ({ tool: "run_command", match, allow: "always" });
const never = (match: string): PermissionRule => ({ tool: "run_command", match, allow: "never" });
const ANY: PermissionRule = { tool: "run_command", allow: "always" };

function decide(
  request: ApprovalRequest,
  rules: readonly PermissionRule[],
  restrictions: readonly PermissionRule[] = [],
): string {
  return decidePermission(request, { write: "allow", rules, restrictions: [restrictions] })
    .permission;
}

describe("permissions by the settings", () => {
  it("allow a command on what is proposed only where a rule says so", () => {
    const request: ApprovalRequest = {
      ...run("npm test"),
      onProposals: { chat: "c", backend: "overlay" },
    };
    assert.equal(decide(request, [always("npm test")]), "ask");
    assert.equal(decide(request, [{ ...always("npm test"), onProposals: true }]), "allow");
    assert.equal(decide(run("npm test"), [{ ...always("npm test"), onProposals: true }]), "allow");
    const inCopy: ApprovalRequest = { ...request, onProposals: { chat: "c", backend: "copy" } };
    assert.equal(decide(inCopy, [{ ...always("npm test"), onProposals: true }]), "ask");
    for (const each of [inCopy, request, run("npm test")])
      assert.equal(decide(each, [{ ...always("npm test"), onProposals: "copy" }]), "allow");
    assert.equal(decide(request, [never("npm test")]), "deny");
  });

  for (const [rules, text, expected] of [
    [[], "npm test", "ask"],
    [[always("npm test")], "npm test", "allow"],
    [[always("npm test")], " npm  test ", "allow"],
    [[always("npm test")], "npm test -- --bail", "ask"],
    [[always("npm test *")], "npm test", "allow"],
    [[always("npm test *")], "npm testevil", "ask"],
    [[always("npm test && npm run lint")], "npm test && npm run lint", "allow"],
    [[never("git push*"), ANY], "git push --force", "deny"],
    [[never("git push*"), ANY], "git  push", "deny"],
    [[never("git push*"), ANY], "git status", "allow"],
    [[never("git push*"), ANY], "cd x && git push", "ask"],
    [[never("git push*"), ANY], "'git' push", "deny"],
    [[never("git push*"), ANY], "GIT push", "deny"],
    [[never("git push*"), ANY], "git.exe push", "deny"],
    [[never("git branch -d*"), ANY], "git branch -D x", "allow"],
    [[never("git push*"), ANY], "/usr/bin/git push", "ask"],
    [[never("git push*"), ANY], "env A=1 git push", "ask"],
    [[never("git push*"), ANY], "A=1 git push", "ask"],
    [[never("git push*"), ANY], "/usr/bin/g?t push", "ask"],
    [[never("git push*"), ANY], `echo ${"a ".repeat(2_000)}`, "ask"],
    [[never("git push*"), ANY], "git log origin/pushed *.ts", "allow"],
    [[always("git log *"), never("git log*")], "git log main", "allow"],
    [[always("git *"), never("git push*")], "git push", "deny"],
    [[always("sed *")], "sed x", "ask"],
    [[{ tool: "*", allow: "ask" }, ANY], "make", "ask"],
  ] as const) {
    it(`${expected} for ${JSON.stringify(text.slice(0, 80))} under ${JSON.stringify(rules)}`, () => {
      assert.equal(decide(run(text), rules), expected);
    });
  }

  it("allows commands only in the folder of the rule, by default in the workspace itself", () => {
    const inFolder = (folder: string, rule: PermissionRule, more: object = {}) =>
      decide({ ...run("npm test"), command: { text: "npm test", folder, ...more } }, [rule]);
    assert.equal(inFolder("web", always("npm test*")), "ask");
    assert.equal(inFolder("./", always("npm test*")), "allow");
    assert.equal(inFolder("web", { ...always("npm test*"), folder: "web/" }), "allow");
    assert.equal(inFolder("web/inner", { ...always("npm test*"), folder: "web" }), "ask");
    assert.equal(inFolder("web", { ...always("npm test*"), folder: "*" }), "allow");
    assert.equal(
      inFolder("web", always("npm test*"), { isRoot: true }),
      "allow",
      "one of several workspace folders",
    );
    assert.equal(
      inFolder("web", never("npm test*")),
      "deny",
      "what is forbidden is forbidden everywhere",
    );
  });

  describe("a rule that allows `npm test*`", () => {
    for (const match of ["npm test*", "npm test *", " npm  test *"]) {
      for (const text of [
        "npm test",
        "npm test ",
        "npm  test unit",
        "npm test src/a.test.ts unit:fast",
        "npm test a-b x@2 ./x",
        "npm test a.py::test ... a..b",
      ])
        it(`as ${JSON.stringify(match)} allows ${JSON.stringify(text)}`, () =>
          assert.equal(decide(run(text), [always(match)]), "allow"));
      for (const text of [
        ...[
          "npm testevil",
          "npm test:evil",
          "npm tes",
          "npm",
          "npmtest",
          "npm test\u00a0",
          "npm test\r",
          "npm test\u2028evil",
        ],
        ...[
          "npm test --script-shell=./evil.sh",
          "npm test --prefix ../elsewhere",
          "npm test -C ..",
          "npm test -- --bail",
          "npm test a -b",
        ],
        ...[
          "npm test '--prefix' x",
          'npm test "--prefix" x',
          "npm test ''--prefix x",
          "npm test \\--prefix x",
          "npm test '-'-prefix x",
        ],
        ...[
          "npm test *",
          "npm test ?-x",
          "npm test [-]x",
          "npm test ~",
          "npm test @file",
          "npm test +x",
          "npm test /p:x",
          "npm test SHELL=x",
        ],
        ...[
          "npm test ../evil.ts",
          "npm test a/../../evil.ts",
          "npm test ..",
          "npm test https://evil.example/a.ts",
          "npm test jsr:/x//y",
        ],
        ...["npm test C:/evil.ts", "npm test c:evil.ts", "npm test a ./.."],
        ...[
          "npm test #x",
          "npm test \u2013prefix x",
          "npm test \u2212x",
          "npm --prefix x test",
          "A=1 npm test",
        ],
      ])
        it(`as ${JSON.stringify(match)} asks before ${JSON.stringify(text)}`, () =>
          assert.equal(decide(run(text), [always(match)]), "ask"));
    }

    it("covers the options that it names, and no others", () => {
      assert.equal(decide(run("npm test --bail unit"), [always("npm test --bail *")]), "allow");
      assert.equal(decide(run("npm test --bail --grep"), [always("npm test --bail *")]), "ask");
      assert.equal(decide(run("npm test --bail=x"), [always("npm test --bail*")]), "ask");
    });

    it("covers no text with anything but plain words after it", () => {
      fc.assert(
        fc.property(
          fc.string(),
          fc.constantFrom(..." -'\"\\*?[]~#=@+&|;<>`$(){}\n\r\0^%!\u00a0\u202e"),
          fc.string(),
          (before, character, after) => {
            const rest = `${character === " " ? "-" : character}${after}`;
            const allowed = coversCommand("npm test*", `npm test ${before} ${rest}`);
            assert.ok(!allowed || /^[\p{L}\p{N}_.:/,@+ \t\n-]*$/u.test(before + rest));
            assert.ok(!allowed || !/(^|[ \t])[-+@/]/.test(`${before} ${rest}`));
          },
        ),
      );
    });
  });

  describe("the beginning of a command that can be allowed for longer", () => {
    for (const [text, prefix] of [
      ["npm test", "npm test"],
      ["npm run test:unit fast", "npm run test:unit"],
      ["cargo  test parser", "cargo test"],
      ["pytest tests/a.py", "pytest"],
      ...[
        "swift test",
        "go test",
        "mix test",
        "dotnet build",
        "bun test",
        "yarn lint",
        "flutter test",
      ].map((text) => [`${text} x`, text] as const),
      ["npm test --watch", null],
      ["npm testevil", null],
      ["npm install left-pad", null],
      ["npm run deploy", null],
      ["npm test && rm -rf x", null],
      ["rm build", null],
      ["node test.js", null],
      ["make test", null],
      ["sh test", null],
    ] as const)
      it(`of ${JSON.stringify(text)} is ${JSON.stringify(prefix)}`, () =>
        assert.equal(commandPrefix(text), prefix));
  });

  for (const chain of [
    "&& x",
    "; x",
    "| x",
    "& x",
    "> x",
    "$(x)",
    "`x`",
    "\nx",
    "\r\nx",
    "<(x)",
    "|| x",
    "%x%",
  ]) {
    it(`does not allow ${JSON.stringify(chain)} as part of an allowed command`, () => {
      assert.equal(decide(run(`npm test ${chain}`), [always("npm test*")]), "ask");
      assert.equal(decide(run(`npm test${chain}`), [always("npm test*")]), "ask");
    });
  }

  it("counts no text with a shell operator as one command", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom(..."&|;<>`$(){}\n\r\0^%!\u202e\u0085\u2028"),
        fc.string(),
        (before, operator, after) => assert.equal(isOneCommand(before + operator + after), false),
      ),
    );
  });

  it("follows graft.permissions.write for reviewed changes, and asks before immediate ones", () => {
    const edit = use("edit_mode", "write", true);
    for (const write of ["allow", "ask", "deny"] as const) {
      assert.equal(
        decidePermission(edit, { write, rules: [], restrictions: [] }).permission,
        write,
      );
      const deletion = decidePermission(use("delete_file", "write"), {
        write,
        rules: [],
        restrictions: [],
      });
      assert.equal(deletion.permission, write === "deny" ? "deny" : "ask");
    }
    const all: PermissionRule = { tool: "*", allow: "always" };
    assert.equal(
      decidePermission(edit, { write: "deny", rules: [all], restrictions: [] }).permission,
      "deny",
    );
    assert.equal(decide(edit, [{ tool: "edit_mode", allow: "ask" }]), "ask");
  });

  it("matches a family of tools by a prefix", () => {
    const rules = [{ tool: "mcp__github__*", allow: "always" }] as const;
    assert.equal(decide(use("mcp__github__list", "execute"), rules), "allow");
    assert.equal(decide(use("mcp__gitlab__list", "execute"), rules), "ask");
  });

  it("applies a workspace's rules only where they are stricter", () => {
    assert.equal(decide(run("make"), [], [ANY]), "ask");
    assert.equal(decide(run("make"), [ANY], [{ tool: "run_command", allow: "ask" }]), "ask");
    assert.equal(decide(run("make"), [ANY], [never("make*")]), "deny");
    assert.equal(decide(run("make"), [{ tool: "*", allow: "never" }], [ANY]), "deny");
  });
});

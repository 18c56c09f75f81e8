import assert from "node:assert/strict";
import fc from "fast-check";
import type { ApprovalRequest } from "../../../../src/ports/approval.ts";
import { decidePermission } from "../../../../src/tools/permissions/permissionPolicy.ts";
import type { PermissionRule } from "../../../../src/tools/permissions/permissionRule.ts";
import { isOneCommand } from "../../../../src/tools/permissions/permissionRule.ts";

const base = { turnId: "t", callId: "c", summary: "s", reviewed: false } as const;
const run = (text: string): ApprovalRequest => ({ ...base, tool: "run_command", effect: "execute", command: { text, folder: "." } });
const use = (tool: string, effect: ApprovalRequest["effect"], reviewed = false): ApprovalRequest => ({ ...base, tool, effect, reviewed });

const always = (match: string): PermissionRule => ({ tool: "run_command", match, allow: "always" });
const never = (match: string): PermissionRule => ({ tool: "run_command", match, allow: "never" });
const ANY: PermissionRule = { tool: "run_command", allow: "always" };

function decide(request: ApprovalRequest, rules: readonly PermissionRule[], restrictions: readonly PermissionRule[] = []): string {
  return decidePermission(request, { write: "allow", rules, restrictions: [restrictions] }).permission;
}

describe("permissions by the settings", () => {
  for (const [rules, text, expected] of [
    [[], "npm test", "ask"],
    [[always("npm test")], "npm test", "allow"],
    [[always("npm test")], " npm  test ", "allow"],
    [[always("npm test")], "npm test -- --bail", "ask"],
    [[always("npm test*")], "npm test -- --grep 'a b'", "allow"],
    [[always("npm test *")], "npm test", "allow"],
    [[always("npm test *")], "npm test --bail", "allow"],
    [[always("npm test *")], "npm testevil", "ask"],
    [[always("npm test && npm run lint")], "npm test && npm run lint", "allow"],
    [[never("git push*"), ANY], "git push --force", "deny"],
    [[never("git push*"), ANY], "git  push", "deny"],
    [[never("git push*"), ANY], "git status", "allow"],
    [[never("git push*"), ANY], "cd x && git push", "ask"],
    [[never("git push*"), ANY], "'git' push", "ask"],
    [[never("git push*"), ANY], "/usr/bin/git push", "ask"],
    [[never("git push*"), ANY], "env A=1 git push", "ask"],
    [[never("git push*"), ANY], "A=1 git push", "ask"],
    [[never("git push*"), ANY], "/usr/bin/g?t push", "ask"],
    [[never("git push*"), ANY], `echo ${"a ".repeat(2_000)}`, "ask"],
    [[never("git push*"), ANY], "git log origin/pushed *.ts", "allow"],
    [[always("git *"), never("git push*")], "git push", "allow"],
    [[{ tool: "*", allow: "ask" }, ANY], "make", "ask"],
  ] as const) {
    it(`${expected} for ${JSON.stringify(text.slice(0, 80))} under ${JSON.stringify(rules)}`, () => {
      assert.equal(decide(run(text), rules), expected);
    });
  }

  for (const chain of ["&& x", "; x", "| x", "& x", "> x", "$(x)", "`x`", "\nx", "\r\nx", "<(x)", "|| x", "%x%"]) {
    it(`does not allow ${JSON.stringify(chain)} as part of an allowed command`, () => {
      assert.equal(decide(run(`npm test ${chain}`), [always("npm test*")]), "ask");
      assert.equal(decide(run(`npm test${chain}`), [always("npm test*")]), "ask");
    });
  }

  it("counts no text with a shell operator as one command", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(..."&|;<>`$(){}\n\r\0^%!\u202e\u0085\u2028"), fc.string(), (before, operator, after) =>
        assert.equal(isOneCommand(before + operator + after), false),
      ),
    );
  });

  it("follows graft.permissions.write for reviewed changes, and asks before immediate ones", () => {
    const edit = use("edit_mode", "write", true);
    for (const write of ["allow", "ask", "deny"] as const) {
      assert.equal(decidePermission(edit, { write, rules: [], restrictions: [] }).permission, write);
      const deletion = decidePermission(use("delete_file", "write"), { write, rules: [], restrictions: [] });
      assert.equal(deletion.permission, write === "deny" ? "deny" : "ask");
    }
    const all: PermissionRule = { tool: "*", allow: "always" };
    assert.equal(decidePermission(edit, { write: "deny", rules: [all], restrictions: [] }).permission, "deny");
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

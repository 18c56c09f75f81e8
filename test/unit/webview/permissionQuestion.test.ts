import assert from "node:assert/strict";
import {
  type AnswerButton,
  type AskedPermission,
  type PermissionQuestion,
  type PostedAnswer,
  permissionQuestion,
} from "../../../webview/cards/permissionQuestion.ts";

const ask = (tool: string, summary: string, more: Partial<AskedPermission> = {}) =>
  permissionQuestion(
    { name: tool, origin: null },
    { summary, effect: "execute", decision: "pending", ...more },
  );
const command = { text: "npm test", folder: "." };
const runs = (more: Partial<AskedPermission> = {}) =>
  ask("run_command", "Run npm test", { command, ...more });
const paths = (count: number) => Array.from({ length: count }, (_, at) => `${at}.ts`);
const onProposals = { isSandboxed: true, backend: "overlay" } as const;

/** The buttons that decide at once, in order. */
const buttons = ({ prepare, allow, elsewhere, deny }: PermissionQuestion) =>
  [prepare, allow, elsewhere, deny].filter((each) => each !== null);
const answers = (offered: readonly AnswerButton[]): readonly [string, PostedAnswer][] =>
  offered.map(({ label, answer }) => [label, answer]);

describe("the question for a permission", () => {
  const words: readonly [what: string, PermissionQuestion, expected: string][] = [
    ["a tool", ask("edit_mode", "Propose edits to a.ts"), "Propose edits to a.ts?"],
    ["a deletion", ask("delete_file", "Delete play.ts"), "Delete play.ts?"],
    [
      "a commit",
      ask("git_commit", "Commit a.ts: Tidy up", { commit: { message: "Tidy up", paths: [] } }),
      "Commit this?",
    ],
    ["a command", runs(), "Run this command in the workspace?"],
    [
      "a command in a folder",
      runs({ command: { text: "x", folder: "web\ny" } }),
      "Run this command in web\\u{a}y?",
    ],
    [
      "a command on the proposals",
      runs({ onProposals: { ...onProposals, backend: "overlay" } }),
      "Run this command on the proposals?",
    ],
    [
      "a command in a copy",
      runs({ onProposals: { ...onProposals, backend: "copy" } }),
      "Run this command in a copy of the workspace, with the proposals?",
    ],
  ];
  it("says what a command gets that asks for the network", () => {
    assert.equal(runs({ wantsNetwork: true }).allow.label, "Run with network");
    assert.equal(runs().allow.label, "Run");
  });

  for (const [what, question, expected] of words)
    it(`about ${what} says: ${expected}`, () => assert.equal(question.words, expected));

  it("shows hidden characters as code points", () => {
    const summary = "Delete a.ts\nThis was checked.\u202e\u00a0\u3164";
    const { action, words } = ask("delete_file", summary);
    assert.equal(action, "Delete a.ts\\u{a}This was checked.\\u{202e}\\u{a0}\\u{3164}");
    assert.equal(words, `${action}?`);
  });

  it("lists the files of a commit, up to 200 of them", () => {
    const files = (listed: string[]) =>
      ask("git_commit", "Commit", { commit: { message: "Tidy", paths: listed } }).files;
    assert.deepEqual(files(["a.ts", "src/b\u202e.ts"]), ["a.ts", "src/b\\u{202e}.ts"]);
    assert.deepEqual(files(paths(202)).slice(199), ["199.ts", "2 more"]);
  });

  const notes: readonly [Partial<AskedPermission>, readonly string[]][] = [
    [{}, []],
    [{ onProposals }, ["Your files do not change. It has no network."]],
    [{ programs: ["pre-commit"] }, ["The repository makes it run: pre-commit."]],
    [
      { pendingFiles: ["a.ts", "src/b\u202e.ts"] },
      ["It would not see the proposed changes to a.ts, src/b\\u{202e}.ts."],
    ],
    [{ unsavedFiles: ["a.ts", "b.ts"] }, ["It would not see your unsaved edits to a.ts, b.ts."]],
    [
      { pendingFiles: ["c.ts"], unsavedFiles: ["b.ts"] },
      [
        "It would not see the proposed changes to c.ts.",
        "It would not see your unsaved edits to b.ts.",
      ],
    ],
    [
      { pendingFiles: paths(7) },
      ["It would not see the proposed changes to 0.ts, 1.ts, 2.ts, 3.ts, 4.ts and 2 more."],
    ],
    [
      { unsavedFiles: paths(6) },
      ["It would not see your unsaved edits to 0.ts, 1.ts, 2.ts, 3.ts, 4.ts and 1 more."],
    ],
    [
      { onProposals: { backend: "overlay" } },
      [
        "These changes can alter what it does, and it runs with your account. Your files in the workspace do not change. A path or link out of it leads to your own files.",
      ],
    ],
    [
      { onProposals: { backend: "copy", isConfined: true } },
      [
        "These changes can alter what it does, and it runs with your account. It can write only to the proposals and to the agent's own folders.",
      ],
    ],
    [
      { onProposals: { backend: "copy" } },
      [
        "These changes can alter what it does, and it runs with your account. The copy is at another path: absolute paths, and paths or links out of it, lead to your own files.",
      ],
    ],
    [
      {
        notOnProposals: {
          code: "too-large",
          detail: "",
          size: { bytes: 2_500_000, limit: 2_097_152 },
        },
      },
      [
        "To run it on the proposals, Graft would copy at least 3 MB. Your limit is 2 MB (graft.commands.copyLimit).",
      ],
    ],
    [
      { notOnProposals: { code: "repository-outside", detail: "" } },
      [
        "It cannot run on the proposals: git would change a repository outside the copy that has them.",
      ],
    ],
  ];
  for (const [facts, expected] of notes)
    it(`says before the decision: ${expected.join(" ") || "nothing"}`, () =>
      assert.deepEqual(runs(facts).notes, expected));

  const allow: PostedAnswer = { allowed: true };
  const deny: PostedAnswer = { allowed: false };
  const decisions: readonly [
    what: string,
    PermissionQuestion,
    readonly [string, PostedAnswer][],
  ][] = [
    [
      "a tool",
      ask("edit_mode", "Propose edits"),
      [
        ["Allow", allow],
        ["Deny", deny],
      ],
    ],
    [
      "a deletion",
      ask("delete_file", "Delete a.ts"),
      [
        ["Delete", allow],
        ["Keep", deny],
      ],
    ],
    [
      "a commit",
      ask("git_commit", "Commit a.ts"),
      [
        ["Commit", allow],
        ["Deny", deny],
      ],
    ],
    [
      "a command",
      runs(),
      [
        ["Run", allow],
        ["Deny", deny],
      ],
    ],
    [
      "a command that would not see proposals",
      runs({ pendingFiles: ["a.ts"] }),
      [
        ["Accept all and run", { allowed: true, first: "accept-all" }],
        ["Run without them", allow],
        ["Deny", deny],
      ],
    ],
    [
      "a command that would not see unsaved files",
      runs({ unsavedFiles: ["a.ts"] }),
      [
        ["Save and run", { allowed: true, first: "save-files" }],
        ["Run without them", allow],
        ["Deny", deny],
      ],
    ],
    [
      "a command that would see neither",
      runs({ pendingFiles: ["a.ts"], unsavedFiles: ["b.ts"] }),
      [
        ["Accept all and run", { allowed: true, first: "accept-all" }],
        ["Run without them", allow],
        ["Deny", deny],
      ],
    ],
    [
      "a command that may run in two places",
      runs({ onProposals: { ...onProposals, isChosen: true } }),
      [
        ["Run", allow],
        ["Run on my own files…", { allowed: true, first: "own-files" }],
        ["Deny", deny],
      ],
    ],
  ];
  for (const [what, question, expected] of decisions)
    it(`about ${what} offers: ${expected.map(([label]) => label).join(", ")}`, () =>
      assert.deepEqual(answers(buttons(question)), expected));

  it("names each button by its label and what it is about", () => {
    const names = (question: PermissionQuestion) =>
      buttons(question).map(({ description }) => description);
    assert.deepEqual(names(runs({ pendingFiles: ["a.ts"] })), [
      "Accept all and run: Run npm test",
      "Run without them: Run npm test",
      "Deny: Run npm test",
    ]);
    assert.deepEqual(names(runs()), ["Run npm test", "Deny: Run npm test"]);
  });

  const lasting = (what: string, more?: true): readonly [string, PostedAnswer][] =>
    (["turn", "session", "workspace"] as const).map((scope) => [
      `Allow ${what} in this ${scope}`,
      { allowed: true, scope, ...(more && { more }) },
    ]);
  const longer: readonly [what: string, PermissionQuestion, readonly [string, PostedAnswer][]][] = [
    ["this exact command", runs(), lasting("this exact command")],
    [
      "a test command with further words",
      runs({ command: { ...command, prefix: "npm test" } }),
      [...lasting("this exact command"), ...lasting("npm test …", true)],
    ],
    [
      "read-only tools of a server",
      ask("mcp__docs__read", "Run read", { server: "docs" }),
      lasting("all read-only tools of docs"),
    ],
    [
      "pages of a site",
      ask("fetch_url", "Fetch it", { host: "example.com" }),
      lasting("all pages of example.com"),
    ],
    [
      "places of all commands",
      runs({ onProposals: { ...onProposals, isChosen: true } }),
      [
        ["On the proposals…: Run npm test", { allowed: true, first: "always-proposals" }],
        ["On my own files…: Run npm test", { allowed: true, first: "always-own-files" }],
      ],
    ],
  ];
  for (const [what, question, expected] of longer)
    it(`offers for longer: ${what}`, () => {
      const offered = (question.longer?.offered ?? []).flatMap((each) => each.answers);
      assert.deepEqual(
        offered.map(({ description, answer }) => [description, answer]),
        expected,
      );
    });

  it("offers no longer permission for a file that VS Code acts on, and says why", () => {
    const { longer, always } = ask("create_file", "Create .vscode/tasks.json", { eachTime: true });
    assert.equal(longer, null);
    assert.equal(always, "This file is protected or may hold keys, so Graft always asks.");
    assert.equal(runs().always, "");
  });
});

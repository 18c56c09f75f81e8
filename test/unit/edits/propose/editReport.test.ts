import assert from "node:assert/strict";
import fc from "fast-check";
import { applyTo, editBlock, statuses } from "../../../fakes/turns/applyTo.ts";

const TS = "function a() {}\nfunction b() {}\n";
const AST = editBlock("ast-path:a", "function a() { return 1; }");
const LINES = editBlock('2:2 "function b"', "function b() { return 2; }");
const A1 = "function a() { return 1; }\nfunction b() {}\n";
const B2 = "function a() {}\nfunction b() { return 2; }\n";

describe("one mode per session", () => {
  it("lets the first valid block decide", async () => {
    const lines = await applyTo("a.ts", TS, LINES + AST);
    assert.deepEqual(statuses(lines), ["applied", "ignored"]);
    assert.equal(lines.text, B2);
    const ast = await applyTo("a.ts", TS, AST + LINES);
    assert.deepEqual(statuses(ast), ["applied", "ignored"]);
    assert.equal(ast.text, A1);
  });

  it("is not decided by an invalid block", async () => {
    const result = await applyTo(
      "a.ts",
      TS,
      editBlock("ast-path:nothing", "x") + editBlock("9:9", "x") + LINES,
    );
    assert.deepEqual(statuses(result), ["refused", "refused", "applied"]);
  });

  for (const [mode, message, ignored, expected] of [
    [
      "lines",
      LINES + AST,
      "Change to `ast-path:a` was ignored: AST path format was specified, but line number mode is active (use_line_numbers=true). Use format: `type:startline:endline` instead.",
      "line number format: `type:startline:endline`",
    ],
    [
      "ast",
      AST + LINES,
      "Change at lines 2-2 was ignored: Line number format was specified, but AST path mode is active (use_line_numbers=false). Use format: `type:ast-path:Namespace-Class-Method` instead.",
      "AST path format: `type:ast-path:Namespace-Class-Method`",
    ],
  ] as const) {
    it(`reports in these words what was ignored in mode ${mode}`, async () => {
      const { report } = await applyTo("a.ts", TS, message, mode);
      const head =
        "File 'a.ts' has been updated. It now has 2 lines.\n\n1 code block(s) were ignored due to mode mismatch:\n";
      const words = `${head}  • ${ignored}\n\nAll code blocks in a session must use the same format. Use ${expected}`;
      assert.equal(report.slice(0, words.length), words);
      // And how that looks in this file.
      const shown = report.slice(words.length);
      assert.ok(shown.includes(mode === "ast" ? "```ts:ast-path:" : "```ts:START:END"), shown);
      assert.ok(!shown.includes(mode === "ast" ? "START:END" : "ast-path"), shown);
    });
  }

  it("says so when the parameter was left out", async () => {
    const result = await applyTo("a.ts", TS, AST + LINES + LINES);
    assert.match(result.report, /^2 code block\(s\) were ignored due to mode mismatch:$/m);
    assert.match(result.report, /AST path mode is active \(use_line_numbers not set\)/);
  });

  it("reports a problem when every block was ignored, and never an update", async () => {
    const result = await applyTo("a.ts", TS, AST, "lines");
    assert.match(
      result.report,
      /^There was a problem applying the changes\.[^\n]*\n\n1 code block/,
    );
    assert.doesNotMatch(result.report, /has been updated/);
    assert.equal(result.text, TS);
  });
});

describe("the report of several blocks at one place", () => {
  it("names the operation of each bullet, and numbers blocks with the same name", async () => {
    const blocks = [
      editBlock("1:1:before", "// first"),
      editBlock('1:1 "function a"', "function a() { return 1; }"),
      editBlock("1:1:after", "// last"),
      editBlock("9:9:remove"),
      editBlock("9:9", "x"),
      editBlock("9:9", "y"),
    ];
    const { report } = await applyTo("a.ts", TS, blocks.join("\n"), "lines");
    const missing = "was not proposed: Line 9 does not exist. The last line is 2.";
    assert.deepEqual(report.split("\n").slice(2), [
      "- lines 1-1 (before) applied",
      "- lines 1-1 applied",
      "- lines 1-1 (after) applied",
      `- lines 9-9 (remove) ${missing}`,
      `- lines 9-9 (block 1) ${missing}`,
      `- lines 9-9 (block 2) ${missing}`,
    ]);
  });

  it("does the same for AST paths", async () => {
    const blocks = [
      editBlock("ast-path:a:before", "// first"),
      editBlock("ast-path:a", "function a() { return 1; }"),
      editBlock("ast-path:c", "x"),
    ];
    const { report } = await applyTo("a.ts", TS, blocks.join("\n"), "ast");
    assert.match(
      report,
      /\n\n- ast-path:a \(before\) applied\n- ast-path:a applied\n- ast-path:c was not proposed: /,
    );
  });
});

describe("the whole file as one block", () => {
  it("takes the first plain block and leaves the others to the chat", async () => {
    const result = await applyTo(
      "a.ts",
      TS,
      "Here, without `a` and `b`:\n```ts\nx();\n```\nThen run\n```sh\nnpm test\n```\n",
      "complete",
    );
    assert.equal(result.text, "x();\n");
    assert.deepEqual(result.blocks, [
      { index: 1, address: "complete file", op: "complete", status: "applied" },
    ]);
  });

  it("is implied for a file that does not exist", async () => {
    const result = await applyTo("a.ts", null, "```ts\nx();\n```\n");
    assert.equal(result.text, "x();\n");
    assert.equal(result.report, "File 'a.ts' has been updated. It now has 1 line.");
  });

  it("keeps CRLF, a missing final newline and a byte order mark", async () => {
    const result = await applyTo("a.txt", "\uFEFFa\r\nb", "```\nx\ny\n```\n", "complete");
    assert.equal(result.text, "\uFEFFx\r\ny");
  });

  it("survives a Markdown body with examples", async () => {
    const body = "# Use\n\n```sh\nnpm start\n```\n\nEnd.";
    const result = await applyTo(
      "README.md",
      "old\n",
      `\`\`\`markdown\n${body}\n\`\`\`\n`,
      "complete",
    );
    assert.equal(result.text, `${body}\n`);
  });

  it("refuses a block with an address", async () => {
    const result = await applyTo("a.ts", TS, LINES, "complete");
    assert.equal(result.blocks[0]?.status, "refused");
    assert.equal(result.text, TS);
  });

  it("applies nothing of an unclosed file", async () => {
    const result = await applyTo("a.ts", TS, "```ts\nx();\n", "complete");
    assert.equal(result.blocks[0]?.status, "incomplete");
    assert.equal(result.text, TS);
  });

  it("warns of a new file with a syntax error", async () => {
    const result = await applyTo("a.ts", null, "```ts\nfunction (\n```\n");
    assert.equal(result.blocks[0]?.code, "syntax");
  });
});

describe("the report", () => {
  it("names an unclosed block and does not apply it", async () => {
    const result = await applyTo("a.ts", TS, `${LINES}\`\`\`ts:1:1\nfunction a() {`);
    assert.deepEqual(statuses(result), ["applied", "incomplete"]);
    assert.equal(result.text, B2);
    assert.match(
      result.report,
      /^- block for lines 1-1 was not closed; nothing is proposed for it$/m,
    );
  });

  it("has a bullet for each block when some were applied", async () => {
    const result = await applyTo("a.ts", TS, LINES + editBlock("9:9", "x"));
    assert.match(result.report, /^File 'a\.ts' has been updated\. It now has 2 lines\.$/m);
    assert.match(result.report, /^- lines 2-2 applied$/m);
    assert.match(
      result.report,
      /^- lines 9-9 was not proposed: Line 9 does not exist\. The last line is 2\.$/m,
    );
  });

  it("says what a block must look like when there was none", async () => {
    const result = await applyTo("a.ts", TS, "I changed it.\n```ts:src/app.ts\nx\n```\n");
    assert.deepEqual(result.blocks, []);
    assert.match(
      result.report,
      /^There was a problem applying the changes\. Nothing was proposed for 'a\.ts'[^\n]*\n/,
    );
    assert.match(result.report, /```ts:START:END/);
    assert.match(result.report, /```ts:ast-path:/);
  });

  it("leaves ordinary code blocks to the chat", async () => {
    const result = await applyTo("a.ts", TS, `\`\`\`ts\nexample();\n\`\`\`\n${LINES}`);
    assert.equal(result.text, B2);
    assert.equal(result.blocks.length, 1);
  });

  it("refuses a block for a file that is not in edit mode", async () => {
    const result = await applyTo("a.ts", TS, editBlock("1:1 src/other.ts", "x"));
    assert.equal(result.blocks[0]?.code, "not-in-edit-mode");
    const own = await applyTo(
      "src/a.ts",
      TS,
      editBlock("2:2 ./src/a.ts", "function b() { return 2; }"),
    );
    assert.equal(own.text, B2);
  });

  it("takes addressed examples inside a plain block for chat", async () => {
    const result = await applyTo("a.ts", TS, `\`\`\`\`md\n${LINES}\`\`\`\`\n`);
    assert.deepEqual(result.blocks, []);
  });
});

describe("a message", () => {
  const pieces = [
    LINES,
    AST,
    editBlock("ast-path:@file:append", "// ...", "~~~"),
    editBlock("1:1:after", "```js\nx\n```"),
    "```ts\nplain\n```\n",
    "Some prose.\n",
    "```ts:src/app.ts\nx\n```\n",
    "   ```ts:2:2\r\n   y\r\n   ```\r\n",
    editBlock("7:7", "x"),
    "```ts:1:2",
    "```\n",
  ];

  it("means the same however it is cut", async () => {
    const message = fc
      .array(fc.constantFrom(...pieces), { maxLength: 5 })
      .map((parts) => parts.join(""));
    const mode = fc.constantFrom(
      "auto" as const,
      "lines" as const,
      "ast" as const,
      "complete" as const,
    );
    await fc.assert(
      fc.asyncProperty(
        message,
        mode,
        fc.integer({ min: 1, max: 30 }),
        async (text, kind, chunk) => {
          assert.deepEqual(
            await applyTo("a.ts", TS, text, kind, chunk),
            await applyTo("a.ts", TS, text, kind, 100_000),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it("changes nothing of a file unless a block was applied", async () => {
    const message = fc
      .array(fc.constantFrom(...pieces), { maxLength: 4 })
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(
        message,
        fc.constantFrom("auto" as const, "lines" as const, "ast" as const),
        async (text, kind) => {
          const result = await applyTo("a.ts", TS, text, kind, 100_000);
          const applied = result.blocks.some(({ status }) => status === "applied");
          if (!applied) assert.equal(result.text, TS);
          assert.equal(/has been updated/.test(result.report), applied);
        },
      ),
      { numRuns: 150 },
    );
  });
});

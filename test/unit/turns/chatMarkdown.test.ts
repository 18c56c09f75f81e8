import assert from "node:assert/strict";
import { marked } from "marked";
import { english } from "../../../src/base/localize.ts";
import { chatMarkdown } from "../../../src/turns/chatMarkdown.ts";
import { applyTurnEvent, emptyTree } from "../../../src/turns/turnReducer.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";

function exported(script: TurnScript): string {
  const tree = emptyTree();
  for (const event of script.events) applyTurnEvent(tree, event);
  return chatMarkdown("A <chat>\nof ours", tree, english);
}

describe("a chat as Markdown", () => {
  it("has the requests, answers, calls and edits of the branch shown", () => {
    const script = new TurnScript();
    script.ask("Rename it").text("an answer that was tried again").end("cancelled").answer();
    script.call("c1", "read_file", { path: "a.ts" }, "1\tconst a = 1;", 3).text("Done as asked.");
    script.edit({ status: "applied", textStart: 0, textEnd: 3 }).end();
    assert.equal(
      exported(script),
      [
        "# A <chat> of ours",
        "## You",
        "Rename it",
        "## Graft (demo)",
        `<details><summary>read_file: success</summary>\n\n\`\`\`json\n{"path":"a.ts"}\n\`\`\`\n\n\`\`\`\n1\tconst a = 1;\n\`\`\`\n\n</details>`,
        "Done as asked.",
        "**Changes**",
        "- `src/shapes.ts`, lines 3-4: applied",
        "",
      ]
        .join("\n\n")
        .replace(/\n\n$/, "\n"),
    );
  });

  it("shows what was sent of the editor, with deceptive names in code", () => {
    const editor = { selection: { first: 3, last: 9 }, visible: null, tabs: ["b`_.ts"] };
    const tree = emptyTree();
    const start = {
      type: "turn-start",
      role: "user",
      parentTurnId: null,
      text: "Fix it",
      model: null,
      editFile: null,
    } as const;
    applyTurnEvent(tree, { ...start, seq: 1, turnId: "u", at: 0, activeFile: "src/a.ts", editor });
    assert.equal(
      chatMarkdown("Chat", tree, english),
      '# Chat\n\n## You\n\n_Sent with it:_ ``(The file open in the editor: "src/a.ts"; selected: lines 3-9. Other open tabs, latest first: "b`_.ts")``\n\nFix it\n',
    );
  });

  it("has what was attached, closed, with hidden characters as code points", () => {
    const tree = emptyTree();
    const start = {
      type: "turn-start",
      role: "user",
      parentTurnId: null,
      text: "Fix it",
      model: null,
      editFile: null,
    } as const;
    const file = {
      kind: "file",
      path: "src/a\u200b.ts",
      lines: null,
      name: "",
      text: "1\tconst a = 1;",
      omitted: 0,
    } as const;
    applyTurnEvent(tree, {
      ...start,
      seq: 1,
      turnId: "u",
      at: 0,
      activeFile: null,
      attachments: [file, { ...file, text: null }],
    });
    const markdown = chatMarkdown("Chat", tree, english);
    assert.match(
      markdown,
      /Fix it\n\n<details><summary>Attached: a\\u\{200b\}\.ts .*<\/summary>\n\n```\n1\tconst a = 1;\n```/,
    );
    assert.match(markdown, /Could not be read\./);
  });

  it("has previews of attached images, whatever their names", () => {
    const tree = emptyTree();
    const start = {
      type: "turn-start",
      role: "user",
      parentTurnId: null,
      text: "What?",
      model: null,
      editFile: null,
    } as const;
    const image = {
      id: `${"a".repeat(64)}.png`,
      width: 1,
      height: 1,
      preview: "data:image/png;base64,AA",
    };
    const file = {
      kind: "image",
      path: null,
      lines: null,
      name: "x](y) b.png",
      text: null,
      omitted: 0,
      image,
    } as const;
    applyTurnEvent(tree, {
      ...start,
      seq: 1,
      turnId: "u",
      at: 0,
      activeFile: null,
      attachments: [file],
    });
    const markdown = chatMarkdown("Chat", tree, english);
    const paragraph = marked
      .lexer(markdown)
      .find((token) => token.type === "paragraph" && token.raw.startsWith("!"));
    const inline = paragraph?.type === "paragraph" ? (paragraph.tokens ?? []) : [];
    assert.deepEqual(
      inline.map((token) => (token.type === "image" ? [token.href, token.text] : token.type)),
      [[image.preview, "x](y) b.png"]],
    );
  });

  it("stays intact around a result with fences", () => {
    const output = "text\n````\n<details>\n`````ts\ncode";
    const blocks = marked.lexer(
      exported(
        new TurnScript().ask("?").call("c1", "read_file", {}, output, 1).text("After it.").end(),
      ),
    );
    const codes = blocks.flatMap((token) => (token.type === "code" ? [token.text] : []));
    assert.deepEqual(codes, ["{}", output]);
    assert.ok(blocks.some((token) => token.type === "paragraph" && token.text === "After it."));
  });

  it("says how an incomplete turn ended", () => {
    assert.match(
      exported(new TurnScript().ask("?").text("half").end("interrupted")),
      /half\n\n_The turn ended: interrupted\._/,
    );
  });

  for (const [count, summary] of [
    [1, "Report sent to the model"],
    [60, "60 reports sent to the model"],
  ] as const)
    it(`folds what the model was told of ${count} files into one line`, () => {
      const script = new TurnScript().ask("?").text("Done.");
      for (let at = 0; at < count; at++)
        script.add({ type: "edit-report", text: `f${at}.ts: applied` });
      const text = exported(script.end());
      const summaries = [...text.matchAll(/<summary>(.*?)<\/summary>/g)];
      assert.deepEqual(
        summaries.map(([, words]) => words),
        [summary],
      );
      assert.ok(text.includes("f0.ts: applied") && text.includes(`f${count - 1}.ts: applied`));
    });

  it("names the rules and folds a summary", () => {
    const script = new TurnScript().ask("?");
    script.add(
      { type: "rules", path: "lib/AGENTS.md", text: "Use tabs." },
      { type: "compaction", summary: "All of it." },
    );
    const text = exported(script.end());
    assert.match(
      text,
      /_Rules: `lib\/AGENTS\.md`_\n\n<details><summary>Conversation compacted<\/summary>\n\nAll of it\./,
    );
    assert.ok(!text.includes("Use tabs."));
  });
});

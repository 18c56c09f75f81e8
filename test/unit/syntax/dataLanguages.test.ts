import { strict as assert } from "node:assert";
import { createSyntax } from "../../../src/syntax/createSyntax.ts";
import { nodeGrammarSource } from "../../fakes/editor/nodeGrammarSource.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";
import { openDocument } from "./openDocument.ts";

/**
 * The element's text between `«` and `»`, its members' place between `‹` and `›`, the comment block
 * from `¶` on.
 */
async function marked(language: string, text: string, path: string): Promise<string> {
  const document = await openDocument(language, text);
  const result = document.resolve(path);
  document.dispose();
  assert.ok(result.ok, JSON.stringify(result));
  const { range, commentStart, body } = result.value;
  const marks: [number, string][] = [
    [range.start, "«"],
    [range.end, "»"],
  ];
  if (body) marks.push([body.inner.end, "›"], [body.inner.start, "‹"]);
  if (commentStart < range.start) marks.push([commentStart, "¶"]);
  return marks
    .sort(
      ([a, left], [b, right]) =>
        b - a || (left === "«" || right === "»" ? 1 : left === "»" || right === "«" ? -1 : 0),
    )
    .reduce((drawn, [at, mark]) => drawn.slice(0, at) + mark + drawn.slice(at), text);
}

async function paths(language: string, text: string): Promise<string[]> {
  const document = await openDocument(language, text);
  const outline = document.outline();
  document.dispose();
  return outline.map(({ path }) => path);
}

describe("JSON", () => {
  it("makes keys elements with the comma after them and the comment above", async () => {
    const text = '{\r\n  // a\r\n  "a": 1,\r\n  "b": {}\r\n}\r\n';
    assert.equal(
      await marked("json", text, "a"),
      '{\r\n  ¶// a\r\n  «"a": 1,»\r\n  "b": {}\r\n}\r\n',
    );
    assert.equal(
      await marked("json", text, "b"),
      '{\r\n  // a\r\n  "a": 1,\r\n  «"b": {‹›}»\r\n}\r\n',
    );
  });

  it("numbers the objects in a list as items", async () => {
    const text = '{ "on": [{ "k": 1 }, 2, { "k": 3 }] }';
    assert.deepEqual(await paths("json", text), [
      "on",
      "on-item#1",
      "on-item#1-k",
      "on-item#2",
      "on-item#2-k",
    ]);
    assert.equal(await marked("json", text, "item#2"), '{ "on": [{ "k": 1 }, 2, «{‹ "k": 3 ›}»] }');
  });

  it("numbers a key that ends like an operation so that a fence can name it", async () => {
    assert.deepEqual(await paths("json", '{ "x:after": 1, "x": 2, "x:after": 3 }'), [
      "x:after#1",
      "x",
      "x:after#2",
    ]);
  });

  it("finds the other keys beside half-typed and trailing commas", async () => {
    assert.deepEqual(await paths("json", '{ "a": 1, "b": { "c": 2, }, "d": }'), [
      "a",
      "b",
      "b-c",
      "d",
    ]);
  });
});

describe("YAML", () => {
  it("ends a key with its value, before the blank lines and comments after it", async () => {
    const text = "a:\n  # one\n  b: 1 # beside\n\n# about c\nc: |\n  x\n\n  y\n\n\nd: 2\n";
    assert.equal(
      await marked("yaml", text, "a"),
      text.replace("a:\n  # one\n  b: 1 # beside", "«a:\n  ‹# one\n  b: 1 # beside›»"),
    );
    assert.equal(
      await marked("yaml", text, "c"),
      text.replace("# about c\nc: |\n  x\n\n  y", "¶# about c\n«c: |\n  x\n\n  y»"),
    );
  });

  it("leaves a less indented comment out of a block", async () => {
    const text =
      "a:\n  b:\n    - 1\n    # end of b\n  # end of a\n# about c\nc:\n- 1\n# about d\nd: 1\n";
    assert.equal(
      await marked("yaml", text, "b"),
      text.replace("b:\n    - 1\n    # end of b", "«b:\n    ‹- 1\n    # end of b›»"),
    );
    assert.equal(
      await marked("yaml", text, "a"),
      `«${text.replace("  b:", "  ‹b:").replace("# end of a", "# end of a›»")}`,
    );
    assert.equal(
      await marked("yaml", text, "c"),
      text.replace("# about c\nc:\n- 1", "¶# about c\n«c:\n‹- 1›»"),
    );
  });

  it("puts members of a list item below its first key, which stays after the dash", async () => {
    const text = "on:\n  - a: 1 # one\n    # two\n    b: 2\n  - c: 3\n";
    assert.equal(
      await marked("yaml", text, "on-item#1"),
      text.replace("- a: 1 # one\n    # two\n    b: 2", "«- a: 1 # one\n    ‹# two\n    b: 2›»"),
    );
    assert.equal(await marked("yaml", text, "on-item#2"), text.replace("- c: 3", "«- c: 3‹›»"));
  });

  it("refuses nesting beyond the grammar's limit, and other grammars keep working", async () => {
    const logger = new RecordingLogger();
    const syntax = createSyntax(nodeGrammarSource(), logger);
    const keys = Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join("");
    const pairs = Array.from(
      { length: 200 },
      (_, depth) => `${" ".repeat(depth)}a:\n${" ".repeat(depth)}-\n`,
    ).join("");
    for (const text of [
      `${"- ".repeat(300)}a\n`,
      `a: 1\r\n${"? - : ".repeat(100)}a\n`,
      keys,
      pairs,
    ]) {
      assert.equal(await syntax.open("yaml", text), null);
    }
    assert.match(logger.warnings[0] ?? "", /nested too deeply/);
    const document = await syntax.open("yaml", `${keys.slice(0, 6000)}\n${"-".repeat(300)}: 1\n`);
    assert.equal(document?.outline()[0]?.path, "a");
    document?.dispose();
  });

  it("inserts below the only key of a list item, and below its value", async () => {
    const text = "on:\n- a:\n    b: 1\n\n# about c\nc: 1\n";
    assert.equal(
      await marked("yaml", text, "on-item"),
      text.replace("- a:\n    b: 1", "«- a:\n    b: 1‹›»"),
    );
  });

  it("numbers the documents of one file", async () => {
    assert.deepEqual(await paths("yaml", "kind: A\n---\nkind: B\n...\n"), ["kind#1", "kind#2"]);
  });
});

describe("CSS", () => {
  it("names rules by their selectors on one line, at-rules by their whole head", async () => {
    const text = "a,\n  b > c {}\n@media  (min-width: 1px) { .x-y { top: 0; } }\n";
    assert.deepEqual(await paths("css", text), [
      "a, b > c",
      "@media (min-width: 1px)",
      "@media (min-width: 1px)-.x-y",
    ]);
    assert.equal(
      await marked("css", text, ".x-y"),
      text.replace(".x-y { top: 0; }", "«.x-y {‹ top: 0; ›}»"),
    );
  });

  it("gives a block whose last declaration lacks its `;` no place for members", async () => {
    for (const [text, path, body] of [
      ["a { top: 0 /* x; */ }", "a", null],
      ["a { b {} top: 0 }", "a", null],
      ["a { top: 0; /* x */\n/* y **/ }", "a", " top: 0; /* x */\n/* y **/ "],
      ["a { b { } }", "a", " b { } "],
      ["@media print { a { top: 0 } }", "@media print", " a { top: 0 } "],
      ["a { /* x */ }", "a", " /* x */ "],
    ] as const) {
      const whole = await marked("css", text, path);
      assert.equal(whole, body === null ? `«${text}»` : `«${text.replace(body, `‹${body}›`)}»`);
    }
  });

  it("keeps names that end like an operation, and has none for an operation on `a`", async () => {
    assert.deepEqual(await paths("css", "a {}\na:after {}\n.x::before {}\n"), [
      "a",
      "a:after",
      ".x::before",
    ]);
    const document = await openDocument("css", "a {}\na:after {}\n.x::before {}\n");
    const codes = ["a:after", ".x::before", "a:before", "a:12:18", ".x:before"].map((path) => {
      const found = document.resolve(path);
      return found.ok ? found.value.path : found.error.code;
    });
    document.dispose();
    assert.deepEqual(codes, ["a:after", ".x::before", "not-found", "not-found", "not-found"]);
  });

  it("makes custom properties elements, but not other declarations", async () => {
    assert.deepEqual(await paths("css", ":root { --a: 1; color: red }\n"), [":root", ":root---a"]);
  });
});

describe("HTML", () => {
  it("names an element by its id and excludes the text after it", async () => {
    const text = "<!-- x -->\n<b id='x'>1</b>, 2<br id=y>\n\n";
    assert.equal(
      await marked("html", text, "x"),
      "¶<!-- x -->\n«<b id='x'>‹1›</b>», 2<br id=y>\n\n",
    );
    assert.equal(await marked("html", text, "y"), "<!-- x -->\n<b id='x'>1</b>, 2«<br id=y>»\n\n");
  });

  it("ends an unclosed element with its content and gives it no body", async () => {
    assert.equal(
      await marked("html", "<ul>\n<li id=a>One\n<li>Two\n</ul>\n", "a"),
      "<ul>\n«<li id=a>One»\n<li>Two\n</ul>\n",
    );
  });

  it("names head, body, scripts and styles without an id", async () => {
    const text =
      "<head><script>1</script><script id=j>2</script><style></style></head><body id=top></body>";
    assert.deepEqual(await paths("html", text), [
      "head",
      "head-script",
      "head-j",
      "head-style",
      "top",
    ]);
  });
});

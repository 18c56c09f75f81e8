import assert from "node:assert/strict";
import { applyTo, editBlock } from "../../../fakes/turns/applyTo.ts";

const JSON_TEXT = '{\n  "a": 1,\n  "b": {\n    "c": 2\n  },\n  "l": [\n    { "x": 1 },\n    { "x": 2 }\n  ]\n}\n';
const YAML_TEXT = "on:\n  - a: 1\n    b: 2\n  - c: 3\n# about z\nz: 1\n";
const HTML_TEXT = "<body>\n  <div id='x'></div>\n  <p id='y'>Hi</p>, you\n</body>\n";
const CSS_TEXT = "a { top: 0; }\n/* x */\na:after {\n  top: 1px;\n}\n";
const RUBY_TEXT = "class A\n  def f\n  end\nend\n\nclass B < A; end\n";

const CASES: readonly (readonly [does: string, file: string, before: string, address: string, body: string, from: string, to: string])[] = [
  ["a JSON key after the last one gets the comma", "a.json", JSON_TEXT, "ast-path:l:after", '"n": 3', "  ]\n}", '  ],\n  "n": 3\n}'],
  ["a JSON key appended to an object", "a.json", JSON_TEXT, "ast-path:b:append", '"d": 3', '"c": 2', '"c": 2,\n    "d": 3'],
  ["a JSON key prepended to an object", "a.json", JSON_TEXT, "ast-path:b:prepend", '"d": 3', '"c": 2', '"d": 3,\n    "c": 2'],
  ["a JSON value, with the comma left in place", "a.json", JSON_TEXT, "ast-path:a", '"a": [\n  1\n]', '"a": 1,', '"a": [\n    1\n  ],'],
  ["an item after the last one", "a.json", JSON_TEXT, "ast-path:l-item#2:after", '{ "x": 3 }', "2 }\n", '2 },\n    { "x": 3 }\n'],
  ["the last JSON item removed with the comma before it", "a.json", JSON_TEXT, "ast-path:item#2:remove", "", ',\n    { "x": 2 }', ""],
  ["a YAML key appended to an item", "a.yaml", YAML_TEXT, "ast-path:on-item#1:append", "n: 5", "b: 2\n", "b: 2\n    n: 5\n"],
  ["a YAML key prepended to an item", "a.yaml", YAML_TEXT, "ast-path:on-item#1:prepend", "n: 5", "a: 1\n", "a: 1\n    n: 5\n"],
  ["a YAML key appended to an item of one key", "a.yaml", YAML_TEXT, "ast-path:on-item#2:append", "n: 5", "c: 3\n", "c: 3\n    n: 5\n"],
  ["a YAML item appended", "a.yaml", YAML_TEXT, "ast-path:on:append", "- d: 5\n  e: 6", "c: 3\n", "c: 3\n  - d: 5\n    e: 6\n"],
  ["a YAML item prepended", "a.yaml", YAML_TEXT, "ast-path:on:prepend", "- d: 5", "  - a: 1", "  - d: 5\n  - a: 1"],
  ["a YAML item removed", "a.yaml", YAML_TEXT, "ast-path:on-item#1:remove", "", "  - a: 1\n    b: 2\n", ""],
  ["a YAML key with its comment", "a.yaml", YAML_TEXT, "ast-path:z:with-comment", "# new\nz: 2", "# about z\nz: 1", "# new\nz: 2"],
  ["an element in an empty HTML element", "a.html", HTML_TEXT, "ast-path:x:append", "<b>1</b>", "'></", "'>\n    <b>1</b>\n  </"],
  ["the last element of a page", "a.html", HTML_TEXT, "ast-path:body:append", "<b>1</b>", ", you\n", ", you\n  <b>1</b>\n"],
  [
    "the CSS rule whose selector ends like an operation",
    "a.css",
    CSS_TEXT,
    "ast-path:a:after#1",
    "a:after {}",
    "a:after {\n  top: 1px;\n}",
    "a:after {}",
  ],
  ["that rule by its bare name", "a.css", CSS_TEXT, "ast-path:a:after", "a:after {}", "a:after {\n  top: 1px;\n}", "a:after {}"],
  ["a CSS rule after one", "a.css", CSS_TEXT, "ast-path:a#1:after", "p {}", "0; }\n", "0; }\np {}\n"],
  ["a statement in an empty Ruby method", "a.rb", RUBY_TEXT, "ast-path:f:append", "1", "def f\n", "def f\n    1\n"],
  [
    "a method appended to a Ruby class",
    "a.rb",
    RUBY_TEXT,
    "ast-path:A:append",
    "\ndef g\nend",
    "  end\nend",
    "  end\n\n  def g\n  end\nend",
  ],
  ["a member of a Ruby class on one line", "a.rb", RUBY_TEXT, "ast-path:B:append", "X = 1", "A; end", "A;\n  X = 1\nend"],
];

describe("AST mode in languages of data, styles and scripts", () => {
  for (const [does, file, before, address, body, from, to] of CASES) {
    it(does, async () => {
      const at = before.indexOf(from);
      assert.ok(at >= 0, "the case itself is wrong");
      const result = await applyTo(file, before, editBlock(address, body));
      assert.deepEqual(
        result.blocks.map(({ status, reason }) => [status, reason]),
        [["applied", undefined]],
      );
      assert.equal(result.text, before.slice(0, at) + to + before.slice(at + from.length));
    });
  }

  it("an append to a CSS rule without a last `;` is refused", async () => {
    const result = await applyTo("a.css", "a { top: 0 }\n", editBlock("ast-path:a:append", "left: 0;"));
    assert.deepEqual(
      result.blocks.map(({ status }) => status),
      ["refused"],
    );
    assert.equal(result.text, "a { top: 0 }\n");
  });
});

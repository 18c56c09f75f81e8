import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import grammars from "../../../grammars/grammars.json" with { type: "json" };
import examples from "../../fixtures/outlineKinds.json" with { type: "json" };

/** An element as the golden file of its language draws it. */
interface Drawn {
  readonly path: string;
  readonly kind: string;
  /** Beneath its first line: `|` the range, `#` the comment, `>` the body. */
  readonly lines: readonly string[];
}

function ofKind(...kinds: readonly string[]): (drawn: Drawn) => boolean {
  return ({ kind }) => kinds.includes(kind);
}

function drawnWith(pattern: RegExp): (drawn: Drawn) => boolean {
  return ({ lines }) => lines.some((line) => pattern.test(line));
}

const OBJECTS = /^(?:variable|constant|object|property)$/;

/**
 * Everything that an outline must know of a language that has it, and how its golden file shows
 * that.
 */
const ASPECTS: Readonly<Record<string, (drawn: Drawn, all: readonly Drawn[]) => boolean>> = {
  namespace: ofKind("namespace", "module"),
  class: ofKind("class"),
  interface: ofKind("interface"),
  struct: ofKind("struct", "record", "union"),
  enum: ofKind("enum"),
  "enum member": ofKind("enum-member"),
  trait: ofKind("trait", "mixin"),
  impl: ofKind("impl", "extension"),
  function: ofKind("function"),
  method: ofKind("method"),
  "constructor of a class": ({ path, kind }) =>
    kind === "constructor" || /(?:^|-)(?:__init__$|(\w+)-\1(?:#\d+)?$)/.test(path),
  accessor: (drawn) => ofKind("accessor")(drawn) || drawnWith(/^\| @property/)(drawn),
  property: ofKind("property"),
  "constant or variable at the top level": ({ path, kind }) =>
    ["constant", "variable"].includes(kind) && !path.includes("-"),
  "constant or variable in a class": ({ path, kind }) =>
    ["constant", "property"].includes(kind) && path.includes("-"),
  "type alias": ofKind("type"),
  macro: ofKind("macro"),
  "function in a variable": (drawn) =>
    ofKind("function", "method")(drawn) && drawnWith(/^\| .*[=:]/)(drawn),
  "function in an object": (drawn, all) =>
    ofKind("method", "function")(drawn) &&
    all.some(({ path, kind }) => OBJECTS.test(kind) && path === drawn.path.replace(/-[^-]*$/, "")),
  "style rule": ofKind("rule"),
  "element of a page": ofKind("element"),
  key: ofKind("property"),
  table: ofKind("table"),
  heading: ofKind("heading"),
  test: ofKind("test"),
  "decorator, attribute or annotation inside": drawnWith(/^\| (?:@|#\[|\[|__attribute__)/),
  "export inside": drawnWith(/^\| export /),
  "template header inside": drawnWith(/^\| template ?</),
  "modifier inside": drawnWith(
    /^\| (?:@.*|(?:public|pub|private|static|abstract|final|export|declare|async|local|inline|extern|const) .*)/,
  ),
  "comment apart": drawnWith(/^# /),
  "repeated name": ({ path }) => /#2(?:-|$)/.test(path),
  imports: ({ path }) => path === "@imports",
  "empty body": drawnWith(/^> (?:braces|section) null$/),
  "body on one line": drawnWith(/^> (?:braces|indent) null \S/),
  "body of several lines": drawnWith(/^> (?:braces|indent) "/),
  "body made by its indent": drawnWith(/^> indent "/),
};

function golden(language: string): Drawn[] {
  const text = readFileSync(
    new URL(`../../fixtures/outline/${language}/outline.txt`, import.meta.url),
    "utf8",
  );
  return text.split(/\n(?! )/).flatMap((block) => {
    const [head = "", ...lines] = block.split("\n");
    const [, path, kind] = /^(.*) {2}(\S+) \d+-\d+$/.exec(head) ?? [];
    return path === undefined || kind === undefined
      ? []
      : [{ path, kind, lines: lines.map((line) => line.trim()) }];
  });
}

/** By language and aspect: a path that shows it, or null where the language has none. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, string | null>>>> = examples;

describe("the golden outlines show everything that a language has", () => {
  for (const { id } of grammars.languages) {
    it(id, () => {
      const row = EXAMPLES[id];
      assert.ok(row, `test/fixtures/outlineKinds.json has no row for ${id}`);
      assert.deepEqual(
        Object.keys(row),
        Object.keys(ASPECTS),
        "the row names every aspect, in their order",
      );
      const elements = golden(id);
      for (const [aspect, isShown] of Object.entries(ASPECTS)) {
        const path = row[aspect];
        if (path === null) continue;
        const drawn = elements.find((element) => element.path === path);
        assert.ok(drawn, `${aspect}: the golden outline has no \`${path}\``);
        assert.ok(
          isShown(drawn, elements),
          `${aspect}: \`${path}\` is drawn as ${drawn.kind}\n${drawn.lines.join("\n")}`,
        );
      }
    });
  }
});

import assert from "node:assert/strict";
import { applyMessage } from "../../../src/edits/applyMessage.ts";
import { withSymbols } from "../../../src/syntax/languageServer/withSymbols.ts";
import { fixedSymbols, type SymbolSpec } from "../../fakes/editor/fixedSymbols.ts";
import { noSyntax } from "../../fakes/editor/noSyntax.ts";
import { editBlock } from "../../fakes/turns/applyTo.ts";
import { fileSnapshot } from "../../fakes/workspace/fileSnapshot.ts";

function applyWith(specs: readonly SymbolSpec[], path: string, text: string, message: string) {
  const syntax = withSymbols(noSyntax, fixedSymbols(specs));
  return applyMessage(fileSnapshot(path, text), message, { mode: "ast", chunk: 7 }, syntax, new AbortController().signal);
}

const VALA = `using Gtk;

/* What there
 * is to see. */
[GtkTemplate (ui = "/shape.ui")]
public class Shape : Object {
    public int width { get; set; default = 1; }

    // How large it is.
    [Version (since = "1.0")]
    public virtual double area (int scale) {
        return 1.0 * scale; // {
    }

    public void draw () { stdout.printf ("}"); }
}

public class Empty {}
`;

const VALA_SYMBOLS: readonly SymbolSpec[] = [
  {
    name: "Shape",
    kind: "class",
    from: "class Shape",
    to: '("}"); }\n}',
    children: [
      { name: "width", kind: "property", from: "width {", to: "}" },
      { name: "area", kind: "method", from: "area (int", to: "\n    }" },
      { name: "draw", kind: "method", from: "draw ()", to: '("}"); }' },
    ],
  },
  { name: "Empty", kind: "class", from: "public class Empty {}" },
];

const ELIXIR = `defmodule Shop.Cart do
  @moduledoc "A cart."
  @limit 5

  @doc """
  Adds an item.

      add(cart, 1)
  """
  @spec add(t, item) ::
          t
  def add(cart, item) do
    [item | cart]
  end

  # The empty one.
  def new, do: []

  def total([]), do: 0

  def total([item | rest])
      when is_map(item) do
    item.price + total(rest)
  end
end
`;

const ELIXIR_SYMBOLS: readonly SymbolSpec[] = [
  {
    name: "Shop.Cart",
    kind: "module",
    from: "defmodule",
    to: "\nend",
    children: [
      { name: "@limit", kind: "constant", from: "@limit 5" },
      { name: "def add(cart, item)", kind: "function", from: "def add(", to: "\n  end" },
      { name: "def new", kind: "function", from: "def new, do: []" },
      { name: "def total([])", kind: "function", from: "def total([]), do: 0" },
      { name: "def total([item | rest])", kind: "function", from: "def total([item", to: "\n  end" },
    ],
  },
];

const SCSS = `@use "theme";
$gap: 4px; // small
#main { top: 0; }
.card,
.tile {
  --x: 1;
  .title { color: red; }
  // Wide ones.
  &:hover {
    color: blue;
  }
}
`;

const SCSS_SYMBOLS: readonly SymbolSpec[] = [
  { name: "$gap", kind: "variable", from: "$gap: 4px" },
  { name: "#main", kind: "class", from: "#main { top: 0; }" },
  {
    name: ".card",
    kind: "class",
    from: ".card",
    to: "  }\n}",
    children: [
      { name: ".title", kind: "class", from: ".title", to: "}" },
      { name: "&:hover", kind: "class", from: "&:hover", to: "\n  }" },
    ],
  },
  { name: ".tile", kind: "class", from: ".tile", to: "  }\n}" },
];

interface Language {
  readonly path: string;
  readonly text: string;
  readonly symbols: readonly SymbolSpec[];
}

const LANGUAGES = {
  Vala: { path: "shape.vala", text: VALA, symbols: VALA_SYMBOLS },
  Elixir: { path: "cart.ex", text: ELIXIR, symbols: ELIXIR_SYMBOLS },
  SCSS: { path: "card.scss", text: SCSS, symbols: SCSS_SYMBOLS },
} satisfies Record<string, Language>;

interface Case {
  readonly language: keyof typeof LANGUAGES;
  readonly does: string;
  readonly address: string;
  readonly body?: string;
  /** The first text becomes the second. */
  readonly from: string;
  readonly to: string;
  readonly warning?: string;
}

const CASES: readonly Case[] = [
  {
    language: "Vala",
    does: "replaces a method with the attribute and modifiers that the server left out, but not its comment",
    address: "Shape-area",
    body: "    public double area () {\n        return 2.0;\n    }",
    from: '    [Version (since = "1.0")]\n    public virtual double area (int scale) {\n        return 1.0 * scale; // {\n    }\n',
    to: "    public double area () {\n        return 2.0;\n    }\n",
    warning: "loses-head",
  },
  {
    language: "Vala",
    does: "replaces a class together with its block comment",
    address: "Shape:with-comment",
    body: "public class Shape {}",
    from: VALA.slice(VALA.indexOf("/*"), VALA.indexOf("\n\npublic class Empty")),
    to: "public class Shape {}",
    warning: "loses-head",
  },
  {
    language: "Vala",
    does: "inserts before the comment and the attribute",
    address: "area:before",
    body: "public int height;\n",
    from: "    // How large",
    to: "    public int height;\n\n    // How large",
  },
  {
    language: "Vala",
    does: "inserts after a one-liner",
    address: "Shape-draw:after",
    body: "\npublic void hide () {}",
    from: '("}"); }\n',
    to: '("}"); }\n\n    public void hide () {}\n',
  },
  {
    language: "Vala",
    does: "removes a method with its comment, its attribute and a blank line",
    address: "Shape-area:remove",
    from: VALA.slice(VALA.indexOf("    // How"), VALA.indexOf("    public void draw")),
    to: "",
  },
  {
    language: "Vala",
    does: "appends to the file",
    address: "@file:append",
    body: "\npublic class Last {}",
    from: "Empty {}\n",
    to: "Empty {}\n\npublic class Last {}\n",
  },
  {
    language: "Elixir",
    does: "replaces a function with its documentation and specification by its bare name",
    address: "Shop.Cart-add",
    body: "  def add(cart, item), do: [item | cart]",
    from: ELIXIR.slice(ELIXIR.indexOf("  @doc"), ELIXIR.indexOf("\n\n  # The empty")),
    to: "  def add(cart, item), do: [item | cart]",
    warning: "loses-head",
  },
  {
    language: "Elixir",
    does: "numbers the clauses of a function",
    address: "total#2:remove",
    from: "  def total([]), do: 0\n\n  def total([item | rest])\n      when is_map(item) do\n    item.price + total(rest)\n  end\n",
    to: "  def total([]), do: 0\n\n",
  },
  {
    language: "Elixir",
    does: "removes a function with the comment above, and leaves a module attribute alone",
    address: "new:remove",
    from: "  # The empty one.\n  def new, do: []\n\n",
    to: "",
  },
  {
    language: "SCSS",
    does: "does not take a rule or a custom property for a comment",
    address: ".title:remove",
    from: "  .title { color: red; }\n",
    to: "",
  },
  {
    language: "SCSS",
    does: "removes the comment above a nested rule with it",
    address: ".card-&:hover:remove",
    from: "  // Wide ones.\n  &:hover {\n    color: blue;\n  }\n",
    to: "",
  },
  {
    language: "SCSS",
    does: "replaces a rule by its second selector with all its selectors",
    address: ".tile",
    body: ".tile { color: red; }",
    from: SCSS.slice(SCSS.indexOf(".card,")),
    to: ".tile { color: red; }\n",
  },
  {
    language: "SCSS",
    does: "removes a variable with its semicolon and the comment after it, but nothing of the line above",
    address: "$gap:remove",
    from: "$gap: 4px; // small\n",
    to: "",
  },
];

describe("edits by AST path with the symbols of a language server", () => {
  for (const { language, does, address, body, from, to, warning } of CASES) {
    const { path, text, symbols } = LANGUAGES[language];
    for (const eol of ["\n", "\r\n"]) {
      it(`${language}: ${does}${eol === "\n" ? "" : ", with CRLF"}`, async () => {
        assert.equal(text.split(from).length, 2, "the text to be changed stands once in the file");
        const withEol = (lines: string) => lines.replaceAll("\n", eol);
        const specs: readonly SymbolSpec[] = JSON.parse(JSON.stringify(symbols).replaceAll("\\n", eol === "\n" ? "\\n" : "\\r\\n"));
        const result = await applyWith(specs, path, withEol(text), editBlock(`ast-path:${address}`, body));
        assert.deepEqual(
          result.blocks.map(({ status, code }) => [status, code]),
          [["applied", warning]],
        );
        assert.equal(result.text, withEol(text.replace(from, () => to)));
      });
    }
  }

  it("applies later blocks to the text that earlier ones made", async () => {
    const message = [
      editBlock("ast-path:Shape-width:remove"),
      editBlock("ast-path:Shape-area:before", "public void hide () {}\n"),
      editBlock("ast-path:Empty", "public class Full {\n    public int a;\n}"),
      editBlock("ast-path:Shape-draw:after", "public void redraw () {}"),
    ].join("\n");
    const result = await applyWith(VALA_SYMBOLS, "shape.vala", VALA, message);
    const expected = VALA.replace("    public int width { get; set; default = 1; }\n", "")
      .replace('("}"); }\n', '("}"); }\n    public void redraw () {}\n')
      .replace("    // How large", "    public void hide () {}\n\n    // How large")
      .replace("Empty {}", "Full {\n    public int a;\n}");
    assert.equal(result.text, expected);
    assert.match(result.report, /has been updated/);
  });

  const refusals: readonly (readonly [does: string, address: string, earlier: string, reason: RegExp])[] = [
    [
      "lists the candidates of an ambiguous path",
      "width",
      "",
      /`width` is ambiguous.*`Shape-width` \(property, line 7: `public int width.*`\), `Other-width`/,
    ],
    ["lists the nearest paths for an unknown one", "Shape-aera", "", /no element `Shape-aera`.*`Shape-area` \(method, lines 10-13\)/],
    ["refuses @imports", "@imports:append", "", /no grammar.*`@imports` names nothing/],
    [
      "refuses an element that an earlier block replaced",
      "Shape-area",
      "Shape-area",
      /`Shape-area` was replaced or removed by an earlier block/,
    ],
    [
      "refuses an element that was replaced with the one around it",
      "Shape-area",
      "Shape",
      /`Shape-area` was replaced or removed by an earlier block/,
    ],
    ["refuses to append to an element", "Shape:append", "", /`Shape` has no body/],
    ["refuses an element with only a name's range", "named", "", /not tell exactly where `named` \(function, line 21\) begins and ends/],
    [
      "refuses an element that ends before its block",
      "headed",
      "",
      /not tell exactly where `headed` \(function, line 22\) begins and ends/,
    ],
  ];
  const others = `${VALA}
public class Other { int width; }
int named () { return 1; }
int headed ()
{
}
`;
  const otherSymbols: readonly SymbolSpec[] = [
    ...VALA_SYMBOLS,
    { name: "Other", kind: "class", from: "public class Other", to: "}", children: [{ name: "width", kind: "field", from: "int width" }] },
    { name: "named", kind: "function", from: "named" },
    { name: "headed", kind: "function", from: "int headed ()" },
  ];
  for (const [does, address, earlier, reason] of refusals) {
    it(does, async () => {
      const first = earlier === "" ? "" : editBlock(`ast-path:${earlier}`, "    // gone");
      const result = await applyWith(otherSymbols, "shape.vala", others, first + editBlock(`ast-path:${address}`, "    int b;"));
      const last = result.blocks.at(-1);
      assert.equal(last?.status, "refused");
      assert.match(last?.reason ?? "", reason);
    });
  }

  it("opens no document when most symbols lack a whole range", async () => {
    const names: readonly SymbolSpec[] = ["area", "draw", "Empty"].map((name) => ({ name, kind: "method", from: name }));
    const result = await applyWith(names, "shape.vala", VALA, editBlock("ast-path:area", "x"));
    assert.equal(result.text, VALA);
  });
});

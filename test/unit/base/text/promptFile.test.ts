import assert from "node:assert/strict";
import { expandPrompt, parsePromptFile } from "../../../../src/base/text/promptFile.ts";

describe("prompt files", () => {
  const files: readonly (readonly [what: string, path: string, text: string, expected: unknown])[] =
    [
      [
        "has a description",
        ".github/prompts/review.prompt.md",
        '---\nmode: agent\ndescription: "Review it"\n---\nReview.\n',
        ["review", "Review it", "Review."],
      ],
      [
        "has a quoted description with a quote",
        "a/b.md",
        "---\r\ndescription: 'It''s fine'\r\n---\r\nGo.",
        ["b", "It's fine", "Go."],
      ],
      [
        "has no front matter",
        ".graft/commands/tidy-up.md",
        "Tidy.\n---\nnot front matter\n---\n",
        ["tidy-up", "", "Tidy.\n---\nnot front matter\n---"],
      ],
      ["has an empty front matter", "a/x.md", "---\n---\nGo.", ["x", "", "Go."]],
      [
        "has front matter that never ends",
        "a/x.md",
        "---\ndescription: y\nGo.",
        ["x", "", "---\ndescription: y\nGo."],
      ],
      ["has no text", "a/x.md", "---\ndescription: y\n---\n", null],
      ["cannot be typed", "a/two words.md", "Go.", null],
      ["has a deceptive name", "a/x\u202ey.md", "Go.", null],
    ];
  for (const [what, path, text, expected] of files) {
    it(`reads a file that ${what}`, () => {
      const file = parsePromptFile(path, text);
      assert.deepEqual(file && [file.name, file.description, file.body], expected);
    });
  }

  it("are read and filled in at once, whatever a workspace put into them", () => {
    // So much that trying again from each place would take the better part of an hour.
    const odd = parsePromptFile("a/x.md", `---\ndescription: a${" ".repeat(2_000_000)}b\n---\nGo.`);
    assert.equal(odd?.description.length, 2_000_002);
    const endless = `$${"{input:$".repeat(500_000)}`;
    assert.equal(expandPrompt(endless, "w"), `${endless}\n\nw`);
  });

  it("put what was typed into every place, literally", () => {
    assert.equal(
      expandPrompt("Fix $ARGUMENTS, then $" + "{input:what:Which one?} and $" + "{input}.", "$& a"),
      "Fix $& a, then $& a and $& a.",
    );
    assert.equal(expandPrompt("Fix $ARGUMENTS.", ""), "Fix .");
    assert.equal(expandPrompt("Costs $ARGUMENTS_TOTAL", "x"), "Costs $ARGUMENTS_TOTAL\n\nx");
  });

  it("take what was typed after a prompt without places", () => {
    assert.equal(expandPrompt("Review it.", "only cart.ts"), "Review it.\n\nonly cart.ts");
    assert.equal(expandPrompt("Review it.", ""), "Review it.");
  });
});

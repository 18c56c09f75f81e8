import assert from "node:assert/strict";
import fc from "fast-check";
import { parseFenceOpener, parseListedOpener } from "../../../src/base/text/fenceOpener.ts";
import { FenceBody, mayBecomeFence } from "../../../webview/markdown/fenceBody.ts";

function body(
  opener: string,
  text: string,
  size: number,
  closeAtFirst: boolean,
): { shown: string; rest: string | null } {
  const fence = parseFenceOpener(opener) ?? parseListedOpener(opener, true);
  assert.ok(fence);
  const reader = new FenceBody(fence, closeAtFirst);
  let shown = "";
  for (let at = 0; at < text.length; at += size) {
    const answer = reader.push(text.slice(at, at + size));
    shown += answer.shown;
    if (answer.rest !== null) return { shown, rest: answer.rest + text.slice(at + size) };
  }
  return { shown: shown + reader.finish(), rest: null };
}

describe("FenceBody", () => {
  it("ends at the closing fence and returns the rest", () => {
    for (let size = 1; size < 30; size++) {
      assert.deepEqual(body("```ts", "a\n  b\n``\n```  \nafter", size, true), {
        shown: "a\n  b\n``\n",
        rest: "after",
      });
    }
  });

  it("keeps a nested code block and drops only the last fence", () => {
    const text = "# Title\n```sh\nnpm start\n```\nend\n```";
    for (let size = 1; size < 40; size++) {
      assert.equal(
        body("```md:1:4", text, size, false).shown,
        "# Title\n```sh\nnpm start\n```\nend\n",
      );
      assert.equal(
        body("```md:1:4", `${text}\n`, size, false).shown,
        "# Title\n```sh\nnpm start\n```\nend\n",
      );
    }
  });

  it("shows an unclosed body to its last character", () => {
    assert.equal(body("~~~", "a\n```\nb", 2, false).shown, "a\n```\nb");
  });

  it("removes the fence's indent and normalizes line ends", () => {
    assert.equal(body("  ```", "    a\r\n  b\r\n c\r\n  ```\r\n", 1, false).shown, "  a\nb\nc\n");
  });

  it("removes the indent of a list item", () => {
    for (const size of [1, 3, 50]) {
      assert.equal(
        body("    ```ts:1:2", "    a\n      b\n    ```\n", size, false).shown,
        "a\n  b\n",
      );
      assert.equal(body("* ```ts:1:2", "  a\n    b\n  ```", size, false).shown, "a\n  b\n");
    }
  });

  it("returns the same text for every split", () => {
    const text = fc
      .array(fc.constantFrom("a", "\n", "\r\n", "`", "```", " ", "~~~", "é", "```js"), {
        maxLength: 30,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        (source, size, closeAtFirst) => {
          assert.deepEqual(
            body("```", source, size, closeAtFirst),
            body("```", source, 1, closeAtFirst),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("parseFenceOpener", () => {
  it("parses every form of an opening fence", () => {
    assert.deepEqual(parseFenceOpener("```ts:3:9 src/a.ts\r"), {
      character: "`",
      length: 3,
      indent: 0,
      emphasis: "",
      info: "ts:3:9 src/a.ts",
    });
    assert.deepEqual(parseFenceOpener("   ~~~~"), {
      character: "~",
      length: 4,
      indent: 3,
      emphasis: "",
      info: "",
    });
    assert.equal(parseFenceOpener("**```ts:3:9**")?.emphasis, "**");
    for (const line of ["``", "    ```", "```a`b", "text ```", ""])
      assert.equal(parseFenceOpener(line), null, line);
  });

  it("recognizes the start of a line that may still become a fence", () => {
    for (const line of ["`", " ``", "~", "```", "```ts:1", "~~~ x"])
      assert.ok(mayBecomeFence(line), line);
    for (const line of ["", "`a", "a", "````a`", "    `"]) assert.ok(!mayBecomeFence(line), line);
  });
});

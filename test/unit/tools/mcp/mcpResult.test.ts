import assert from "node:assert/strict";
import { mcpResult } from "../../../../src/tools/mcp/mcpResult.ts";

const png = { type: "image", data: "AAAA", mimeType: "image/png" };

describe("Content of an MCP server's result", () => {
  const cases: readonly (readonly [
    what: string,
    content: readonly object[],
    images: readonly string[],
    output: RegExp,
  ])[] = [
    ["an image", [png], ["AAAA"], /follows/],
    ["text beside an image", [{ type: "text", text: "Look:" }, png], ["AAAA"], /^Look:\n/],
    [
      "an image as a resource",
      [
        {
          type: "resource",
          resource: { uri: "shot://1", mimeType: "image/jpeg", blob: "BBBB" },
        },
      ],
      ["BBBB"],
      /shot:\/\/1/,
    ],
    [
      "an image as the address of its data",
      [{ ...png, data: "data:image/png;base64,AAAA" }],
      ["AAAA"],
      /follows/,
    ],
    ["an image that is no base64", [{ ...png, data: "https://a.b/c.png" }], [], /not shown/],
    ["a kind that models do not see", [{ ...png, mimeType: "image/tiff" }], [], /not shown/],
    ["sound", [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }], [], /not shown/],
    ["an image that is huge", [{ ...png, data: "A".repeat(9_000_000) }], [], /not shown/],
    [
      "a text as a resource",
      [{ type: "resource", resource: { uri: "a://b", text: "words" } }],
      [],
      /words/,
    ],
    ["a link", [{ type: "resource_link", uri: "a://b", name: "b" }], [], /a:\/\/b/],
  ];
  for (const [what, content, images, output] of cases)
    it(`is ${images.length} images for ${what}`, () => {
      const result = mcpResult("t", { content });
      assert.ok(result.ok);
      assert.deepEqual(result.images ?? [], images);
      assert.match(result.output, output);
    });

  it("has at most four images, and none beside an error", () => {
    const many = Array.from({ length: 9 }, (_, at) => ({ ...png, data: `AAA${at}` }));
    const result = mcpResult("t", { content: many });
    assert.ok(result.ok && result.images?.length === 4);
    assert.equal(result.output.match(/not shown/g)?.length, 5);
    for (const told of [{ isError: true }, { isError: "true" }, { isError: 1 }, { is_error: true }])
      assert.equal(mcpResult("t", { content: [png], ...told }).ok, false);
  });
});

import assert from "node:assert/strict";
import { bytesOf, textOf } from "../../../../src/node/shadow/fileContent.ts";

const file = (...bytes: number[]) => Buffer.from(bytes);

describe("the bytes of a proposed file", () => {
  const cases: readonly [name: string, like: Buffer, text: string, bytes: Buffer][] = [
    ["UTF-8", Buffer.from("ä\n"), "ä€🚀\n", Buffer.from("ä€🚀\n")],
    ["UTF-8 with a mark", Buffer.from("\uFEFFä\n"), "ä€\n", Buffer.from("\uFEFFä€\n")],
    ["UTF-16", Buffer.from("\uFEFFä\n", "utf16le"), "€\n", Buffer.from("\uFEFF€\n", "utf16le")],
    ["Latin-1", file(0xe4, 0x0a), "äß\n", file(0xe4, 0xdf, 0x0a)],
    ["Windows-1252", file(0x80, 0x0a), "ä€“”–\n", file(0xe4, 0x80, 0x93, 0x94, 0x96, 0x0a)],
  ];
  for (const [name, like, text, bytes] of cases)
    it(`keep its encoding: ${name}`, () => {
      assert.deepEqual(bytesOf(text, like), bytes);
      assert.equal(textOf(bytes, like), text);
    });

  it("are UTF-8 where the file's encoding lacks a letter", () => {
    const bytes = bytesOf("ä🚀\n", file(0xe4, 0x0a));
    assert.deepEqual(bytes, Buffer.from("ä🚀\n"));
    assert.equal(textOf(bytes, file(0xe4, 0x0a)), "ä🚀\n");
  });
});

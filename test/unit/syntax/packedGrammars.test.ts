import assert from "node:assert/strict";
import { compress } from "@bokuweb/zstd-wasm";
import { packedGrammars } from "../../../src/syntax/packedGrammars.ts";
import { startZstd } from "../../fakes/startZstd.ts";

describe("packed grammars", () => {
  const wasm = Buffer.from("\0asm and what follows it ".repeat(1_000));
  let files = new Map<string, Uint8Array>();

  before(async () => {
    await startZstd();
    files = new Map([
      ["go/grammar.wasm.zst", compress(wasm, 3)],
      ["go/symbols.scm", Buffer.from("(query)")],
      ["torn/grammar.wasm.zst", compress(wasm, 3).slice(0, 20)],
    ]);
  });

  const source = packedGrammars({
    async read(path) {
      const bytes = files.get(path);
      if (!bytes) throw new Error(`${path} is missing.`);
      return bytes;
    },
  });

  it("gives a grammar as it was before it was packed", async () => {
    assert.deepEqual(Buffer.from(await source.read("go/grammar.wasm")), wasm);
  });

  it("gives a query as it is", async () => {
    assert.equal(new TextDecoder().decode(await source.read("go/symbols.scm")), "(query)");
  });

  it("rejects what is missing or damaged", async () => {
    await assert.rejects(source.read("rust/grammar.wasm"), /rust\/grammar\.wasm\.zst is missing/);
    await assert.rejects(source.read("torn/grammar.wasm"));
  });
});

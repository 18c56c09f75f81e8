import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { thirdPartyNotices } from "../../thirdPartyNotices.mjs";

describe("the third-party notices", () => {
  it("name each bundled package once with its license, and the grammars with their package", () => {
    const files = [
      "src/a.ts",
      "node_modules/zod/v4/mini/index.js",
      "node_modules/zod/v4/core/index.js",
      "node_modules/marked/lib/marked.esm.js",
    ];
    const text = thirdPartyNotices(process.cwd(), files, ["web-tree-sitter/web-tree-sitter.wasm"]);
    assert.equal(text.match(/^zod \S+ \(MIT\)$/gm)?.length, 1);
    assert.match(text, /^marked \S+ \(MIT\)$/m);
    assert.match(text, /^web-tree-sitter \S+ \(MIT\)\n.*\nContains:\n {2}web-tree-sitter\.wasm$/m);
    assert.match(text, /Permission is hereby granted/);
    assert.doesNotMatch(text, /src\/a\.ts/);
  });

  it("hold the licenses of code that a package took over", () => {
    const text = thirdPartyNotices(process.cwd(), ["node_modules/openai/client.mjs"], []);
    assert.match(text, /^openai \S+ \(Apache-2\.0\)\n/m);
    assert.match(text, /Apache License.*BSD 3-Clause License/s);
  });

  it("cannot be made for a package without a license", () => {
    const root = mkdtempSync(path.join(tmpdir(), "graft-notices-"));
    try {
      mkdirSync(path.join(root, "node_modules/odd"), { recursive: true });
      writeFileSync(
        path.join(root, "node_modules/odd/package.json"),
        '{"name":"odd","version":"1.0.0"}',
      );
      assert.throws(
        () => thirdPartyNotices(root, ["node_modules/odd/a.js"], []),
        /odd does not name its license/,
      );
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

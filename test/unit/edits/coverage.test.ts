import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { measureCommit } from "../../bench/coverage/measureCommit.ts";
import { testSyntax as syntax } from "../../fakes/editor/testSyntax.ts";

const schema = z.array(
  z.object({
    path: z.string(),
    changes: z.array(
      z.object({ does: z.string(), from: z.string(), to: z.string(), blocks: z.array(z.string()) }),
    ),
    text: z.array(z.string()),
  }),
);
const files = schema.parse(
  JSON.parse(
    readFileSync(new URL("../../fixtures/coverage/changes.json", import.meta.url), "utf8"),
  ),
);
const { signal } = new AbortController();

describe("a commit as AST-mode blocks", () => {
  for (const { path, text, changes } of files) {
    for (const { does, from, to, blocks } of changes) {
      it(`${path}: ${does}`, async () => {
        const before = text.join("\n");
        assert.equal(before.split(from).length, 2, "the fixture's text holds what changes once");
        const after = before.replace(from, () => to);
        const pair = { lang: "x", repo: "fixture", commit: "0", path, before, after };
        const measured = await measureCommit(pair, syntax, signal);
        if (measured.status !== "exact")
          assert.fail(`${measured.status}: ${JSON.stringify(measured, null, 2)}`);
        const written = measured.blocks.map(
          (block) => `${block.path}${block.op === "replace" ? "" : `:${block.op}`}`,
        );
        assert.deepEqual(written, blocks);
      });

      it(`${path}: ${does}, with CRLF`, async () => {
        const before = text.join("\r\n");
        const after = before.replace(from.replaceAll("\n", "\r\n"), () =>
          to.replaceAll("\n", "\r\n"),
        );
        const pair = { lang: "x", repo: "fixture", commit: "0", path, before, after };
        assert.equal((await measureCommit(pair, syntax, signal)).status, "exact");
      });
    }
  }
});

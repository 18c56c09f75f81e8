import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import * as path from "node:path";
import * as z from "zod/mini";
import { ReviewState } from "../../../src/edits/review/reviewState.ts";
import { makeShare } from "../../../src/edits/share/makeShare.ts";
import type { BlockWarning } from "../../../src/ports/review.ts";
import { buildCli } from "../../fakes/cliBundle.ts";
import { runHere } from "../../fakes/commandLineHere.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const BASE = text(LINES);
const PROPOSED = text(LINES.with(1, "LINE 2").with(9, "LINE 10"));

const decidedSchema = z.object({
  changes: z.array(z.object({ path: z.string(), accepted: z.nullable(z.boolean()) })),
  done: z.array(z.string()),
  problems: z.array(z.object({ code: z.string() })),
});

describe("graft review", () => {
  let folder: TempFolder;
  let home: TempFolder;

  beforeEach(async () => {
    folder = await tempFolder({ "a.txt": BASE });
    home = await tempFolder();
  });
  afterEach(async () => {
    await folder.remove();
    await home.remove();
  });

  /** Writes a review of these texts, null for a file that is to be created. */
  async function share(
    files: Readonly<Record<string, readonly [string | null, string]>>,
    warnings: readonly BlockWarning[] = [],
    gone: readonly string[] = [],
  ): Promise<string> {
    const refOf = (name: string) => ({ path: name, uri: `file:///elsewhere/${name}` });
    const reviews = Object.entries(files).map(([name, [base, proposed]]) => {
      const state = new ReviewState(base ?? "");
      const block = { blockId: "block-1", start: 0, end: proposed.length, warnings };
      state.propose({ text: proposed, blocks: [block] });
      return { file: refOf(name), exists: base !== null, review: state.record() };
    });
    const operations = gone.map((name) => ({ file: refOf(name), to: null }));
    const { review } = await makeShare(reviews, operations, {
      comment: "Please look.",
      chatOf: () => "",
      textOf: async () => BASE,
    });
    return folder.write("shared.json", JSON.stringify(review));
  }
  const onDisk = (name = "a.txt") => readFile(path.join(folder.root, name), "utf8");
  const argumentsFor = (file: string, flags: readonly string[]) => [
    ...["review", file, "--root", folder.root],
    ...flags,
  ];
  const run = (file: string, flags: readonly string[], stdin = "") =>
    runHere(home.root, argumentsFor(file, flags), stdin);
  const decided = (stdout: string) => decidedSchema.parse(JSON.parse(stdout));

  it("shows each change and writes nothing, with --accept none", async () => {
    const { status, stdout } = await run(await share({ "a.txt": [BASE, PROPOSED] }), [
      "--accept",
      "none",
    ]);
    assert.equal(status, 0);
    for (const line of ["Please look.", "-line 2", "+LINE 2", "-line 10", "+LINE 10"])
      assert.ok(stdout.split("\n").includes(line), line);
    assert.equal(await onDisk(), BASE);
  });

  it("asks for each change, and writes those that are accepted", async () => {
    const file = await share({ "a.txt": [BASE, PROPOSED] });
    const cli = await buildCli();
    const { status } = await cli.run(argumentsFor(file, []), "what?\nno\ny\n");
    await cli.remove();
    assert.equal(status, 0);
    assert.equal(await onDisk(), text(LINES.with(9, "LINE 10")));
  });

  it("leaves open what nobody answers, and writes what was answered before", async () => {
    const file = await share({ "a.txt": [BASE, PROPOSED], "new.txt": [null, "new\n"] });
    const { status, stdout } = await run(file, ["--json"], "y\n");
    assert.equal(status, 1);
    assert.deepEqual(
      decided(stdout).changes.map(({ accepted }) => accepted),
      [true, null, null],
    );
    assert.equal(await onDisk(), text(LINES.with(1, "LINE 2")));
    assert.equal(existsSync(path.join(folder.root, "new.txt")), false);
  });

  it("accepts all that nothing speaks against, over what changed here, and creates files", async () => {
    await folder.write("a.txt", text(["first", ...LINES.with(9, "other")]));
    const file = await share({ "a.txt": [BASE, PROPOSED], "src/new.txt": [null, "new\n"] });
    const { status, stdout } = await run(file, ["--accept", "all", "--json"]);
    assert.equal(status, 1);
    assert.deepEqual(
      decided(stdout).changes.map(({ accepted }) => accepted),
      [true, null, true],
    );
    assert.equal(await onDisk(), text(["first", ...LINES.with(1, "LINE 2").with(9, "other")]));
    assert.equal(await onDisk("src/new.txt"), "new\n");
  });

  it("overwrites a conflict only where it is answered so", async () => {
    await folder.write("a.txt", text(LINES.with(1, "other")));
    const file = await share({ "a.txt": [BASE, PROPOSED] });
    await run(file, [], "r\nr\n");
    assert.equal(await onDisk(), text(LINES.with(1, "other").with(9, "LINE 10")));
    await run(file, [], "y\n");
    assert.equal(await onDisk(), PROPOSED);
    const { status, stdout } = await run(file, ["--accept", "all", "--json"]);
    assert.deepEqual([status, decided(stdout).done], [0, ["a.txt"]]);
  });

  it("holds back what carries a warning, and protected files, from --accept all", async () => {
    const warned = await share({ "a.txt": [BASE, PROPOSED] }, [{ code: "syntax" }]);
    assert.equal((await run(warned, ["--accept", "all"])).status, 1);
    assert.equal(await onDisk(), BASE);
    const acting = await share({ ".vscode/tasks.json": [null, "{}\n"] });
    assert.equal((await run(acting, ["--accept", "all"])).status, 1);
    assert.equal(existsSync(path.join(folder.root, ".vscode")), false);
    assert.equal((await run(acting, [], "yes\n")).status, 0);
    assert.equal(await onDisk(".vscode/tasks.json"), "{}\n");
  });

  it("deletes what is proposed for deletion, where it is accepted", async () => {
    const file = await share({}, [], ["a.txt"]);
    await run(file, [], "n\n");
    assert.equal(await onDisk(), BASE);
    assert.equal((await run(file, [], "y\n")).status, 0);
    assert.equal(existsSync(path.join(folder.root, "a.txt")), false);
  });

  it("keeps the line ends and the mark of the file here", async () => {
    const mixed = `\uFEFF${BASE.replaceAll("\n", "\r\n").replace("line 12\r\n", "line 12\n")}`;
    await folder.write("a.txt", mixed);
    const file = await share({ "a.txt": [BASE, PROPOSED] });
    assert.equal((await run(file, ["--accept", "all"])).status, 0);
    assert.equal(
      await onDisk(),
      mixed.replace("line 2\r", "LINE 2\r").replace("line 10\r", "LINE 10\r"),
    );
  });

  it("refuses what is no review, and what leads outside, with what is wrong", async () => {
    for (const content of ["no JSON", "{}", '{"format":"graft-review","version":99}']) {
      const { status, stderr } = await run(await folder.write("bad.json", content), []);
      assert.equal(status, 1);
      assert.match(stderr, /^graft: bad\.json .+\n$/);
    }
    assert.equal((await run(path.join(folder.root, "none.json"), [])).status, 1);
    assert.equal((await run(folder.root, [])).status, 1);
    const outside = await share({ "../evil.txt": [null, "evil\n"] });
    const { status, stdout } = await run(outside, ["--accept", "all", "--json"]);
    assert.deepEqual([status, decided(stdout).problems], [1, [{ code: "file" }]]);
    assert.equal(existsSync(path.join(folder.root, "..", "evil.txt")), false);
  });

  it("shows control characters as what they are", async () => {
    const file = await share({ "a.txt": [BASE, BASE.replace("line 2", "\u001b[2Jline 2")] });
    const { stdout } = await run(file, ["--accept", "none"]);
    assert.ok(!stdout.includes("\u001b"));
  });
});

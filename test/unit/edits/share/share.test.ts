import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import { makeShare, type Shareable } from "../../../../src/edits/share/makeShare.ts";
import { type OpenedShare, openShare } from "../../../../src/edits/share/openShare.ts";
import { MAX_SHARED_BYTES, readShare, type Share } from "../../../../src/edits/share/share.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import type { FileRef, Workspace } from "../../../../src/ports/workspace.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const BASE = text(LINES);
const PROPOSED = text(LINES.with(1, "LINE 2").with(9, "LINE 10"));
const signal = new AbortController().signal;
const ORIGIN = { chatId: "import-1", turnId: "turn-1", callId: "call-1" };

describe("a shared review", () => {
  let here: TempFolder;
  let workspace: Workspace;

  beforeEach(async () => {
    here = await tempFolder();
    workspace = await createNodeWorkspace(here.root, null);
  });
  afterEach(() => here.remove());

  const refOf = (name: string): FileRef => ({ path: name, uri: `file:///elsewhere/${name}` });

  /** A review of another machine: a block for each text, and what its user did. */
  function pending(name: string, base: string | null, proposed: string): Shareable {
    const state = new ReviewState(base ?? "");
    const block = { blockId: "turn-9 block-1", start: 0, end: proposed.length, warnings: [] };
    state.propose({ text: proposed, blocks: [block] });
    return { file: refOf(name), exists: base !== null, review: state.record() };
  }

  async function shared(
    reviews: readonly Shareable[],
    operations: Parameters<typeof makeShare>[1] = [],
  ): Promise<Share> {
    const made = await makeShare(reviews, operations, {
      comment: "Please look.",
      chatOf: () => "Rename things",
      textOf: async () => BASE,
    });
    // As the other machine reads it.
    const read = readShare(JSON.stringify(made.review));
    assert.ok(read.ok);
    return read.value;
  }

  const opened = async (review: Share): Promise<OpenedShare> =>
    openShare(review, workspace, ORIGIN, signal);
  const problems = ({ problems: all }: OpenedShare) =>
    all.map((problem) => (problem.code === "file" ? problem.error.code : problem.code));

  it("comes out as it went in, where the file is the same", async () => {
    await here.write("a.txt", BASE);
    const review = await shared([pending("a.txt", BASE, PROPOSED)]);
    assert.equal(review.comment, "Please look.");
    assert.equal(review.files[0]?.blocks[0]?.chat, "Rename things");
    const [file] = (await opened(review)).files;
    assert.ok(file);
    assert.deepEqual([file.hunks, file.conflicts], [2, 0]);
    assert.deepEqual([file.review.real, file.review.proposed], [BASE, PROPOSED]);
  });

  it("names no absolute path", async () => {
    const made = JSON.stringify(await shared([pending("a.txt", BASE, PROPOSED)]));
    assert.ok(!made.includes("elsewhere"));
  });

  it("leaves out files that may hold keys", async () => {
    const secret = pending("x.env", "KEY=1\n", "KEY=2\n");
    const made = await makeShare(
      [
        { ...secret, file: { ...secret.file, secret: "allowed" } },
        pending("a.txt", BASE, PROPOSED),
      ],
      [],
      { comment: "", chatOf: () => "", textOf: async () => null },
    );
    assert.deepEqual(made.secret, ["x.env"]);
    assert.ok(!JSON.stringify(made.review).includes("KEY"));
  });

  it("is rebased where the file has other changes, which stay", async () => {
    await here.write("a.txt", text(["first", ...LINES.with(5, "mine")]));
    const [file] = (await opened(await shared([pending("a.txt", BASE, PROPOSED)]))).files;
    assert.ok(file);
    assert.deepEqual([file.hunks, file.conflicts], [2, 0]);
    const state = ReviewState.from(file.review);
    state.commit(state.planAccept(state.hunks().map(({ id }) => id)));
    const all = LINES.with(1, "LINE 2").with(9, "LINE 10").with(5, "mine");
    assert.equal(state.real, text(["first", ...all]));
  });

  it("has a conflict where the file changed the same lines, and both texts", async () => {
    await here.write("a.txt", text(LINES.with(1, "other")));
    const [file] = (await opened(await shared([pending("a.txt", BASE, PROPOSED)]))).files;
    assert.ok(file);
    assert.deepEqual([file.hunks, file.conflicts], [2, 1]);
    assert.ok(file.review.real.includes("other\n"));
    assert.ok(file.review.proposed.includes("LINE 2\n"));
  });

  it("is done where the file has all of it, and keeps what it has in part", async () => {
    await here.write("a.txt", PROPOSED);
    await here.write("b.txt", text(LINES.with(1, "LINE 2")));
    const both = [pending("a.txt", BASE, PROPOSED), pending("b.txt", BASE, PROPOSED)];
    const found = await opened(await shared(both));
    assert.deepEqual(found.done, ["a.txt"]);
    assert.deepEqual(
      found.files.map(({ snapshot, hunks }) => [snapshot.file.path, hunks]),
      [["b.txt", 1]],
    );
  });

  it("keeps the conflicts, decisions and reasons of where it is from", async () => {
    await here.write("a.txt", text(LINES.with(9, "typed")));
    const state = new ReviewState(BASE);
    const blocks = [
      { blockId: "b1", start: 0, end: 14, warnings: [] },
      { blockId: "b2", start: 14, end: PROPOSED.length, warnings: [] },
    ];
    state.propose({ text: PROPOSED, blocks });
    state.reject([state.hunks()[0]?.id ?? ""], "Not this one");
    const typed = text(LINES.with(9, "typed"));
    const at = BASE.indexOf("line 10");
    state.userEdited("real", [{ start: at, end: at + 7, newText: "typed" }], typed);
    const review = await shared([{ file: refOf("a.txt"), exists: true, review: state.record() }]);
    const [file] = (await opened(review)).files;
    assert.ok(file);
    assert.deepEqual([file.hunks, file.conflicts], [1, 1]);
    assert.deepEqual(
      ReviewState.from(file.review)
        .outcomes()
        .map(({ status, rejection }) => [status, rejection]),
      [
        ["rejected", "Not this one"],
        ["conflict", undefined],
      ],
    );
  });

  it("creates a file, or is a conflict with the one that is here", async () => {
    await here.write("there.txt", "mine\n");
    const both = [pending("new.txt", null, "new\n"), pending("there.txt", null, "new\n")];
    const { files } = await opened(await shared(both));
    assert.deepEqual(
      files.map(({ snapshot, hunks, conflicts }) => [snapshot.exists, hunks, conflicts]),
      [
        [false, 1, 0],
        [true, 1, 1],
      ],
    );
  });

  it("is rebased over other line ends", async () => {
    await here.write("a.txt", BASE.replaceAll("\n", "\r\n"));
    const [file] = (await opened(await shared([pending("a.txt", BASE, PROPOSED)]))).files;
    assert.deepEqual([file?.hunks, file?.conflicts], [2, 0]);
  });

  it("leaves out, by name, what has no file here", async () => {
    const found = await opened(await shared([pending("gone.txt", BASE, PROPOSED)]));
    assert.deepEqual(problems(found), ["gone"]);
    assert.deepEqual(found.files, []);
  });

  it("deletes and renames only what is as it was", async () => {
    await here.write("same.txt", BASE);
    await here.write("other.txt", "other\n");
    const review = await shared(
      [],
      [
        { file: refOf("same.txt"), to: refOf("moved.txt") },
        { file: refOf("other.txt"), to: null },
        { file: refOf("gone.txt"), to: null },
      ],
    );
    const found = await opened(review);
    assert.deepEqual(
      found.operations.map(({ file, to }) => [file.path, to?.path]),
      [["same.txt", "moved.txt"]],
    );
    assert.deepEqual([problems(found), found.done], [["changed"], ["gone.txt"]]);
  });

  describe("from someone hostile", () => {
    const outside = async (name: string): Promise<OpenedShare> => {
      const review = await shared([pending("a.txt", null, "evil\n")]);
      const files = review.files.map((file) => ({ ...file, path: name }));
      return opened({ ...review, files, operations: [{ path: "a.txt", to: name, hash: null }] });
    };

    for (const name of ["../evil.txt", "/etc/evil", "C:\\evil", "\\\\host\\evil", "a/../../evil"])
      it(`reaches nothing at ${name}`, async () => {
        const found = await outside(name);
        assert.deepEqual([found.files, found.operations], [[], []]);
        assert.equal(problems(found)[0], "outside-workspace");
      });

    it("reaches nothing in this workspace by an absolute path", async () => {
      await here.write("a.txt", "mine\n");
      assert.equal(problems(await outside(path.join(here.root, "a.txt")))[0], "outside-workspace");
    });

    it("reaches nothing through a link, in version control or with keys", async () => {
      const other = await tempFolder({ "target.txt": "theirs\n" });
      await symlink(other.root, path.join(here.root, "link"));
      await mkdir(path.join(here.root, ".git"));
      await here.write(".env", "KEY=1\n");
      assert.equal(problems(await outside("link/target.txt"))[0], "leads-outside");
      assert.equal(problems(await outside(".git/hooks/pre-commit"))[0], "version-control");
      assert.equal(problems(await outside(".env"))[0], "secret");
      assert.equal(await readFile(path.join(other.root, "target.txt"), "utf8"), "theirs\n");
      await other.remove();
    });

    it("is marked as protected where an editor acts on the file", async () => {
      const found = await outside(".vscode/tasks.json");
      assert.equal(found.files[0]?.snapshot.file.protected, true);
    });

    it("has each file once, and the base that its hash is of", async () => {
      await here.write("a.txt", BASE);
      const review = await shared([pending("a.txt", BASE, PROPOSED)]);
      const [file] = review.files;
      assert.ok(file);
      const found = await opened({ ...review, files: [file, file] });
      assert.deepEqual([found.files.length, problems(found)], [1, ["twice"]]);
      const changed = { ...file, base: `${file.base}x` };
      assert.deepEqual(problems(await opened({ ...review, files: [changed] })), ["damaged"]);
    });

    it("is refused as a whole, with what is wrong", async () => {
      const review = await shared([pending("a.txt", BASE, PROPOSED)]);
      const [file] = review.files;
      assert.ok(file);
      const fault = (value: unknown) => {
        const read = readShare(typeof value === "string" ? value : JSON.stringify(value));
        return read.ok ? "read" : read.error;
      };
      assert.deepEqual(fault("no JSON"), { code: "not-json" });
      assert.deepEqual(fault("[1]"), { code: "not-a-review" });
      assert.deepEqual(fault({ version: 1, files: [] }), { code: "not-a-review" });
      assert.deepEqual(fault({ ...review, version: 2 }), { code: "other-version", version: 2 });
      assert.deepEqual(fault({ ...review, files: [{ ...file, hash: "x" }] }), {
        code: "malformed",
        part: "files.0.hash",
      });
      const block = file.blocks[0];
      assert.ok(block);
      for (const range of [
        { start: -1, end: 1 },
        { start: 2, end: 1 },
        { start: 0, end: 1e9 },
      ]) {
        const read = fault({ ...review, files: [{ ...file, blocks: [{ ...block, range }] }] });
        assert.equal(typeof read === "object" && read.code, "malformed");
      }
      assert.deepEqual(fault("x".repeat(MAX_SHARED_BYTES + 1)), {
        code: "too-large",
        bytes: MAX_SHARED_BYTES + 1,
      });
    });
  });

  it("changes no file by being opened", async () => {
    const file = await here.write("a.txt", text(LINES.with(1, "other")));
    await writeFile(path.join(here.root, "b.txt"), BASE);
    await opened(
      await shared([pending("a.txt", BASE, PROPOSED), pending("b.txt", BASE, PROPOSED)]),
    );
    assert.equal(await readFile(file, "utf8"), text(LINES.with(1, "other")));
    assert.equal(await readFile(path.join(here.root, "b.txt"), "utf8"), BASE);
  });
});

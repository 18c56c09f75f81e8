import assert from "node:assert/strict";
import { ChangeJournal } from "../../../../src/edits/history/changeJournal.ts";
import { restoreFiles } from "../../../../src/review/restore/restoreFiles.ts";
import { emptyTree } from "../../../../src/turns/turnReducer.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { memoryWorkspace } from "../../../fakes/workspace/memoryWorkspace.ts";

const BEFORE = "one\ntwo\nthree\n";
const AFTER = "ONE\ntwo\nthree\n";

/** Undoes a turn that changed two files; gives what became of it, and the files. */
async function undone(
  given: Partial<{
    readonly stale: string;
    readonly pending: readonly string[];
    readonly now: Readonly<Record<string, string>>;
    readonly meanwhile: boolean;
    /** The only file to restore. */
    readonly path: string;
    /** A later turn changed the first file again. */
    readonly later: boolean;
  }>,
) {
  const files = new Map(Object.entries({ "a.ts": AFTER, "b.ts": AFTER, ...given.now }));
  const workspace = memoryWorkspace(files);
  const journal = new ChangeJournal(new MemoryEventLog(), { warn() {}, error() {} });
  for (const path of ["a.ts", "b.ts"])
    journal.record({
      ...{ at: 1, turnId: "turn", callId: null, path, uri: `memory:///${path}` },
      ...{ before: BEFORE, after: AFTER },
    });
  if (given.later)
    journal.record({
      ...{ at: 2, turnId: "later", callId: null, path: "a.ts", uri: "memory:///a.ts" },
      ...{ before: AFTER, after: `${AFTER}four\n` },
    });
  const restored: string[] = [];
  const asked: string[] = [];
  const outcome = await restoreFiles(
    { journal, turnId: "turn", path: given.path ?? null },
    {
      workspace,
      pendingPaths: () => given.pending ?? [],
      isStale: async (uri) => uri === `memory:///${given.stale}`,
      chat: {
        ...{ busy: false, tree: emptyTree() },
        filesRestored: (_, named) =>
          void restored.push(...named.map((each) => `${each.path}${each.isUnsaved ? "*" : ""}`)),
      },
      editor: {
        async rewrite(rewrites) {
          if (given.meanwhile) return false;
          for (const { uri, after } of rewrites)
            files.set(uri.slice("memory:///".length), after ?? "");
          return true;
        },
      },
      setExecutable: async () => assert.fail("no mode changes"),
      async pick(planned) {
        asked.push(...planned.map(({ path }) => path));
        return planned;
      },
      rewritten: () => undefined,
      isUnsaved: async (uri) => uri === "memory:///b.ts",
    },
  );
  return { ...outcome, restored, asked, files: Object.fromEntries(files) };
}

describe("undoing a turn's changes", () => {
  it("gives all files the text that they had, as one edit, and tells the chat what is not saved", async () => {
    const { problem, restored, files } = await undone({});
    assert.deepEqual([problem, restored], [undefined, ["a.ts", "b.ts*"]]);
    assert.deepEqual(files, { "a.ts": BEFORE, "b.ts": BEFORE });
  });

  it("asks nothing for one file, unless a later turn changed it, too", async () => {
    const one = await undone({ path: "a.ts" });
    assert.deepEqual([one.asked, one.files], [[], { "a.ts": BEFORE, "b.ts": AFTER }]);
    const now = { "a.ts": `${AFTER}four\n` };
    assert.deepEqual((await undone({ path: "a.ts", later: true, now })).asked, ["a.ts"]);
    assert.deepEqual((await undone({})).asked, ["a.ts", "b.ts"]);
  });

  it("keeps later edits elsewhere in a file", async () => {
    const { files } = await undone({ now: { "a.ts": `${AFTER}four\n` } });
    assert.equal(files["a.ts"], `${BEFORE}four\n`);
  });

  for (const [title, given, code] of [
    ["that the editor shows as it was before", { stale: "a.ts" }, "stale"],
    ["with a pending proposal", { pending: ["a.ts"] }, "proposal-pending"],
  ] as const)
    it(`leaves a file alone ${title}, and restores the other`, async () => {
      const { problem, files } = await undone(given);
      assert.deepEqual([problem, files], [undefined, { "a.ts": AFTER, "b.ts": BEFORE }]);
      const both = await undone({ ...given, now: { "b.ts": BEFORE } });
      assert.deepEqual(both.problem, {
        code: "blocked",
        files: [{ path: "a.ts", reason: { code } }],
      });
    });

  it("changes nothing where a file changed after the user chose", async () => {
    const { problem, restored, files } = await undone({ meanwhile: true });
    assert.deepEqual([problem?.code, restored], ["changed-meanwhile", []]);
    assert.deepEqual(files, { "a.ts": AFTER, "b.ts": AFTER });
  });
});

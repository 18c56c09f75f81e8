import assert from "node:assert/strict";
import type { GuestDecision } from "../../../../src/agent/guests/guestDecisions.ts";
import { type GuestOptions, openGuest } from "../../../../src/agent/guests/openGuest.ts";
import { ok } from "../../../../src/base/result.ts";
import { noLanguageServices } from "../../../../src/cli/nonInteractive.ts";
import { createAutoReviewer } from "../../../../src/edits/review/autoReviewer.ts";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import type { GuestTools } from "../../../../src/ports/guest.ts";
import type { EditBlock } from "../../../../src/turns/editBlock.ts";
import { testSyntax } from "../../../fakes/editor/testSyntax.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const LINES = "one\ntwo\nthree\n";

describe("the turns of a guest", () => {
  let folder: TempFolder;
  let reviewer: ReturnType<typeof createPendingReviewer>;
  let decisions: GuestDecision[];
  let kept: readonly EditBlock[];
  let guest: GuestTools;

  beforeEach(async () => {
    folder = await tempFolder({ "a.txt": LINES, "b.txt": LINES, "c.txt": LINES });
    reviewer = createPendingReviewer();
    [decisions, kept] = [[], []];
    guest = await open();
  });
  afterEach(() => folder.remove());

  async function open(
    agent = "Claude Code",
    chatId = "guest-1",
    decider: Partial<Pick<GuestOptions, "writes" | "reviewer">> = {},
  ): Promise<GuestTools> {
    const logger = new RecordingLogger();
    return openGuest({
      ...{ chatId, agent, writes: false, logger, reviewer, ...decider },
      workspace: await createNodeWorkspace(folder.root),
      files: await createNodeWorkspaceFiles(folder.root),
      syntax: testSyntax,
      services: noLanguageServices,
      record: {
        takeDecisions: async () => decisions.splice(0),
        edits: async () => kept,
        async keep(edits) {
          kept = edits;
        },
      },
    });
  }

  const never = new AbortController().signal;
  const call = (name: string, args: object, by = guest) => by.call(name, args, never);
  async function edit(file_path: string, by = guest): Promise<void> {
    await call("read_file", { file_path }, by);
    const answer = await call("edit_file", { file_path, edits: [{ at: "2:2", code: "2" }] }, by);
    assert.equal(answer.edits[0]?.status, "pending", answer.text);
  }
  const origins = () => reviewer.allPending().flatMap(({ blocks }) => blocks.map((b) => b.origin));
  const turns = () => [...origins(), ...reviewer.operations.pending.map(({ origin }) => origin)];
  function decide(path: string): void {
    const block = reviewer.allPending().find(({ file }) => file.path === path)?.blocks[0];
    assert.ok(block);
    const { blockId } = block;
    decisions.push({
      path,
      blocks: [{ blockId, status: "applied", reason: null }],
      userDiff: null,
    });
  }

  it("have all that it proposes until all of it is decided", async () => {
    await edit("a.txt");
    await edit("b.txt");
    await call("delete_file", { path: "c.txt" });
    const [first, second, deletion] = turns();
    assert.equal(first?.turnId, second?.turnId);
    assert.equal(first?.turnId, deletion?.turnId);
    assert.deepEqual([first?.agent, deletion?.agent], ["Claude Code", "Claude Code"]);
  });

  it("end with the last decision", async () => {
    await edit("a.txt");
    await edit("b.txt");
    decide("a.txt");
    await edit("c.txt");
    const [a, b, c] = origins();
    assert.deepEqual([b?.turnId, c?.turnId], [a?.turnId, a?.turnId], "b.txt still waits");
    decide("b.txt");
    decide("c.txt");
    await call("rename_file", { from: "b.txt", to: "d.txt" });
    assert.notEqual(reviewer.operations.pending[0]?.origin.turnId, a?.turnId);
  });

  it("are the guest's own, and it hears once that the user took changes back", async () => {
    const other = await open("opencode", "guest-2");
    await edit("a.txt");
    await edit("b.txt", other);
    const [own, others] = origins();
    assert.notEqual(own?.turnId, others?.turnId);
    assert.deepEqual([own?.agent, others?.agent], ["Claude Code", "opencode"]);
    decisions.push({ path: "a.txt", blocks: [], userDiff: null, restored: true });
    assert.deepEqual((await call("edit_decisions", {})).restored, ["a.txt"]);
    assert.equal((await call("edit_decisions", {})).restored, undefined);
  });

  it("know a file by the name that the guest gave it at once", async () => {
    const write = async () => ok(null);
    const decider = { writes: true, reviewer: createAutoReviewer("all", write) };
    const by = await open("Claude Code", "guest-1", decider);
    await call("read_file", { file_path: "a.txt" }, by);
    await call("rename_file", { from: "a.txt", to: "d.txt" }, by);
    const edits = [{ at: '2:2 "two"', code: "2" }];
    const answer = await call("edit_file", { file_path: "d.txt", edits }, by);
    assert.deepEqual(answer.edits[0]?.warnings, []);
  });

  for (const [what, steps, warned] of [
    [
      "a whole file that it made",
      [
        ["new.ts", null],
        ["new.ts", null],
      ],
      false,
    ],
    [
      "an element of a file that it made",
      [
        ["new.ts", null],
        ["new.ts", "ast-path:one"],
      ],
      false,
    ],
    [
      "lines of a file that it made",
      [
        ["new.ts", null],
        ["new.ts", "1:1"],
      ],
      false,
    ],
    [
      "a whole file of which it wrote a part",
      [
        ["a.txt", "2:2"],
        ["a.txt", null],
      ],
      true,
    ],
    ["a whole file that it did not read", [["a.txt", null]], true],
    ["lines of a file that it did not read", [["a.txt", "2:2"]], true],
  ] as const)
    it(`are ${warned ? "" : "not "}warned of what was not read: ${what}`, async () => {
      for (const [at, [file_path, address]] of steps.entries()) {
        const code = `export const one = ${at};\n`;
        const edits = [address === null ? { code } : { at: address, code }];
        await call("edit_file", { file_path, edits });
      }
      assert.deepEqual(
        kept.at(-1)?.warnings.some(({ code }) => code === "never-read"),
        warned,
      );
    });
});

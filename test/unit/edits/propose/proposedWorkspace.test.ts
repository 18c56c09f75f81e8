import assert from "node:assert/strict";
import { ok } from "../../../../src/base/result.ts";
import {
  proposedWorkspace,
  proposedWorkspaceFiles,
} from "../../../../src/edits/propose/proposedWorkspace.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import type { PendingOperation, PendingProposal } from "../../../../src/ports/review.ts";
import type { FileRef, Workspace } from "../../../../src/ports/workspace.ts";
import { createFileOutline } from "../../../../src/tools/files/fileOutline.ts";
import { createListDirectory } from "../../../../src/tools/files/listDirectory.ts";
import { createReadFile } from "../../../../src/tools/files/readFile.ts";
import { createReadMultipleFiles } from "../../../../src/tools/files/readMultipleFiles.ts";
import { fileTools } from "../../../../src/tools/fileTools.ts";
import { NOTES } from "../../../../src/tools/notes.ts";
import { createSearchInFiles } from "../../../../src/tools/search/searchInFiles.ts";
import type { Tool } from "../../../../src/tools/tool.ts";
import { testSyntax as syntax } from "../../../fakes/editor/testSyntax.ts";
import { RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { toolHarness } from "../../tools/toolHarness.ts";

const A = { path: "a.ts", uri: "memory:///a.ts" };
const NEW = { path: "new.ts", uri: "memory:///new.ts" };

const block = (chatId: string) => ({
  origin: { chatId, turnId: "turn", callId: "call" },
  blockId: "b",
  ...{ start: 0, end: 0, warnings: [] },
});

/** Chat 1 has changed `a.ts` and made `new.ts`. */
const PROPOSALS: readonly PendingProposal[] = [
  { file: A, text: "two();\n", hunks: [[block("chat-1").origin]], blocks: [block("chat-1")] },
  {
    file: NEW,
    text: "two(new_());\n",
    hunks: [[block("chat-1").origin]],
    blocks: [block("chat-1")],
  },
];

/** Chat 1 and chat 2 have changed it. */
const SHARED: PendingProposal = {
  file: { path: "shared.ts", uri: "memory:///shared.ts" },
  ...{ text: "one();\ntwo();\n", hunks: [[block("chat-1").origin], [block("chat-2").origin], []] },
  blocks: [block("chat-1"), block("chat-2")],
};

class PendingReviewer extends RecordingReviewer {
  readonly operations = {
    beforehand: true,
    pending: [] as PendingOperation[],
    async propose(operation: PendingOperation) {
      this.pending.push(operation);
      return ok({ blockId: operation.blockId, status: "pending" as const, reason: null });
    },
    async withdraw() {},
  };

  override pending({ path }: FileRef): PendingProposal | null {
    return [...PROPOSALS, SHARED].find(({ file }) => file.path === path) ?? null;
  }

  override allPending(): readonly PendingProposal[] {
    return PROPOSALS;
  }
}

let folder: TempFolder;

/** What a tool of a chat answers. */
async function ask(
  chatId: string,
  create: (workspace: ReturnType<typeof proposedWorkspace>) => Tool,
  input: unknown,
): Promise<string> {
  const onDisk = await createNodeWorkspace(folder.root);
  const seen = proposedWorkspace(
    onDisk,
    new PendingReviewer(),
    (origin) => origin.chatId === chatId,
  );
  const call = create(seen).prepare(input);
  assert.ok(call.ok);
  const streams = { register: () => ({ dispose() {} }) };
  const result = await call.value.run({
    turnId: "t",
    callId: "c",
    signal: new AbortController().signal,
    emit() {},
    streams,
  });
  return result.ok ? result.output : `Error: ${result.error.message}`;
}

/** The same for a tool that finds or changes files; the calls of a chat share its proposals. */
async function askFiles(
  chatId: string,
  reviewer: PendingReviewer,
  name: string,
  input: object,
): Promise<string> {
  const onDisk = await createNodeWorkspace(folder.root);
  const files = await createNodeWorkspaceFiles(folder.root);
  const seen = proposedWorkspaceFiles(files, onDisk, reviewer);
  const workspace = proposedWorkspace(onDisk, reviewer, (origin) => origin.chatId === chatId);
  const { operations } = reviewer;
  const tools = toolHarness([
    ...fileTools(onDisk, files, { chatId, operations, aside: null }, seen),
    createListDirectory(workspace),
    createReadFile(workspace, syntax),
    createSearchInFiles(workspace),
  ]);
  return tools.call(name, input);
}

const readMultiple = (seen: Workspace) =>
  createReadMultipleFiles(seen, createReadFile(seen, syntax));
const search = (chatId: string, pattern: string) => ask(chatId, createSearchInFiles, { pattern });

describe("what is proposed", () => {
  before(async () => {
    folder = await tempFolder({ [A.path]: "one();\n" });
  });

  after(() => folder.remove());

  for (const [chatId, ofOthers] of [
    ["chat-1", 1],
    ["chat-3", 2],
  ] as const)
    it(`is shown to ${chatId} with how much of it is another's`, async () => {
      const read = (seen: Workspace) => createReadFile(seen, syntax);
      const answer = await ask(chatId, read, { file_path: SHARED.file.path });
      assert.ok(answer.includes(NOTES.proposed(3, ofOthers)), answer);
    });

  for (const [chatId, note] of [
    ["chat-1", NOTES.proposed(1, 0)],
    ["chat-2", NOTES.proposed(1, 1)],
  ] as const)
    for (const [what, tool] of [
      ["read_file", (seen: Workspace) => createReadFile(seen, syntax)],
      ["read_multiple_files", readMultiple],
      ["file_outline", (seen: Workspace) => createFileOutline(seen, syntax)],
    ] as const)
      it(`is what ${what} shows to ${chatId}, which is told whose it is`, async () => {
        for (const path of [A.path, NEW.path]) {
          const input =
            what === "read_multiple_files" ? { file_paths: [path] } : { file_path: path };
          const answer = await ask(chatId, tool, input);
          assert.ok(answer.includes(note), answer);
          if (what !== "file_outline") assert.match(answer, /1\ttwo\(/);
        }
      });

  it("is what every chat finds, and searches say so", async () => {
    for (const chatId of ["chat-1", "chat-2"]) {
      assert.equal(
        await search(chatId, "two"),
        `a.ts:1\ttwo();\nnew.ts:1\ttwo(new_());\n${NOTES.proposedMatches(["a.ts", "new.ts"])}`,
      );
      assert.match(await search(chatId, "one"), /^No matches/);
    }
  });

  it("does not hide which files were not searched", async () => {
    await folder.write("raw.txt", "zero\0");
    try {
      assert.match(await search("chat-1", "zero"), /^No matches\. .*raw\.txt/);
    } finally {
      await folder.write("raw.txt", "");
    }
  });

  it("does not hide that there are more matches than are shown", async () => {
    await folder.write("many.txt", "two\n".repeat(200));
    try {
      assert.match(await search("chat-1", "two"), /\[Only the first 200 matches/);
    } finally {
      await folder.write("many.txt", "");
    }
  });

  it("does not hide that the search on the disk ended early, where their file's matches are none any more", async () => {
    await folder.write("b.txt", "one\n".repeat(400));
    try {
      assert.match(await search("chat-1", "one"), /\[Only the first \d+ matches/);
    } finally {
      await folder.write("b.txt", "");
    }
  });

  it("to delete and rename is what every chat reads, lists and finds", async () => {
    const reviewer = new PendingReviewer();
    for (const [name, text] of Object.entries({
      "lib/gone.ts": "gone();\n",
      "lib/old.ts": "old();\n",
    }))
      await folder.write(name, text);
    const own = (name: string, input: object) => askFiles("chat-1", reviewer, name, input);
    const others = (name: string, input: object) => askFiles("chat-2", reviewer, name, input);
    assert.match(
      await own("delete_file", { path: "lib/gone.ts" }),
      /^Deleting lib\/gone\.ts is proposed and not done yet/,
    );
    assert.match(
      await own("rename_file", { from: "lib/old.ts", to: "lib/new.ts" }),
      /^Renaming lib\/old\.ts to lib\/new\.ts is proposed/,
    );
    for (const chat of [own, others]) {
      assert.match(
        await chat("read_file", { file_path: "lib/gone.ts" }),
        /^Error \(not-found\): lib\/gone\.ts is proposed to be deleted/,
      );
      assert.match(
        await chat("read_file", { file_path: "lib/new.ts" }),
        /^lib\/old\.ts [\s\S]*old\(\);[\s\S]*edit it as lib\/old\.ts/,
      );
      assert.equal(await chat("list_directory", { path: "lib" }), "new.ts");
      assert.equal(
        await chat("search_in_files", { pattern: "(old|gone)\\(", is_regexp: true }),
        "lib/new.ts:1\told();",
      );
      assert.match(await chat("get_file_tree", { path: "lib" }), /new\.ts$/);
      assert.match(await chat("file_stat", { path: "lib/gone.ts" }), /^Error \(not-found\)/);
      assert.match(await chat("file_stat", { path: "lib/new.ts" }), /lib\/old\.ts/);
    }
    for (const input of [
      { from: "lib/new.ts", to: "x.ts" },
      { from: "a.ts", to: "lib/gone.ts" },
    ]) {
      assert.match(
        await others("rename_file", input),
        /is already proposed to be deleted, renamed or replaced/,
      );
    }
  });
});

import assert from "node:assert/strict";
import { proposedWorkspace } from "../../../src/edits/proposedWorkspace.ts";
import { createNodeWorkspace } from "../../../src/node/files/nodeWorkspace.ts";
import type { PendingProposal } from "../../../src/ports/review.ts";
import type { FileRef } from "../../../src/ports/workspace.ts";
import { createSyntax } from "../../../src/syntax/createSyntax.ts";
import { createReadFile } from "../../../src/tools/files/readFile.ts";
import { createSearchInFiles } from "../../../src/tools/search/searchInFiles.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { nodeGrammarSource } from "../../fakes/nodeGrammarSource.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";
import { RecordingReviewer } from "../../fakes/recordingReviewer.ts";
import { type TempFolder, tempFolder } from "../../fakes/tempFolder.ts";

const A = { path: "a.ts", uri: "memory:///a.ts" };
const NEW = { path: "new.ts", uri: "memory:///new.ts" };

const block = (chatId: string) => ({ origin: { chatId, turnId: "turn", callId: "call" }, blockId: "b" });

/** Chat 1 has changed `a.ts` and made `new.ts`. */
const PROPOSALS: readonly PendingProposal[] = [
  { file: A, text: "two();\n", hunks: 1, blocks: [block("chat-1")] },
  { file: NEW, text: "two(new_());\n", hunks: 1, blocks: [block("chat-1")] },
];

class PendingReviewer extends RecordingReviewer {
  override pending({ path }: FileRef): PendingProposal | null {
    return PROPOSALS.find(({ file }) => file.path === path) ?? null;
  }

  override allPending(): readonly PendingProposal[] {
    return PROPOSALS;
  }
}

let folder: TempFolder;

/** What a tool of a chat answers. */
async function ask(chatId: string, create: (workspace: ReturnType<typeof proposedWorkspace>) => Tool, input: unknown): Promise<string> {
  const onDisk = await createNodeWorkspace(folder.root);
  const seen = proposedWorkspace(onDisk, new PendingReviewer(), ({ blocks }) => blocks.some(({ origin }) => origin.chatId === chatId));
  const call = create(seen).prepare(input);
  assert.ok(call.ok);
  const streams = { register: () => ({ dispose() {} }) };
  const result = await call.value.run({ turnId: "t", callId: "c", signal: new AbortController().signal, emit() {}, streams });
  return result.ok ? result.output : `Error: ${result.error.message}`;
}

const syntax = createSyntax(nodeGrammarSource(), new RecordingLogger());
const read = (chatId: string, file_path: string) => ask(chatId, (workspace) => createReadFile(workspace, syntax), { file_path });
const search = (chatId: string, pattern: string) => ask(chatId, createSearchInFiles, { pattern });

describe("a chat's own proposals", () => {
  before(async () => {
    folder = await tempFolder({ [A.path]: "one();\n" });
  });

  after(() => folder.remove());

  it("are what it reads, and it is told how much of it is pending", async () => {
    assert.match(await read("chat-1", A.path), /1\ttwo\(\);[\s\S]*\[The text includes 1 proposed change that/);
    assert.match(await read("chat-1", NEW.path), /1\ttwo\(new_\(\)\);/);
  });

  it("are what it finds", async () => {
    assert.equal(await search("chat-1", "two"), "a.ts:1\ttwo();\nnew.ts:1\ttwo(new_());");
    assert.match(await search("chat-1", "one"), /^No matches/);
  });

  it("are not seen by another chat", async () => {
    assert.match(await read("chat-2", A.path), /1\tone\(\);(?![\s\S]*proposed)/);
    assert.match(await read("chat-2", NEW.path), /^Error: /);
    assert.equal(await search("chat-2", "one"), "a.ts:1\tone();");
  });
});

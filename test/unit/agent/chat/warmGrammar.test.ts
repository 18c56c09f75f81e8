import assert from "node:assert/strict";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import { createSyntax } from "../../../../src/syntax/createSyntax.ts";
import type { Syntax } from "../../../../src/syntax/syntax.ts";
import { nodeGrammarSource } from "../../../fakes/editor/nodeGrammarSource.ts";
import { type ModelServer, startModelServer } from "../../../fakes/model/modelServer.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { openChat } from "./chatHarness.ts";

describe("while the first token is awaited", () => {
  const files = nodeGrammarSource();
  let folder: TempFolder;
  let server: ModelServer;
  let chat: Chat;
  let logger: RecordingLogger;
  let reads: string[];
  /** Settles when everything for a TypeScript file has been asked for. */
  let asked: Promise<void>;
  let syntax: Syntax;
  let release = () => {};

  async function open(activeFile: string | null, broken = false): Promise<void> {
    reads = [];
    logger = new RecordingLogger();
    asked = new Promise((resolve) => {
      const read = async (path: string) => {
        reads.push(path);
        if (
          ["tree-sitter.wasm", "typescript/grammar.wasm", "typescript/symbols.scm"].every((each) =>
            reads.includes(each),
          )
        )
          resolve();
        if (broken) throw new Error(`${path} is missing`);
        return files.read(path);
      };
      syntax = createSyntax({ read }, logger);
    });
    const resume = new Promise<void>((resolve) => {
      release = resolve;
    });
    folder = await tempFolder({ "src/a.ts": "export const a = 1;\n" });
    server = await startModelServer([{ text: "Hello.", stallAfter: 0, resume }]);
    chat = await openChat(server, folder.root, { syntax, activeFile: () => activeFile });
  }

  afterEach(async () => {
    await chat.dispose();
    await server.close();
    await folder.remove();
  });

  it("the grammar of the active file is loaded, and no other", async () => {
    await open("src/a.ts");
    assert.equal(reads.length, 0);
    const turn = chat.send("Say hello");
    await Promise.all([server.request(0), asked]);
    const before = reads.length;
    const document = await syntax.open("typescript", "let a;");
    document?.dispose();
    assert.ok(document);
    assert.equal(reads.length, before);
    assert.deepEqual([...new Set(reads.map((path) => path.split("/")[0]))].sort(), [
      "ecmascript",
      "tree-sitter.wasm",
      "typescript",
    ]);
    assert.ok(!chat.events().some(({ type }) => type === "text-delta"));
    release();
    assert.equal(await turn, "done");
  });

  it("no grammar is loaded without an active file, or for one of an unknown language", async () => {
    for (const activeFile of [null, "notes.xyz"]) {
      await open(activeFile);
      const turn = chat.send("Say hello");
      await server.request(0);
      release();
      assert.equal(await turn, "done");
      assert.deepEqual(reads, []);
      if (activeFile === null) await Promise.all([chat.dispose(), server.close(), folder.remove()]);
    }
  });

  it("a grammar that cannot be loaded is logged and breaks nothing", async () => {
    await open("src/a.ts", true);
    const turn = chat.send("Say hello");
    await Promise.all([server.request(0), asked]);
    release();
    assert.equal(await turn, "done");
    assert.match(logger.errors.join("\n"), /grammar for typescript could not be loaded.*missing/);
  });
});

import * as vscode from "vscode";
import { adoptStorage, removeAdopted } from "../../src/host/storage/adoptStorage.ts";
import { openStorage } from "../../src/host/storage/openStorage.ts";
import { createVscodeSmallFiles } from "../../src/host/storage/vscodeEventLog.ts";
import type { StorageFault } from "../../src/ports/eventLog.ts";
import { ProposalStore } from "../../src/review/storage/proposalStore.ts";
import { ADOPTED, recordName } from "../../src/review/storage/recordNames.ts";
import { hostNamed } from "../fakes/hostNamed.ts";
import { expectEqual } from "./expect.ts";

const logger = { warn: console.log, error: console.log };

suite("what earlier versions stored", () => {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (!first) throw new Error("no folder is open");
  const scratch = vscode.Uri.joinPath(first.uri, "scratch-adopt");
  const at = (...names: readonly string[]) => vscode.Uri.joinPath(scratch, ...names);
  const write = async (text: string, ...names: readonly string[]) =>
    vscode.workspace.fs.writeFile(at(...names), new TextEncoder().encode(text));
  const read = async (...names: readonly string[]) =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(at(...names)));
  const namesIn = async (...names: readonly string[]) =>
    (await vscode.workspace.fs.readDirectory(at(...names))).map(([name]) => name).sort();
  const record = (id: string, begunAt: number) => ({
    id,
    begunAt,
    file: { path: "a.txt", uri: "file:///a.txt" },
    to: null,
    state: "1 1",
    origin: { chatId: "chat-1", turnId: "turn", callId: "call" },
    blockId: id,
  });
  const adopt = (storageUri: vscode.Uri | undefined) =>
    adoptStorage({ storageUri, globalStorageUri: at("global") }, at("new"), (id) =>
      recordName(ADOPTED, id),
    );
  const load = async (window: string) => {
    const fails = () => {
      throw new Error("the storage fails");
    };
    const files = createVscodeSmallFiles(at("new", "proposals"));
    const store = new ProposalStore(files, logger, fails, { host: hostNamed(window) });
    const kept = await store.load();
    expectEqual(store.isOurs, true, `${window} has the proposals`);
    return { store, ids: kept.map(({ id }) => id) };
  };

  setup(async () => {
    const own = ["vs", "-5ab", "ext"];
    await Promise.all([
      write("{}\n", ...own, "chats", "chat-1.jsonl"),
      write("{}", ...own, "chats", "chat-1.claim"),
      write("{}\n", ...own, "chats", "chat-web", "000001.jsonl"),
      write("change\n", ...own, "changes", "chat-1.jsonl"),
      write("png", ...own, "images", "chats", "chat-1", "a.png"),
      write(JSON.stringify(record("one", 1)), ...own, "proposals", "one.json"),
      write(JSON.stringify(record("cut", 2)), ...own, "proposals", "cut.new"),
      write("second\n", "vs", "-5ab-1", "ext", "chats", "chat-2.jsonl"),
      write(JSON.stringify(record("two", 3)), "vs", "-5ab-1", "ext", "proposals", "two.json"),
      write("other\n", "vs", "-5abc", "ext", "chats", "chat-3.jsonl"),
      write("other\n", "vs", "-5ab-2", "ext", "chats", "chat-4.jsonl"),
      write('{"folder":"file:///a"}', "vs", "-5ab", "workspace.json"),
      write('{"folder":"file:///b"}', "vs", "-5ab-2", "workspace.json"),
    ]);
  });

  teardown(() => vscode.workspace.fs.delete(scratch, { recursive: true }));

  test("is adopted from all places of this workspace, once, by any of its hosts", async () => {
    await adopt(at("vs", "-5ab", "ext"));
    expectEqual(
      await namesIn("new", "chats"),
      ["chat-1.jsonl", "chat-2.jsonl", "chat-web"],
      "chats",
    );
    expectEqual(await read("new", "chats", "chat-web", "000001.jsonl"), "{}\n", "segments");
    expectEqual(await read("new", "changes", "chat-1.jsonl"), "change\n", "changes");
    expectEqual(await namesIn("new", "images", "chats", "chat-1"), ["a.png"], "images");
    const started = await load("the first");
    expectEqual(started.ids, ["one", "cut", "two"], "proposals");
    await started.store.keep("one", () => null);
    await started.store.release();
    await adopt(at("vs", "-5ab", "ext"));
    const second = await load("the second");
    expectEqual(second.ids, ["cut", "two"], "proposals after a decision");
    await second.store.release();
    expectEqual(
      await namesIn("vs", "-5ab", "ext", "proposals"),
      ["cut.new", "one.json"],
      "what lay there",
    );
    await vscode.workspace.fs.delete(at("new"), { recursive: true });
    await adopt(at("vs", "-5ab-1", "ext"));
    expectEqual(
      await namesIn("new", "chats"),
      ["chat-1.jsonl", "chat-2.jsonl", "chat-web"],
      "chats that the second host adopts",
    );
    expectEqual((await namesIn("new", "proposals")).length, 3, "proposals that it adopts");
  });

  test("is removed from there at a later start, but for what an old host wrote since", async () => {
    const earlier = { storageUri: at("vs", "-5ab", "ext"), globalStorageUri: at("global") };
    const remove = () => removeAdopted(earlier, at("new"));
    expectEqual(await adopt(earlier.storageUri), false, "adopted before");
    const adoptedAt = (await vscode.workspace.fs.stat(at("new", "adopted.json"))).mtime;
    const own = ["vs", "-5ab", "ext"];
    const changed = [...own, "chats", "chat-web", "000001.jsonl"];
    // A file's time may be as coarse as the disk has it.
    for (let time = adoptedAt; time <= adoptedAt; ) {
      await write("{}\n{}\n", ...changed);
      time = (await vscode.workspace.fs.stat(at(...changed))).mtime;
    }
    expectEqual(await adopt(earlier.storageUri), true, "adopted before");
    await remove();
    expectEqual(await namesIn(...own, "proposals"), [], "proposals");
    expectEqual(await namesIn(...own, "changes"), [], "changes");
    expectEqual(await namesIn(...own, "images", "chats"), [], "images");
    expectEqual(await namesIn(...own, "chats"), ["chat-1.claim", "chat-web"], "chats");
    expectEqual(await namesIn("vs", "-5ab-1", "ext", "chats"), [], "chats of the second host");
    expectEqual(await namesIn("vs", "-5ab-2", "ext", "chats"), ["chat-4.jsonl"], "others' chats");
    expectEqual(
      await namesIn("new", "chats"),
      ["chat-1.jsonl", "chat-2.jsonl", "chat-web"],
      "what was adopted",
    );
    await write("{}\n", ...own, "chats", "chat-9.jsonl");
    await remove();
    expectEqual(
      await namesIn(...own, "chats"),
      ["chat-1.claim", "chat-9.jsonl", "chat-web"],
      "what came after it was removed",
    );
  });

  test("is adopted after an adoption that was cut off, and without a folder open", async () => {
    await write("second\n", "new", "chats", "chat-2.jsonl");
    await write("half", "new", "adopting-1");
    await adopt(at("vs", "-5ab", "ext"));
    expectEqual(await read("new", "chats", "chat-1.jsonl"), "{}\n", "the first chat");
    await vscode.workspace.fs.delete(at("new"), { recursive: true });
    await write("global\n", "global", "chats", "chat-5.jsonl");
    await adopt(undefined);
    expectEqual(await namesIn("new", "chats"), ["chat-5.jsonl"], "chats without a folder open");
  });

  test("is named with a reason where nothing can be written", async () => {
    await write("no folder", "file");
    const faults: StorageFault[] = [];
    const storage = await openStorage(
      { storageUri: at("vs", "-5ab", "ext"), globalStorageUri: at("file") },
      (fault) => void faults.push(fault),
    );
    const [fault] = faults;
    expectEqual(faults.length, 1, "faults");
    expectEqual(fault?.code, "unwritable", "the fault");
    expectEqual(fault?.place.includes("scratch-adopt/file/workspaces"), true, "its place");
    expectEqual((fault?.detail ?? "") !== "", true, "its reason");
    expectEqual(storage.path.startsWith(at("file").path), true, "the place that is tried again");
  });
});

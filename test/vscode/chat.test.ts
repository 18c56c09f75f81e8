import * as vscode from "vscode";
import { Chat } from "../../src/agent/chat/chat.ts";
import { ChangeJournal } from "../../src/edits/history/changeJournal.ts";
import type { GraftApi } from "../../src/host/activate.ts";
import { createVscodeEventLogStorage } from "../../src/host/storage/vscodeEventLog.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import { modelError } from "../../src/model/modelFailure.ts";
import type { Logger } from "../../src/ports/logger.ts";
import { OpenChats } from "../../src/review/chats/openChats.ts";
import { Lease, leaseFiles, machineClock } from "../../src/review/storage/lease.ts";
import { hostNamed } from "../fakes/hostNamed.ts";
import { eventually, expectEqual } from "./expect.ts";
import { folder, writeText } from "./window.ts";

const never = new AbortController().signal;
const silent: Logger = { warn() {}, error() {} };

function extension(): vscode.Extension<GraftApi> {
  const found = vscode.extensions.getExtension<GraftApi>("graft-edits.graft");
  if (!found) throw new Error("the extension is not installed");
  return found;
}

suite("the chat's host", () => {
  const scratch = vscode.Uri.joinPath(folder(), "scratch-chat");
  const at = (...path: string[]) => vscode.Uri.joinPath(scratch, ...path);
  const write = (content: string | Uint8Array, ...path: string[]) =>
    vscode.workspace.fs.writeFile(
      at(...path),
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );

  suiteSetup(async () => {
    await write("export const answer = 42;\n", "plain.ts");
    await write(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0x0d]), "image.png");
    await write(new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x0a]), "latin.txt");
    await write(new Uint8Array(5 * 1024 * 1024 + 1).fill(0x61), "large.txt");
    await write("generated/\n*.log\n!kept.log\n", ".gitignore");
    await write("answer\n", "generated", "hidden.ts");
    await write("answer\n", "hidden.log");
    await write("answer\n", "kept.log");
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(scratch, { recursive: true });
  });

  test("activates and registers every command of package.json", async () => {
    const api = await extension().activate();
    expectEqual(api.version, extension().packageJSON.version, "version");
    const registered = new Set(await vscode.commands.getCommands(true));
    const declared: readonly { command: string; category: string }[] =
      extension().packageJSON.contributes.commands;
    const missing = declared
      .map(({ command }) => command)
      .filter((command) => !registered.has(command));
    expectEqual(missing, [], "commands that are declared and not registered");
    expectEqual([...new Set(declared.map(({ category }) => category))], ["Graft"], "categories");
  });

  test("does not let a workspace choose the endpoint or the model", async () => {
    for (const name of ["baseUrl", "model", "connections"]) {
      const failed = await vscode.workspace
        .getConfiguration("graft")
        .update(name, "https://evil.example/v1", vscode.ConfigurationTarget.Workspace)
        .then(
          () => false,
          () => true,
        );
      expectEqual(failed, true, `refusing graft.${name} in the workspace`);
    }
  });

  suite("Start Edit Mode on File", () => {
    const start = (target: unknown, instruction: string = "Rename answer to result") =>
      vscode.commands.executeCommand<unknown>("graft.startEditMode", target, instruction);

    const targets: readonly (readonly [string, () => unknown, string])[] = [
      ["a folder", () => scratch, "is-directory"],
      ["a missing file", () => at("missing.ts"), "not-found"],
      ["a binary file", () => at("image.png"), "binary"],
      ["a file whose bytes saving would damage", () => at("latin.txt"), "undecoded"],
      ["a file over the limit", () => at("large.txt"), "too-large"],
      [
        "a file beside the workspace",
        () => vscode.Uri.joinPath(folder(), "..", "elsewhere.ts"),
        "outside-workspace",
      ],
      ["a path that climbs out", () => "scratch-chat/../../elsewhere.ts", "outside-workspace"],
      ["an output channel", () => vscode.Uri.parse("output:extension-output-graft"), "not-a-file"],
      ["an unsaved file", () => vscode.Uri.parse("untitled:Untitled-1"), "unsaved-file"],
    ];
    test("refuses what is no text file of the workspace, or an empty instruction, and starts no turn", async () => {
      const chat = await (await extension().activate()).chat();
      const turns = chat.tree.turns.size;
      for (const [what, target, problem] of targets)
        expectEqual(await start(target()), problem, what);
      expectEqual(await start(at("plain.ts"), "  "), "no-instruction", "no instruction");
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await eventually("no editor is active", () => !vscode.window.activeTextEditor);
      expectEqual(await start(undefined), "no-file", "no editor");
      await vscode.window.showTextDocument(
        await vscode.workspace.openTextDocument({ content: "a" }),
      );
      expectEqual(await start(undefined), "unsaved-file", "the unsaved file of the active editor");
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      expectEqual(chat.tree.turns.size, turns, "turns");
      expectEqual(chat.busy, false, "busy");
    });
  });

  suite("the workspace", () => {
    const workspace = new VscodeWorkspace(null);
    const resolve = async (path: string) => {
      const file = await workspace.resolve(path);
      if (!file.ok) throw new Error(file.error.code);
      return file.value;
    };

    test("reads an open document's unsaved text", async () => {
      await writeText(at("unsaved.ts"), "export const other = 42;\n");
      const document = await vscode.workspace.openTextDocument(at("unsaved.ts"));
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), "// unsaved\n");
      await vscode.workspace.applyEdit(edit);
      await eventually("unsaved text", () => document.isDirty);
      const read = await workspace.read(await resolve("scratch-chat/unsaved.ts"), never);
      expectEqual(read.ok && read.value.text, "// unsaved\nexport const other = 42;\n", "text");
      expectEqual(read.ok && read.value.version, document.version, "version");
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      await eventually("the unsaved text is gone", () => document.isClosed || !document.isDirty);
    });

    test("allows edits in another encoding once the editor uses it", async () => {
      const file = await resolve("scratch-chat/latin.txt");
      expectEqual((await workspace.writable(file))?.code, "undecoded", "as UTF-8");
      await vscode.workspace.openTextDocument(at("latin.txt"), { encoding: "iso88591" });
      expectEqual(await workspace.writable(file), null, "as Latin 1");
    });

    test("resolves paths inside alone, lists folders first, and searches files that are not ignored", async () => {
      expectEqual(
        (await resolve(at("plain.ts").path)).path,
        "scratch-chat/plain.ts",
        "absolute path",
      );
      expectEqual(
        (await resolve("./scratch-chat/new.ts")).path,
        "scratch-chat/new.ts",
        "path of a new file",
      );
      for (const path of [
        "..",
        "../other/a.ts",
        "/etc/passwd",
        `${folder().path}-other/a.ts`,
        "a/../../b",
      ]) {
        const file = await workspace.resolve(path);
        expectEqual(file.ok ? file.value.path : file.error.code, "outside-workspace", path);
      }

      const listed = await workspace.list("scratch-chat", never);
      const names = listed.ok ? listed.value.map(({ name, kind }) => `${name} ${kind}`) : [];
      expectEqual(names.slice(0, 2), ["generated directory", ".gitignore file"], "entries");
      const missing = await workspace.list("scratch-chat/none", never);
      expectEqual(missing.ok || missing.error.code, "not-found", "a missing folder");

      const query = {
        pattern: "ANSWER",
        isRegExp: false,
        caseSensitive: false,
        include: "scratch-chat/**",
        limit: 10,
      };
      const found = await workspace.search(query, never);
      if (!found.ok) throw new Error(found.error.code);
      expectEqual(
        found.value.matches.map(({ path, line }) => `${path}:${line}`),
        ["scratch-chat/kept.log:1", "scratch-chat/plain.ts:1"],
        "matches",
      );
    });
  });

  suite("the history", () => {
    test("survives in segments, with the torn line after a crash", async () => {
      const log = createVscodeEventLogStorage(at("logs")).open("chat-1");
      const line = (number: number) => `${number} ${"x".repeat(30_000)}`;
      for (let number = 0; number < 12; number++) await log.append([line(number)]);
      const segments = await vscode.workspace.fs.readDirectory(at("logs", "chat-1"));
      expectEqual(segments.length > 1, true, "several segments");
      const last =
        segments
          .map(([name]) => name)
          .sort()
          .at(-1) ?? "";
      const bytes = await vscode.workspace.fs.readFile(at("logs", "chat-1", last));
      await vscode.workspace.fs.writeFile(
        at("logs", "chat-1", last),
        new Uint8Array([...bytes, 0x7b, 0x22]),
      );
      const reopened = createVscodeEventLogStorage(at("logs")).open("chat-1");
      await reopened.append(["after"]);
      expectEqual(
        await reopened.read(),
        [...Array.from({ length: 12 }, (_, number) => line(number)), '{"', "after"],
        "lines",
      );
    });

    test("restores a failed request and its error after a reload, and is one window's at a time", async () => {
      const storage = createVscodeEventLogStorage(at("chats"));
      const memory = new Map<string, unknown>();
      // A busy machine must not let the first window's claim expire.
      const lease = { clock: { ...machineClock, now: () => 0 } };
      const open = (window: string) =>
        OpenChats.open<Chat>({
          storage,
          asking: () => undefined,
          taken: () => undefined,
          lease: { ...lease, host: hostNamed(window) },
          memory: {
            get: (key) => memory.get(key),
            update: async (key, value) => void memory.set(key, value),
          },
          openChat: (chatId, log) =>
            Chat.open({
              chatId,
              log,
              journal: new ChangeJournal(
                createVscodeEventLogStorage(at("changes")).open(chatId),
                silent,
              ),
              logger: silent,
              workspace: new VscodeWorkspace(null),
              syntax: {
                openFile: async () => null,
                languageOf: () => null,
                open: async () => null,
              },
              reviewer: {
                open() {
                  throw new Error("nothing is reviewed here");
                },
                pending: () => null,
                allPending: () => [],
              },
              approval: { request: async () => ({ allowed: false, by: "user", reason: null }) },
              tools: [],
              connect: async () => ({
                ok: false,
                error: modelError({ code: "no-key" }, { baseUrl: "", model: "" }),
              }),
              maxSteps: () => 1,
              activeFile: () => null,
            }),
        });
      const before = await open("1");
      await before.chat.send("Explain this file");
      const other = { ...lease, host: hostNamed("2") };
      expectEqual(
        await Lease.take(leaseFiles(storage, before.chat.chatId), other),
        null,
        "the lease of the chat in a second window",
      );
      await before.dispose();
      const after = await open("2");
      const turns = [...after.chat.tree.turns.values()];
      expectEqual(
        turns.map((turn) => (turn.role === "user" ? turn.text : turn.error?.code)),
        ["Explain this file", "no-key"],
        "turns",
      );
      await after.dispose();
    });
  });
});

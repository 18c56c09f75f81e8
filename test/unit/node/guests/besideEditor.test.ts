import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import * as path from "node:path";
import type { Disposable } from "../../../../src/base/disposable.ts";
import { processIdentity } from "../../../../src/node/storage/processIdentity.ts";
import { buildCli, type CliBundle } from "../../../fakes/cliBundle.ts";
import { comes } from "../../../fakes/comes.ts";
import { openTestEditor, type TestEditor } from "../../../fakes/guests/testEditor.ts";
import { type GuestClient, startGuest } from "../../../fakes/mcp/guestClient.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const APP = "export function a() {\n  return 1;\n}\n";
const EDIT = { at: "ast-path:a", code: "export function a() {\n  return 2;\n}\n" };

describe("graft mcp beside an editor", () => {
  let cli: CliBundle;
  let folder: TempFolder;
  let home: TempFolder;
  let opened: Disposable[] = [];
  let guests: GuestClient[] = [];
  const formerHome = process.env.HOME;

  before(async () => {
    cli = await buildCli();
  });
  after(() => cli.remove());
  beforeEach(async () => {
    folder = await tempFolder({ "src/app.ts": APP });
    home = await tempFolder();
    process.env.HOME = home.root;
  });
  afterEach(async () => {
    for (const guest of guests) await guest.close();
    for (const each of opened) each.dispose();
    guests = [];
    opened = [];
    if (formerHome === undefined) delete process.env.HOME;
    else process.env.HOME = formerHome;
    await folder.remove();
    await home.remove();
  });

  async function openEditor(
    differences: Parameters<typeof openTestEditor>[1] = {},
  ): Promise<TestEditor> {
    const editor = await openTestEditor(folder.root, differences);
    opened.push(editor);
    return editor;
  }

  async function openGuestProcess(name?: string, ...flags: string[]): Promise<GuestClient> {
    const args = ["--root", folder.root, ...flags];
    const guest = await startGuest(cli.program, args, { HOME: home.root }, name);
    guests.push(guest);
    return guest;
  }

  const app = () => readFile(path.join(folder.root, "src/app.ts"), "utf8");
  const edit = (guest: GuestClient) =>
    guest.call("edit_file", { file_path: "src/app.ts", edits: [EDIT] });
  const read = (guest: GuestClient) => guest.call("read_file", { file_path: "src/app.ts" });
  const locks = () => readdir(path.join(home.root, ".graft/editors"));

  it("proposes there under the agent's name, and reads what is proposed", async () => {
    const editor = await openEditor();
    const guest = await openGuestProcess("claude-code");
    await read(guest);
    const answer = await edit(guest);
    assert.equal(answer.isError, false, answer.text);
    assert.deepEqual(
      answer.edits.map(({ status, warnings }) => ({ status, warnings })),
      [{ status: "pending", warnings: [] }],
    );
    assert.equal(await app(), APP);
    const [proposal] = editor.reviewer.allPending();
    assert.equal(proposal?.text, EDIT.code);
    assert.deepEqual(
      editor.hellos.map(({ name, guest: id }) => [name, id]),
      [["claude-code", proposal?.blocks[0]?.origin.chatId]],
    );
    assert.equal(proposal?.blocks[0]?.origin.agent, "claude-code");
    assert.match((await read(guest)).text, /return 2/);
    assert.match((await guest.call("pending_edits", {})).text, /ast-path:a/);
  });

  it("tells the decisions with the next result, once", async () => {
    const editor = await openEditor();
    const guest = await openGuestProcess();
    await read(guest);
    await edit(guest);
    const [block] = editor.reviewer.allPending()[0]?.blocks ?? [];
    editor.decisions(block?.origin.chatId ?? "").push({
      path: "src/app.ts",
      blocks: [
        {
          blockId: block?.blockId ?? "",
          status: "rejected",
          reason: { code: "rejected-by-user" },
          rejection: "Return 3 instead.",
        },
      ],
      userDiff: null,
    });
    const told = await guest.call("edit_decisions", {});
    assert.deepEqual(
      told.decided.map(({ target, status }) => ({ target, status })),
      [{ target: "ast-path:a", status: "rejected" }],
    );
    assert.match(told.text, /Return 3 instead\./);
    assert.deepEqual((await guest.call("edit_decisions", {})).decided, []);
  });

  it("has the changes of two agents to one file in one proposal, each under its name", async () => {
    const two = `${APP}\nexport function b() {\n  return 1;\n}\n`;
    await folder.write("src/app.ts", two);
    const editor = await openEditor();
    const [first, second] = [await openGuestProcess("first"), await openGuestProcess("second")];
    const change = (guest: GuestClient, name: string, value: number) =>
      guest.call("edit_file", {
        file_path: "src/app.ts",
        edits: [
          {
            at: `ast-path:${name}`,
            code: `export function ${name}() {\n  return ${value};\n}\n`,
          },
        ],
      });
    await read(first);
    await read(second);
    assert.equal((await change(first, "a", 2)).edits[0]?.status, "pending");
    // Of what changed since it was read, nothing is replaced.
    const unseen = await change(second, "a", 3);
    assert.deepEqual(
      unseen.edits.map(({ status, reason }) => [status, reason]),
      [["conflict", "element-changed"]],
      unseen.text,
    );
    assert.equal((await change(second, "b", 4)).edits[0]?.status, "pending");
    assert.match((await read(second)).text, /return 2/);
    assert.equal((await change(second, "a", 3)).edits[0]?.status, "pending");
    const [proposal, ...more] = editor.reviewer.allPending();
    assert.deepEqual(more, []);
    const both = two.replace(/return 1/, "return 3").replace(/return 1/, "return 4");
    assert.equal(proposal?.text, both);
    const authors = proposal.blocks.map(({ origin }) => origin.agent);
    assert.deepEqual(authors, ["first", "second", "second"]);
    assert.equal(await app(), two);
    await editor.decide(() => true);
    assert.equal(await app(), both);
    const toldOf = async (guest: GuestClient) =>
      (await guest.call("edit_decisions", {})).decided.map(
        ({ target, status }) => `${target} ${status}`,
      );
    assert.deepEqual(await toldOf(first), ["ast-path:a applied"]);
    assert.deepEqual(await toldOf(second), ["ast-path:b applied", "ast-path:a applied"]);
  });

  it("keeps what the user writes on the line that an agent wants to change", async () => {
    const editor = await openEditor();
    const guest = await openGuestProcess();
    await read(guest);
    const users = APP.replace("return 1", "return 5");
    await folder.write("src/app.ts", users);
    const late = await edit(guest);
    assert.deepEqual([late.isError, late.edits[0]?.reason], [true, "element-changed"], late.text);
    assert.deepEqual(editor.reviewer.allPending(), []);
    await read(guest);
    assert.equal((await edit(guest)).edits[0]?.status, "pending");
    // Again, before the user decides.
    await folder.write("src/app.ts", APP.replace("return 1", "return 6"));
    await assert.rejects(editor.decide(() => true));
    assert.equal(await app(), APP.replace("return 1", "return 6"));
  });

  it("keeps the changes of an agent that comes back in another version, and takes the new one's", async () => {
    await folder.write("src/b.ts", APP);
    const editor = await openEditor();
    const before = await openGuestProcess("Agent 1");
    await read(before);
    await edit(before);
    await before.close();
    const after = await openGuestProcess("Agent 2");
    assert.match((await read(after)).text, /return 2/);
    assert.match((await after.call("pending_edits", {})).text, /None/);
    await after.call("read_file", { file_path: "src/b.ts" });
    await after.call("edit_file", { file_path: "src/b.ts", edits: [EDIT] });
    const authors = editor.reviewer
      .allPending()
      .map(({ file, blocks: [block] }) => `${file.path} ${block?.origin.agent}`);
    assert.deepEqual(authors, ["src/app.ts Agent 1", "src/b.ts Agent 2"]);
    await editor.decide(() => true);
    assert.equal(await app(), EDIT.code);
    const { decided } = await after.call("edit_decisions", {});
    assert.deepEqual(
      decided.map(({ path: file }) => file),
      ["src/b.ts"],
    );
  });

  it("proposes to delete and rename, and does neither", async () => {
    const editor = await openEditor();
    const guest = await openGuestProcess();
    const moved = await guest.call("rename_file", { from: "src/app.ts", to: "src/main.ts" });
    assert.equal(moved.edits[0]?.status, "pending", moved.text);
    await folder.write("more/b.ts", APP);
    assert.ok((await guest.call("delete_file", { path: "more", recursive: true })).isError);
    assert.equal(await readFile(path.join(folder.root, "more/b.ts"), "utf8"), APP);
    assert.equal(editor.reviewer.operations.pending.length, 1);
    assert.equal(await app(), APP);
  });

  it("changes nothing while the editor is closed or reloaded, and goes on afterwards", async () => {
    const editor = await openEditor();
    const guest = await openGuestProcess();
    await read(guest);
    editor.dispose();
    assert.match((await read(guest)).text, /return 1/);
    const refused = await edit(guest);
    assert.deepEqual([refused.isError, refused.edits], [true, []]);
    assert.ok((await guest.call("delete_file", { path: "src/app.ts" })).isError);
    assert.equal(await app(), APP);
    const again = await openEditor();
    assert.equal((await edit(guest)).edits[0]?.status, "pending");
    assert.equal(again.reviewer.allPending().length, 1);
  });

  it("writes until the folder is opened in an editor, and then says so", async () => {
    const guest = await openGuestProcess();
    await read(guest);
    assert.equal((await edit(guest)).edits[0]?.status, "applied");
    await openEditor();
    assert.match((await read(guest)).text, /^\[The user has opened/);
    assert.doesNotMatch((await read(guest)).text, /^\[/);
  });

  it("does not write beside an editor of another version", async () => {
    const editor = await openEditor();
    const [name = ""] = (await locks()).filter((each) => each.endsWith(".json"));
    const file = path.join(home.root, ".graft/editors", name);
    const lock = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...lock, token: "of another version" }));
    const guest = await openGuestProcess();
    await read(guest);
    assert.ok((await edit(guest)).isError);
    assert.equal(await app(), APP);
    assert.deepEqual(editor.hellos, []);
  });

  it("does not write in a folder of the one that an editor has open", async () => {
    const editor = await openEditor();
    const root = path.join(folder.root, "src");
    const guest = await startGuest(cli.program, ["--root", root], { HOME: home.root });
    guests.push(guest);
    await guest.call("read_file", { file_path: "app.ts" });
    const change = () => guest.call("edit_file", { file_path: "app.ts", edits: [EDIT] });
    assert.ok((await change()).isError);
    assert.equal(await app(), APP);
    editor.dispose();
    assert.equal((await change()).edits[0]?.status, "applied");
  });

  it("never writes with --beside", async () => {
    const guest = await openGuestProcess("x", "--beside");
    await read(guest);
    assert.ok((await edit(guest)).isError);
    assert.equal(await app(), APP);
    await openEditor();
    assert.equal((await edit(guest)).edits[0]?.status, "pending");
  });

  it("finds a dead editor by its process, and forgets it", async () => {
    await openEditor();
    const [name = ""] = (await locks()).filter((each) => each.endsWith(".json"));
    const file = path.join(home.root, ".graft/editors", name);
    const lock = JSON.parse(await readFile(file, "utf8"));
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    const dead = processIdentity().name.replace(/ \d+ (\S+)$/, ` ${child.pid} $1`);
    await writeFile(file, JSON.stringify({ ...lock, process: dead }));
    const guest = await openGuestProcess();
    await read(guest);
    assert.equal((await edit(guest)).edits[0]?.status, "applied");
    assert.deepEqual(await locks(), []);
  });

  it("leaves a lock that nobody answers, and damaged ones", async () => {
    const editor = await openEditor();
    const [name = ""] = (await locks()).filter((each) => each.endsWith(".json"));
    const file = path.join(home.root, ".graft/editors", name);
    const text = await readFile(file, "utf8");
    editor.dispose();
    await writeFile(file, text);
    await writeFile(path.join(home.root, ".graft/editors/damaged.json"), "{");
    const guest = await openGuestProcess();
    await read(guest);
    assert.equal((await edit(guest)).edits[0]?.status, "applied");
  });

  it("goes to the window that has the proposals", async () => {
    const other = await openEditor({ holds: false });
    const holder = await openEditor();
    const another = await openEditor({ holds: false });
    const guest = await openGuestProcess();
    await read(guest);
    await edit(guest);
    assert.equal(holder.reviewer.allPending().length, 1);
    assert.deepEqual([...other.reviewer.allPending(), ...another.reviewer.allPending()], []);
  });

  it("is not kept waiting by a host whose window is gone", async () => {
    const never = new Promise<never>(() => undefined);
    const gone = [await openEditor({ answers: never }), await openEditor({ answers: never })];
    const holder = await openEditor();
    const guest = await openGuestProcess();
    await read(guest);
    assert.equal((await edit(guest)).edits[0]?.status, "pending");
    assert.equal(holder.reviewer.allPending().length, 1);
    for (const { reviewer } of gone) assert.deepEqual(reviewer.allPending(), []);
  });

  it("says that the editor died during a call", async () => {
    const editor = await openEditor({
      calls() {
        editor.dispose();
        return new Promise<never>(() => undefined);
      },
    });
    const guest = await openGuestProcess();
    const lost = await edit(guest);
    assert.deepEqual([lost.isError, lost.error], [true, "execution"]);
    assert.equal((await read(guest)).isError, false);
  });

  it("writes its lock for this user alone, and takes it away", async () => {
    const editor = await openEditor();
    const modes = async (name: string) =>
      (await stat(path.join(home.root, ".graft/editors", name))).mode & 0o777;
    const [lock = ""] = (await locks()).filter((each) => each.endsWith(".json"));
    assert.deepEqual([await modes("."), await modes(lock)], [0o700, 0o600]);
    editor.dispose();
    await comes("the end of its lock", async () => (await locks()).length === 0);
  });

  it("lets nobody in without the token, and takes no rubbish", async () => {
    const editor = await openEditor();
    const [name = ""] = (await locks()).filter((each) => each.endsWith(".json"));
    const lock = JSON.parse(await readFile(path.join(home.root, ".graft/editors", name), "utf8"));
    const hello = {
      ...{ type: "hello", protocol: 1, token: lock.token, guest: "guest-1", name: "x" },
      process: "p",
    };
    for (const first of [
      JSON.stringify({ ...hello, token: "guessed" }),
      JSON.stringify({ ...hello, guest: "../../chat" }),
      JSON.stringify({ ...hello, protocol: 2 }),
      "GET / HTTP/1.1",
      "x".repeat(100_000),
    ]) {
      const socket = connect(lock.address);
      socket.on("error", () => undefined);
      socket.write(`${first}\n`);
      let got = "";
      socket.on("data", (chunk) => {
        got += chunk;
      });
      await new Promise((resolve) => socket.once("close", resolve));
      assert.equal(got, "");
    }
    assert.deepEqual(editor.hellos, []);
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { noLanguageServices, nonInteractiveQuestion } from "../../../src/cli/nonInteractive.ts";
import { createNodeWorkspace } from "../../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../src/node/processes/nodeShell.ts";
import type { DiskGap, SavedFiles } from "../../../src/ports/savedFiles.ts";
import { noProposals } from "../../../src/tools/command/chatProposals.ts";
import { editorTools } from "../../../src/tools/editorTools.ts";
import { type ProcessTools, processTools } from "../../../src/tools/processTools.ts";
import { noSyntax } from "../../fakes/editor/noSyntax.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";
import { type ToolHarness, toolHarness } from "./toolHarness.ts";

const exec = promisify(execFile);

describe("a tool that works on the files on the disk", () => {
  let folder: TempFolder;
  let machine: ProcessTools;
  let tools: ToolHarness;
  /**
   * What the editor has: proposals, accepted texts that are unsaved, files that cannot be saved,
   * and the user's own unsaved files.
   */
  let editor: {
    pending: string[];
    accepted: Map<string, string>;
    readonly: string[];
    typed: string[];
  };

  let saving: () => void;

  const files: SavedFiles = {
    pending: () => editor.pending,
    unsaved: () => editor.typed,
    async saveAccepted() {
      saving();
      const writable = [...editor.accepted].filter(([path]) => !editor.readonly.includes(path));
      for (const [path, text] of writable) {
        await folder.write(path, text);
        editor.accepted.delete(path);
      }
      return { failed: [...editor.accepted.keys()], unsaved: editor.typed };
    },
  };
  const gapOf = async (...call: Parameters<ToolHarness["run"]>): Promise<DiskGap | undefined> =>
    (await tools.run(...call)).gap;
  const readA = {
    command: `${JSON.stringify(process.execPath)} -p "require('node:fs').readFileSync('a.txt','utf8')"`,
  };

  beforeEach(async () => {
    folder = await tempFolder({ "a.txt": "old\n", "b.txt": "old\n" });
    for (const args of [
      ["init", "-q", "-b", "main"],
      ["add", "-A"],
      ["commit", "-q", "-m", "First"],
    ])
      await exec("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
        cwd: folder.root,
      });
    const workspace = await createNodeWorkspace(folder.root);
    machine = processTools({
      workspace,
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
      files,
    });
    const services = {
      ...noLanguageServices,
      diagnostics: async () => ({ ok: true as const, value: [] }),
    };
    const deps = {
      workspace,
      syntax: noSyntax,
      services,
      question: nonInteractiveQuestion,
      editor: null,
      pending: files.pending,
    };
    tools = toolHarness([...machine.of(noProposals), ...editorTools(deps)]);
    editor = { pending: [], accepted: new Map(), readonly: [], typed: [] };
    saving = () => undefined;
  });
  afterEach(async () => {
    await machine.dispose();
    await folder.remove();
  });

  it("sees what the user accepted", async () => {
    editor.accepted.set("a.txt", "accepted\n");
    assert.match(await tools.call("run_command", readA), /^Exit code 0\.\naccepted/);
    editor.accepted.set("b.txt", "accepted\n");
    assert.match(await tools.call("git_diff"), /a\.txt.*\+accepted.*b\.txt.*\+accepted/s);
  });

  it("says what it did not see", async () => {
    editor.pending = ["a.txt"];
    editor.accepted.set("b.txt", "accepted\n");
    editor.readonly = ["b.txt"];
    editor.typed = ["c.txt"];
    const gap: DiskGap = { pending: ["a.txt"], failed: ["b.txt"], unsaved: ["c.txt"] };
    assert.deepEqual(await gapOf("run_command", readA), gap);
    assert.deepEqual(await gapOf("git_status"), gap);
    assert.deepEqual(await gapOf("git_diff"), gap);
    assert.match(await tools.call("git_diff"), /^\[.*a\.txt.*b\.txt.*c\.txt.*\]\nNo differences/);
  });

  it("says it where it fails, too", async () => {
    editor.pending = ["a.txt"];
    const outcome = await tools.run("git_commit", { message: "Second", paths: ["a.txt"] });
    assert.equal(!outcome.ok && outcome.error.code, "git-failed");
    assert.deepEqual(outcome.gap?.pending, ["a.txt"]);
    assert.match(
      await tools.call("git_commit", { message: "Second", paths: ["a.txt"] }),
      /^\[.*a\.txt\.\]\nError/,
    );
  });

  it("says nothing where everything is on the disk, or where the disk does not matter", async () => {
    assert.equal(await gapOf("git_diff"), undefined);
    editor.pending = ["a.txt"];
    assert.equal(await gapOf("git_log"), undefined);
    assert.equal(await gapOf("git_branch", { action: "list" }), undefined);
  });

  it("names the pending files and the user's own unsaved ones in the approval question", async () => {
    const requests = () => tools.events.filter((event) => event.type === "approval-request");
    const asked = () =>
      requests().map(({ pendingFiles, unsavedFiles }) => [pendingFiles, unsavedFiles]);
    await tools.run("run_command", readA);
    editor.pending = ["a.txt", "b.txt"];
    editor.accepted.set("d.txt", "accepted\n");
    editor.typed = ["c.txt"];
    await tools.run("run_command", readA);
    assert.deepEqual(asked(), [
      [undefined, undefined],
      [["a.txt", "b.txt"], ["c.txt"]],
    ]);
  });

  it("does not start where the turn is stopped while files are saved", async () => {
    editor.accepted.set("a.txt", "accepted\n");
    const stop = new AbortController();
    saving = () => stop.abort();
    assert.equal(
      await tools.code("git_commit", { message: "Second", paths: ["a.txt"] }, stop.signal),
      "cancelled",
    );
    await machine.dispose();
    const { stdout } = await exec("git", ["log", "--format=%s"], { cwd: folder.root });
    assert.equal(stdout.trim(), "First");
  });

  it("lets diagnostics name the pending files and saves nothing for them", async () => {
    editor.pending = ["a.txt"];
    editor.accepted.set("b.txt", "accepted\n");
    assert.deepEqual(await gapOf("get_diagnostics"), {
      pending: ["a.txt"],
      failed: [],
      unsaved: [],
    });
    assert.equal(editor.accepted.size, 1);
  });
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { noLanguageServices, nonInteractiveQuestion } from "../../../../src/cli/nonInteractive.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../../src/node/processes/nodeShell.ts";
import { noProposals } from "../../../../src/tools/command/chatProposals.ts";
import { editorTools } from "../../../../src/tools/editorTools.ts";
import { fileTools } from "../../../../src/tools/fileTools.ts";
import { type ProcessTools, processTools } from "../../../../src/tools/processTools.ts";
import { comes } from "../../../fakes/comes.ts";
import { testSyntax as syntax } from "../../../fakes/editor/testSyntax.ts";
import type { ModelHandler } from "../../../fakes/model/modelServer.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { type Git, gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { fileWithText, isRunning, processGone } from "../../tools/processes.ts";
import { chat, chatsIn, folder, lastAnswer, open as serve, server } from "./chatHarness.ts";

describe("turns with tools, in a real folder and a real repository", () => {
  let machine: ProcessTools;
  let git: Git;
  const text = (name: string) => readFile(path.join(folder.root, name), "utf8");

  const numbered = Object.fromEntries(
    ["one", "two", "three", "four", "five"].map((name) => [`${name}.txt`, `file ${name}\n`]),
  );
  chatsIn({ "src/a.ts": "export const a = 1;\n", ...numbered });

  beforeEach(async () => {
    git = await gitRepository(folder.root, "-A");
  });

  afterEach(async () => {
    await machine.dispose();
  });

  async function open(handler: ModelHandler): Promise<void> {
    const workspace = await createNodeWorkspace(folder.root);
    machine = processTools({
      workspace,
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
    });
    const files = fileTools(workspace, await createNodeWorkspaceFiles(folder.root));
    const editor = editorTools({
      workspace,
      syntax,
      services: noLanguageServices,
      question: nonInteractiveQuestion,
      editor: null,
    });
    await serve(handler, { tools: [...files, ...editor, ...machine.of(noProposals)] });
  }

  /** The results that the request with the given number carries at its end, in order. */
  function results(index: number): string[] {
    const messages = server.requests[index]?.body.messages ?? [];
    const last = messages.findLastIndex(({ role }) => role === "assistant");
    return messages.slice(last + 1).map(({ content }) => content ?? "");
  }

  const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });

  it("creates a file and commits it, the second call with the first one's result", async () => {
    await open((_request, index) => {
      if (index === 0)
        return call("create_file", { file_path: "docs/guide.md", content: "# Guide\n" });
      const [, created = ""] = /^(\S+) was written\.$/.exec(results(index)[0] ?? "") ?? [];
      return index === 1
        ? call("git_commit", { message: "Add a guide", paths: [created] })
        : { text: "Committed." };
    });
    assert.equal(await chat.send("Add a guide and commit it."), "done");
    assert.equal(await git("log", "--format=%s"), "Add a guide\nFirst");
    assert.equal(await git("show", "HEAD:docs/guide.md"), "# Guide");
    assert.equal(await git("status", "--short"), "");
    assert.deepEqual(pluck([...lastAnswer().toolCalls.values()], "status"), ["success", "success"]);
  });

  it("recovers from a patch that fails by reading the file again", async () => {
    await open((_request, index) => {
      const file_path = "src/a.ts";
      if (index === 0)
        return call("patch_source_file", {
          file_path,
          edits: [{ search: "export const a = 7;", replace: "export const a = 2;" }],
        });
      if (index === 1) return call("read_file", { file_path });
      const [, line = ""] = /^1\t(.*)$/m.exec(results(2)[0] ?? "") ?? [];
      if (index === 2)
        return call("patch_source_file", {
          file_path,
          edits: [{ search: line, replace: line.replace("1", "2") }],
        });
      return { text: "Done." };
    });
    assert.equal(await chat.send("Make a 2."), "done");
    assert.match(results(1)[0] ?? "", /^Error \(not-found\): conflict/);
    assert.equal(results(3)[0], "File 'src/a.ts' has been updated. It now has 1 line.");
    assert.equal(await text("src/a.ts"), "export const a = 2;\n");
    assert.deepEqual(pluck([...lastAnswer().toolCalls.values()], "status"), [
      "error",
      "success",
      "success",
    ]);
  });

  it("reads five files in one batch, answers in their order, then searches", async () => {
    const names = ["five.txt", "one.txt", "four.txt", "two.txt", "three.txt"];
    await open((_request, index) => {
      if (index === 0)
        return {
          toolCalls: names.map((file_path) => ({ name: "read_file", args: { file_path } })),
        };
      return index === 1
        ? call("search_in_files", { pattern: "file t", include: "*.txt" })
        : { text: "Two of them." };
    });
    assert.equal(await chat.send("Which ones begin with t?"), "done");
    assert.deepEqual(
      results(1).map((result) => result.split(" ")[0]),
      names,
    );
    assert.equal(results(2)[0], "three.txt:1\tfile three\ntwo.txt:1\tfile two");
  });

  it("shares no kept results between two turns", async () => {
    await open((_request, index) => {
      if (index === 0) return call("git_diff", {});
      const [, args = "{}"] = /read_result (\{.*?\}), or/.exec(results(1)[0] ?? "") ?? [];
      return index === 2 ? { toolCalls: [{ name: "read_result", args }] } : { text: "Done." };
    });
    await folder.write("src/a.ts", "export const line = 1;\n".repeat(5_000));
    assert.equal(await chat.send("Show me the changes."), "done");
    assert.match(results(1)[0] ?? "", /Read on with read_result/);
    assert.equal(await chat.send("Go on."), "done");
    assert.match(
      results(3)[0] ?? "",
      /^Error \(not-found\): This turn has no result "r1" that goes beyond \d+\./,
    );
  });

  it("ends a running command's processes when the turn is stopped", async () => {
    await open(() =>
      call("run_command", { command: "sleep 300 & echo $! > pid; echo ready; wait" }),
    );
    const turn = chat.send("Wait.");
    const pid = Number(await fileWithText(path.join(folder.root, "pid")));
    chat.stop();
    assert.equal(await turn, "cancelled");
    await processGone(pid);
    assert.deepEqual(pluck([...lastAnswer().toolCalls.values()], "status"), ["cancelled"]);
  });

  it("continues after a command that takes too long, which a later step can end", async () => {
    const seconds = `300.${process.pid}`;
    await open((_request, index) => {
      if (index === 0)
        return call("run_command", { command: `echo ready; sleep ${seconds}`, timeout_seconds: 1 });
      const [, command_id = ""] = /as (c\d+)\./.exec(results(1)[0] ?? "") ?? [];
      return index === 1 ? call("kill_command", { command_id }) : { text: "It was ended." };
    });
    assert.equal(await chat.send("Start it."), "done");
    assert.match(results(2)[0] ?? "", /^It was ended\./);
    await comes("the end of the command", () => !isRunning("sleep", seconds));
  });
});

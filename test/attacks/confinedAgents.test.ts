import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createPendingReviewer } from "../../src/edits/review/pendingReviewer.ts";
import { startAcpAgent } from "../../src/node/agents/acpAgent.ts";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../src/node/processes/nodeShell.ts";
import type { ApprovalRequest } from "../../src/ports/approval.ts";
import type { ShadowBackendName } from "../../src/ports/commands/shadow.ts";
import { type ProcessTools, processTools } from "../../src/tools/processTools.ts";
import { bundledScript } from "../fakes/bundledScript.ts";
import { gitRepository } from "../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { chat, chatsIn, folder, lastAnswer, open } from "../unit/agent/chat/chatHarness.ts";
import { shadowProblem, shadowsOn } from "../unit/node/shadow/shadowWorkspace.ts";

const HOME = { ".bashrc": "mine\n", ".profile": "mine\n", other: "mine\n", "extra/log": "" };
/** What an agent is for. */
const OWN = [
  "in the workspace",
  "to its maker's folder",
  "where the settings say",
  "to a temporary file",
  "to a device",
];

describe("an agent of another maker that writes outside of the workspace", () => {
  let machine: ProcessTools;
  let home: TempFolder;
  let reviewer: ReturnType<typeof createPendingReviewer>;
  let asked: ApprovalRequest[];
  chatsIn({ "a.txt": "one\n" });

  beforeEach(async () => {
    home = await tempFolder(HOME);
    fs.symlinkSync(home.root, path.join(folder.root, "out"));
    await gitRepository(folder.root, "-A");
  });
  afterEach(async () => {
    await machine?.dispose();
    await home.remove();
  });

  async function send(
    play: string,
    backend: ShadowBackendName,
    sandbox: "auto" | "off" = "auto",
  ): Promise<string> {
    machine = processTools({
      workspace: await createNodeWorkspace(folder.root),
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
      shadows: await shadowsOn(backend, [folder.root]),
      startAgent: startAcpAgent,
      runChoice: () => ({ on: "proposals", sandbox }),
    });
    reviewer = createPendingReviewer();
    asked = [];
    // The maker is known by the program's name.
    const script = path.join(home.root, "extra/gemini.cjs");
    fs.symlinkSync(bundledScript("test/fakes/agents/hostileAgent.ts"), script);
    const agent = {
      ...{ name: "Hostile", command: process.execPath, args: [script], writes: ["~/extra"] },
      env: { PLAY: play, HOME: home.root },
    };
    await open([], {
      reviewer,
      approval: {
        async request(request) {
          asked.push(request);
          return { allowed: true, by: "user" };
        },
      },
      chatAgent: machine.agentOf,
      connect: async () => ({ ok: true, value: { agent } }),
    });
    return chat.send("Please.");
  }

  /** The ways by which it could write. */
  function ways(): readonly string[] {
    const said = lastAnswer().parts.map((part) => (part.type === "text" ? part.text : ""));
    return JSON.parse(said.join(""));
  }
  const isConfined = () => asked.map(({ onProposals }) => onProposals?.isConfined === true);
  const problem = () => {
    const { error } = lastAnswer();
    return error?.code === "agent-failed" && [error.problem, /EACCES/.test(error.detail)];
  };

  for (const backend of ["overlay", "copy"] as const)
    it(`writes only where it may, in a shadow that is a ${backend}`, async function () {
      if ((await shadowProblem(backend)) !== null) return this.skip();
      assert.equal(await send("writes everywhere", backend), "done");
      assert.deepEqual(ways(), OWN);
      assert.deepEqual(isConfined(), [true]);
      assert.deepEqual(
        fs.readdirSync(home.root).sort(),
        [...Object.keys(HOME), ".gemini"].map((each) => each.split("/")[0]).sort(),
      );
      for (const name of [".bashrc", ".profile", "other"])
        assert.equal(fs.readFileSync(path.join(home.root, name), "utf8"), "mine\n", name);
      assert.equal(fs.readFileSync(path.join(home.root, ".gemini/sessions/1"), "utf8"), "begun");
      assert.equal(fs.readFileSync(path.join(folder.root, "a.txt"), "utf8"), "one\n");
      assert.deepEqual(
        reviewer.allPending().map(({ text }) => text),
        ["theirs\n"],
      );
    }).timeout(20_000);

  it("writes everywhere where the user wants no sandbox, and the question says so", async function () {
    if ((await shadowProblem("overlay")) !== null) return this.skip();
    assert.equal(await send("writes everywhere", "overlay", "off"), "done");
    assert.ok(ways().length > OWN.length + 5, ways().join(", "));
    assert.deepEqual(isConfined(), [false]);
  });

  for (const play of ["dies where it may not write", "refuses where it may not write"])
    it(`${play}, and its user is told why`, async function () {
      if ((await shadowProblem("overlay")) !== null) return this.skip();
      assert.equal(await send(play, "overlay"), "error");
      assert.deepEqual(problem(), ["confined", true]);
    });
});

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../src/node/processes/nodeShell.ts";
import type { ShadowBackendName } from "../../src/ports/commands/shadow.ts";
import { runProposalCheck } from "../../src/tools/command/proposalCheck.ts";
import { createGitBranch } from "../../src/tools/git/gitBranch.ts";
import { createGitCommit } from "../../src/tools/git/gitCommit.ts";
import { gitReads } from "../fakes/gitReads.ts";
import { tempFolder } from "../fakes/workspace/tempFolder.ts";
import {
  type ShadowWorkspace,
  shadowProblem,
  shadowWorkspace,
} from "../unit/node/shadow/shadowWorkspace.ts";
import { toolHarness } from "../unit/tools/toolHarness.ts";
import { attacks } from "./attacks.ts";
import { SHAPES, type Shape, touch } from "./strangerShapes.ts";

/** The ways by which Graft starts git. Each gives what it said. */
const WAYS: Readonly<Record<string, (workspace: ShadowWorkspace) => Promise<unknown>>> = {
  async "git's tools and questions"({ root }) {
    const workspace = await createNodeWorkspace(root);
    const git = createNodeGit(async () => ({ folders: [root], opened: null }));
    const tools = toolHarness([
      ...gitReads({ git, workspace }),
      createGitBranch({ git, workspace }),
    ]);
    const commit = createGitCommit({ git, workspace });
    for (const place of [{}, { folder: "sub" }]) {
      await tools.call("git_status", place);
      await tools.call("git_diff", { revision: "HEAD", ...place });
      await tools.call("git_diff", { staged: true, stat_only: true, ...place });
      await tools.call("git_log", { full: true, ...place });
      await tools.call("git_branch", { action: "list", ...place });
      const asked = commit.prepare({ message: "m", ...place });
      if (asked.ok) await asked.value.details?.(new AbortController().signal);
    }
  },
  async "a command on proposals"(workspace) {
    const { root, shadows } = workspace;
    const files = [workspace.proposed("new.txt", "n\n"), workspace.proposed("sub/n.txt", "n\n")];
    const signal = new AbortController().signal;
    const shadow = shadows.of("chat");
    const place = await shadow.enter(files, signal);
    if (!place.ok) return;
    try {
      await shadow.collect(signal);
      // The tools' git, where it sees the proposals.
      const git = createNodeGit(async () => ({ folders: [root], opened: null }));
      const folder = { path: ".", uri: files[0]?.file.uri.replace(/\/new\.txt$/, "") ?? "" };
      for (const args of [
        ["status", "--short"],
        ["diff", "--no-ext-diff", "--no-textconv"],
      ])
        await git.run({ folder, args, place: place.value }, signal);
    } finally {
      await shadow.leave();
    }
    await workspace.run(files, "mkdir -p out sub/out; echo > sub/out/x; echo > y; rm -f b.txt");
  },
  async "a check"({ root, shadows, proposed }) {
    const workspace = await createNodeWorkspace(root);
    const files = {
      pending: () => [],
      unsaved: () => [],
      saveAccepted: async () => ({ unsaved: [], failed: [] }),
    };
    await runProposalCheck(
      { workspace, shell: createNodeShell(), shadows, files },
      {
        ...{ chatId: "check", files: [proposed("new.txt", "n\n")], isSandboxed: false },
        ...{ line: { text: "echo > y", folder: "." }, onOutput: () => undefined },
      },
      new AbortController().signal,
    );
  },
};

async function played(
  shape: Shape,
  backend: ShadowBackendName,
  ways: typeof WAYS,
): Promise<string | null> {
  const beside = await tempFolder();
  const ran = path.join(beside.root, "ran");
  const program = path.join(beside.root, "evil.sh");
  const trace = `#!/bin/sh\necho x >> "${ran}"\nexit 1\n`;
  fs.mkdirSync(path.join(beside.root, "hooks"));
  for (const name of ["evil.sh", "hooks/post-index-change", "hooks/post-checkout"])
    fs.writeFileSync(path.join(beside.root, name), trace, { mode: 0o755 });
  const workspace = await shadowWorkspace({ "a.txt": "a\n" }, backend);
  try {
    const write = (name: string, text: string) => {
      fs.mkdirSync(path.dirname(workspace.at(name)), { recursive: true });
      fs.writeFileSync(workspace.at(name), text, "latin1");
    };
    const scene = { root: workspace.root, program, git: workspace.git, write };
    shape.prepare(scene);
    touch(scene);
    if (shape.control) {
      spawnSync("timeout", ["10", "git", ...shape.control], { cwd: workspace.root });
      if (!fs.existsSync(ran)) throw new Error("plain git does not run the program");
      fs.rmSync(ran);
      touch(scene);
    }
    for (const [name, way] of Object.entries(ways)) {
      await way(workspace);
      if (fs.existsSync(ran)) return `its program ran by ${name}`;
    }
    return null;
  } finally {
    await workspace.remove();
    await beside.remove();
  }
}

const BACKENDS: readonly ShadowBackendName[] = ["overlay", "copy"];

// Each shape is played on one backend and by one way, by turns; in long runs on both and by all.
for (const [turn, backend] of BACKENDS.entries())
  attacks(
    `a stranger's .git, by the ways in which Graft starts git (${backend})`,
    Object.entries(SHAPES).flatMap(([name, shape], at) => {
      const all = Object.entries(WAYS);
      const own = all.filter((_, way) => way === Math.floor(at / 2) % all.length);
      if (!process.env.GRAFT_LONG && at % 2 !== turn) return [];
      const ways = process.env.GRAFT_LONG ? WAYS : Object.fromEntries(own);
      const play = async () =>
        (await shadowProblem(backend)) === null ? played(shape, backend, ways) : null;
      return [{ name, play }];
    }),
  );

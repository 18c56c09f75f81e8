import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { createGitCommit } from "../../../../src/tools/git/gitCommit.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { comes } from "../../../fakes/comes.ts";
import { gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { fileWithText, processGone, processWaits } from "../processes.ts";
import { toolHarness } from "../toolHarness.ts";

const exec = promisify(execFile);

/** A state of a repository, and the paths to commit. */
interface Place {
  readonly name: string;
  readonly paths?: readonly string[];
  /** Creates the state; returns the work tree where it is another one. */
  prepare(at: Repository): Promise<string | undefined>;
}

interface Repository {
  readonly folder: TempFolder;
  git(...args: string[]): Promise<string>;
}

const IDENTITY = [
  "-c",
  "user.name=Test",
  "-c",
  "user.email=test@example.com",
  "-c",
  "protocol.file.allow=always",
];

/** Takes no lock just to look, as VS Code's git does not. */
async function gitIn(cwd: string, ...args: string[]): Promise<string> {
  return (await exec("git", ["--no-optional-locks", ...IDENTITY, ...args], { cwd })).stdout;
}

const places: readonly Place[] = [
  {
    name: "new, changed and deleted files",
    paths: ["new.txt", "a.txt", "sub"],
    async prepare({ folder }) {
      await folder.write("new.txt", "new\n");
      await folder.write("a.txt", "changed\n");
      await rm(path.join(folder.root, "sub/b.txt"));
      return undefined;
    },
  },
  {
    name: "a file that is staged in part, and others that are staged",
    paths: ["a.txt"],
    async prepare({ folder, git }) {
      await folder.write("a.txt", "staged\n");
      await folder.write("other.txt", "other\n");
      await folder.write("meant.txt", "meant\n");
      await git("add", "a.txt", "other.txt");
      await git("add", "--intent-to-add", "meant.txt");
      await folder.write("a.txt", "not staged\n");
      await folder.write("other.txt", "changed again\n");
      return undefined;
    },
  },
  {
    name: "one name of a file that is staged as renamed",
    paths: ["renamed.txt"],
    async prepare({ git }) {
      await git("mv", "a.txt", "renamed.txt");
      return undefined;
    },
  },
  {
    name: "a file renamed on disk only",
    paths: ["a.txt", "moved.txt"],
    async prepare({ folder }) {
      await rename(path.join(folder.root, "a.txt"), path.join(folder.root, "moved.txt"));
      return undefined;
    },
  },
  {
    name: "a file where nothing was ever committed",
    paths: ["new.txt"],
    async prepare({ folder, git }) {
      await git("update-ref", "-d", "HEAD");
      await folder.write("new.txt", "new\n");
      return undefined;
    },
  },
  {
    name: "a file where nothing was ever staged",
    paths: ["new.txt"],
    async prepare({ folder, git }) {
      await git("update-ref", "-d", "HEAD");
      await rm(path.join(folder.root, ".git/index"));
      await folder.write("new.txt", "new\n");
      return undefined;
    },
  },
  {
    name: "a file of a linked work tree",
    paths: ["new.txt", "a.txt"],
    async prepare({ folder, git }) {
      await git("worktree", "add", "-q", "-b", "linked", "linked");
      await folder.write("linked/new.txt", "new\n");
      await folder.write("linked/a.txt", "staged\n");
      await gitIn(path.join(folder.root, "linked"), "add", "a.txt");
      await folder.write("linked/a.txt", "changed\n");
      return "linked";
    },
  },
  {
    name: "a file of a submodule",
    paths: ["new.txt"],
    async prepare({ folder, git }) {
      await git("submodule", "--quiet", "add", folder.root, "module");
      await git(
        "config",
        "-f",
        ".git/modules/module/config",
        "core.hooksPath",
        path.join(folder.root, ".git/hooks"),
      );
      await folder.write("module/new.txt", "new\n");
      await folder.write("module/a.txt", "staged\n");
      await gitIn(path.join(folder.root, "module"), "add", "a.txt");
      return "module";
    },
  },
  {
    name: "a submodule itself",
    paths: ["module"],
    async prepare({ folder, git }) {
      await git("submodule", "--quiet", "add", folder.root, "module");
      await git("commit", "-q", "-m", "Module");
      await gitIn(
        path.join(folder.root, "module"),
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "Inside",
      );
      await folder.write("other.txt", "other\n");
      await git("add", "other.txt");
      return undefined;
    },
  },
  {
    name: "a file with a split index and an untracked cache",
    paths: ["new.txt"],
    async prepare({ folder, git }) {
      await git("config", "core.splitIndex", "true");
      await git("config", "core.untrackedCache", "true");
      await folder.write("other.txt", "other\n");
      await git("add", "other.txt");
      await folder.write("new.txt", "new\n");
      return undefined;
    },
  },
];

describe("git_commit and what is staged", () => {
  let folder: TempFolder;
  let root: string;
  const git = (...args: string[]) => gitIn(folder.root, ...args);

  beforeEach(async () => {
    folder = await tempFolder({ "a.txt": "one\ntwo\n", "sub/b.txt": "b\n" });
    root = folder.root;
    await gitRepository(root, "-A");
  });
  afterEach(() => folder.remove());

  async function hook(name: string, script: string): Promise<void> {
    await mkdir(path.join(folder.root, ".git/hooks"), { recursive: true });
    const file = path.join(folder.root, ".git/hooks", name);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  }

  async function prepare(place: Place): Promise<void> {
    const other = await place.prepare({ folder, git });
    if (other !== undefined) root = path.join(folder.root, other);
    // A submodule needs its own author.
    if (other !== undefined)
      for (const key of ["user.name", "user.email"])
        await gitIn(root, "config", key, "test@example.com");
  }

  /** The index and the work tree as git lists them. */
  async function state(): Promise<string> {
    const [staged, status] = [
      await gitIn(root, "ls-files", "--stage"),
      await gitIn(root, "status", "--porcelain=v2", "--no-renames"),
    ];
    return `${staged}--\n${status}`;
  }

  /** The call has answered, but git, or the clean-up, may still run. */
  async function comesBack(before: string): Promise<void> {
    const data = (await gitIn(root, "rev-parse", "--absolute-git-dir")).trim();
    const isLocked = async () => (await readdir(data)).some((name) => name.endsWith(".lock"));
    await comes(
      "the index as it was, without a lock",
      async () => !(await isLocked()) && (await state()) === before,
    );
  }

  async function commit(
    paths: readonly string[] | undefined,
    signal?: AbortSignal,
  ): Promise<string> {
    const workspace = await createNodeWorkspace(root);
    return toolHarness([
      createGitCommit({
        git: createNodeGit(async () => ({ folders: [root], opened: null })),
        workspace,
      }),
    ]).call("git_commit", { message: "Made", paths }, signal);
  }

  const head = () => gitIn(root, "log", "-1", "--format=%s").catch(() => "");
  /** Where the hooks write, outside of the work tree. */
  const pidFile = () => path.join(folder.root, ".git", "pid");
  const wait = () => `sleep 300 & echo $! > "${pidFile()}"; wait`;

  /** How a commit does not come about. */
  const ends: Readonly<Record<string, (place: Place, before: string) => Promise<void>>> = {
    async refused(place, before) {
      await hook("pre-commit", "echo 'tests failed' >&2; exit 1");
      assert.match(await commit(place.paths), /tests failed/);
      assert.equal(await state(), before, "refused by a hook");
    },
    async stopped(place, before) {
      await hook("pre-commit", wait());
      const stop = new AbortController();
      const stopped = commit(place.paths, stop.signal);
      const pid = Number(await fileWithText(pidFile()));
      stop.abort();
      assert.match(await stopped, /^Error \(cancelled\)/);
      await processGone(pid);
      await comesBack(before);
    },
  };

  for (const [index, place] of places.entries()) {
    // Every place is met, and each end in half of them; `npm run test:all` plays both in all.
    const played = Object.entries(ends).filter(
      (_, at) => at === index % 2 || campaignRuns(1, 2) > 1,
    );
    const names = played.map(([name]) => name).join(" or ");
    it(`${place.name}: keeps the index when ${names}, and commits nothing else`, async () => {
      await prepare(place);
      const before = await state();
      const headBefore = await head();
      for (const [name, end] of played) {
        await end(place, before);
        assert.equal(await head(), headBefore, name);
      }
      await rm(path.join(folder.root, ".git/hooks/pre-commit"));
      const others = (text: string) =>
        text.split("\n").filter((line) => !place.paths?.some((each) => line.includes(each)));
      assert.match(await commit(place.paths), /\] Made/);
      assert.equal(await head(), "Made\n");
      assert.deepEqual(others(await state()), others(before));
      assert.equal(await gitIn(root, "status", "--porcelain", "--", ...(place.paths ?? [])), "");
    });
  }

  it("keeps what is staged when refused or stopped", async () => {
    await folder.write("a.txt", "staged\n");
    await git("add", "a.txt");
    await folder.write("a.txt", "not staged\n");
    const before = await state();
    await hook("pre-commit", "exit 1");
    assert.match(await commit(undefined), /^Error \(execution\)/);
    assert.equal(await state(), before);
    await hook("pre-commit", wait());
    const stop = new AbortController();
    const stopped = commit(undefined, stop.signal);
    await fileWithText(pidFile());
    stop.abort();
    assert.match(await stopped, /^Error \(cancelled\)/);
    await comesBack(before);
  });

  it("keeps the index, and leaves no lock, when stopped while git does not get to run", async () => {
    await folder.write("new.txt", "new\n");
    const before = await state();
    await hook("pre-commit", `trap '' TERM; echo $$ $PPID > "${pidFile()}"; sleep 300`);
    const stop = new AbortController();
    const stopped = commit(["new.txt"], stop.signal);
    const [hookPid = 0, gitPid = 0] = (await fileWithText(pidFile())).split(" ").map(Number);
    // Git's handler of signals may never end where it interrupts more than a wait.
    await processWaits(gitPid);
    process.kill(gitPid, "SIGSTOP");
    stop.abort();
    assert.match(await stopped, /^Error \(cancelled\)/);
    // What ends by force is over then.
    await processGone(hookPid);
    process.kill(gitPid, "SIGCONT");
    await processGone(gitPid);
    await rm(path.join(folder.root, ".git/hooks/pre-commit"));
    await comesBack(before);
    assert.equal(await head(), "First\n");
    assert.match(await commit(["new.txt"]), /\] Made/);
  });

  it("fails while another git has locked the index", async () => {
    await folder.write("new.txt", "new\n");
    const lock = await folder.write(".git/index.lock", "");
    assert.match(await commit(["new.txt"]), /^Error \(execution\): .*index\.lock': File exists/);
    assert.equal(await git("rev-list", "--count", "HEAD"), "1\n");
    await rm(lock);
    assert.match(await commit(["new.txt"]), /\] Made/);
  });

  it("includes what a hook changes and stages, and leaves nothing to commit", async () => {
    await folder.write("new.txt", "new\n");
    await hook("pre-commit", "echo formatted > new.txt; git add new.txt");
    assert.match(await commit(["new.txt"]), /\] Made/);
    assert.equal(await git("show", "HEAD:new.txt"), "formatted\n");
    assert.equal(await git("status", "--porcelain"), "");
  });

  it("leaves nothing staged when the turn is stopped after the commit", async () => {
    await folder.write("new.txt", "new\n");
    await hook("post-commit", wait());
    const stop = new AbortController();
    const stopped = commit(["new.txt"], stop.signal);
    await fileWithText(pidFile());
    stop.abort();
    assert.match(await stopped, /^Error \(cancelled\)/);
    await comes("a clean index", async () => (await git("status", "--porcelain")) === "");
    assert.equal(await head(), "Made\n");
  });

  it("refuses some paths during a merge, and keeps the merge as it is", async () => {
    await git("switch", "-q", "-c", "other");
    await folder.write("a.txt", "theirs\n");
    await git("commit", "-q", "-am", "Theirs");
    await git("switch", "-q", "main");
    await folder.write("a.txt", "ours\n");
    await git("commit", "-q", "-am", "Ours");
    await git("merge", "other").catch(() => undefined);
    await folder.write("new.txt", "new\n");
    const before = await state();
    assert.match(await commit(["new.txt"]), /cannot do a partial commit during a merge/);
    assert.equal(await state(), before);
  });

  it("commits a change of the same length and time, and leaves no temporary files", async () => {
    const temporary = await tempFolder();
    const { TMPDIR } = process.env;
    process.env.TMPDIR = temporary.root;
    try {
      for (const text of ["one\ntwO\n", "onE\ntwo\n", "oNe\ntwo\n"]) {
        await folder.write("a.txt", text);
        assert.match(await commit(["a.txt"]), /\] Made/);
        assert.equal(await git("show", "HEAD:a.txt"), text);
      }
      assert.deepEqual(await readdir(temporary.root), []);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      await temporary.remove();
    }
  });
});

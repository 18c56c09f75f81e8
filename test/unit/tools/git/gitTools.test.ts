import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, rm } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { createGitBranch } from "../../../../src/tools/git/gitBranch.ts";
import { createGitCommit } from "../../../../src/tools/git/gitCommit.ts";
import { gitReads } from "../../../fakes/gitReads.ts";
import { type Git, gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { fileWithText, processGone } from "../processes.ts";
import { type ToolHarness, toolHarness } from "../toolHarness.ts";

async function gitHarness(
  root: string,
  trusted = true,
  opened: readonly string[] | null = null,
): Promise<ToolHarness> {
  const deps = {
    git: createNodeGit(async () => ({ folders: [root], opened })),
    workspace: { ...(await createNodeWorkspace(root)), trusted },
  };
  return toolHarness([...gitReads(deps), createGitCommit(deps), createGitBranch(deps)]);
}

describe("git tools", () => {
  let folder: TempFolder;
  let tools: ToolHarness;
  const call: ToolHarness["call"] = (...args) => tools.call(...args);
  let git: Git;

  beforeEach(async () => {
    folder = await tempFolder({
      "a.txt": "one\ntwo\n",
      "Größe 概要.txt": "x\n",
      "sub/b.txt": "b\n",
    });
    git = await gitRepository(folder.root, "-A");
    tools = await gitHarness(folder.root);
  });
  afterEach(() => folder.remove());

  it("git_status shows the branch and every kind of change, with plain names", async () => {
    assert.equal(await call("git_status"), "## main\nNothing has changed.");
    await folder.write("a.txt", "one\n");
    await folder.write("neu ß.txt", "");
    await rm(path.join(folder.root, "sub/b.txt"));
    await git("add", "a.txt");
    assert.equal(await call("git_status"), '## main\nM  a.txt\n D sub/b.txt\n?? "neu ß.txt"');
  });

  it("git_diff shows unstaged, staged and committed changes, also of some paths", async () => {
    await folder.write("a.txt", "one\nzwei\n");
    await folder.write("Größe 概要.txt", "y\n");
    assert.match(await call("git_diff"), /-two\n\+zwei/);
    const one = await call("git_diff", { paths: ["Größe 概要.txt"] });
    assert.match(one, /Größe 概要\.txt/);
    assert.doesNotMatch(one, /zwei/);
    assert.match(await call("git_diff", { staged: true }), /^No differences\./);
    await git("add", "a.txt");
    assert.match(await call("git_diff", { staged: true }), /\+zwei/);
    assert.match(await call("git_diff", { revision: "HEAD", stat_only: true }), /a\.txt +\| 2 \+-/);
    await git("commit", "-q", "-m", "Second");
    assert.match(await call("git_diff", { revision: "HEAD^!" }), /\+zwei/);
  });

  it("git_log lists commits, also those of one path", async () => {
    await folder.write("sub/b.txt", "c\n");
    await git("commit", "-q", "-am", "Change b\n\nBecause of c.");
    assert.match(
      await call("git_log"),
      /^[0-9a-f]+ \d{4}-\d\d-\d\d Test: Change b \(HEAD -> main\)\n[0-9a-f]+ .* First$/,
    );
    assert.match(await call("git_log", { paths: ["a.txt"] }), /^[^\n]* First$/);
    assert.match(
      await call("git_log", { count: 1, full: true }),
      /Change b.*Because of c\..*sub\/b\.txt/s,
    );
    assert.match(
      await call("git_log", { revision: "nothing" }),
      /^Error \(execution\): .*(unknown|bad) revision/s,
    );
  });

  it("git_commit commits only the named files, including deleted and new ones", async () => {
    await folder.write("a.txt", "changed\n");
    await folder.write("[new] *.txt", "new\n");
    await folder.write("other.txt", "other\n");
    await rm(path.join(folder.root, "sub/b.txt"));
    await git("add", "other.txt");
    const paths = ["a.txt", "[new] *.txt", "sub/b.txt"];
    assert.match(
      await call("git_commit", { message: 'Tidy\n\n- body with "quotes" & $(echo)', paths }),
      /^\[main [0-9a-f]+\] Tidy/,
    );
    assert.equal(await git("log", "-1", "--format=%B"), 'Tidy\n\n- body with "quotes" & $(echo)');
    assert.equal(
      await git("show", "--format=", "--name-status"),
      "A\t[new] *.txt\nM\ta.txt\nD\tsub/b.txt",
    );
    assert.equal(await git("status", "--short"), "A  other.txt");
    assert.match(await call("git_commit", { message: "Other" }), /\] Other/);
    assert.match(
      await call("git_commit", { message: "Again" }),
      /^Error \(execution\): .*nothing to commit/s,
    );
    assert.match(
      await call("git_commit", { message: "Again", paths: ["a.txt"] }),
      /^Error \(execution\): .*nothing to commit/s,
    );
    assert.match(
      await call("git_commit", { message: "Again", paths: ["gone.txt"] }),
      /^Error \(execution\): .*did not match any file/s,
    );
    assert.match(
      await call("git_commit", { message: "Again", paths: ["../x"] }),
      /^Error \(permission\)/,
    );
  });

  it("git_commit runs the hooks and returns their output", async () => {
    const hook = await folder.write(
      ".git/hooks/pre-commit",
      "#!/bin/sh\necho 'tests failed' >&2\nexit 1\n",
    );
    await chmod(hook, 0o755);
    await folder.write("a.txt", "changed\n");
    assert.equal(
      await call("git_commit", { message: "No", paths: ["a.txt"] }),
      "Error (execution): tests failed",
    );
    assert.equal(await git("log", "--format=%s"), "First");
  });

  it("kills a hanging hook with its children when the turn stops", async () => {
    const hook = await folder.write(
      ".git/hooks/pre-commit",
      '#!/bin/sh\nsleep 300 &\necho $! > "$PWD/pid"\nwait\n',
    );
    await chmod(hook, 0o755);
    await folder.write("a.txt", "changed\n");
    const stop = new AbortController();
    const committed = call("git_commit", { message: "No", paths: ["a.txt"] }, stop.signal);
    const pid = await fileWithText(path.join(folder.root, "pid"));
    stop.abort();
    assert.match(await committed, /^Error \(cancelled\)/);
    await processGone(Number(pid));
  });

  it("git_branch lists, creates and switches", async () => {
    assert.match(
      await call("git_branch", { action: "create", name: "feature/ü" }),
      /Switched to a new branch 'feature\/ü'/,
    );
    assert.equal(await git("branch", "--show-current"), "feature/ü");
    assert.match(
      await call("git_branch", { action: "switch", name: "main" }),
      /Switched to branch 'main'/,
    );
    const list = await call("git_branch", { action: "list" });
    assert.match(list, /^\* main [0-9a-f]+ First$/m);
    assert.match(list, /^ {2}feature\/ü/m);
    assert.match(
      await call("git_branch", { action: "switch", name: "gone" }),
      /^Error \(execution\)/,
    );
    assert.match(
      await call("git_branch", { action: "create" }),
      /^Error \(validation\): name must be one name/,
    );
  });

  it("takes no argument of the model as an option", async () => {
    for (const [name, args] of [
      ["git_diff", { revision: "--output=evil" }],
      ["git_log", { revision: "--exec=evil" }],
      ["git_log", { revision: "HEAD --output=evil" }],
      ["git_branch", { action: "switch", name: "-f" }],
      ["git_branch", { action: "create", name: "x", start_point: "--detach" }],
    ] as const) {
      assert.match(await call(name, args), /^Error \(validation\)/, JSON.stringify(args));
    }
    assert.match(await call("git_log", { paths: ["--output=evil"] }), /There are no such commits/);
  });

  it("never runs programs from the repository's settings while it only reads", async () => {
    const script = await folder.write("evil.sh", `#!/bin/sh\ntouch "${folder.root}/ran"\n`);
    await chmod(script, 0o755);
    await git("config", "core.fsmonitor", script);
    await git("config", "diff.external", script);
    await git("config", "core.pager", script);
    await git("config", "diff.x.textconv", script);
    await folder.write(".gitattributes", "*.txt diff=x\n");
    await folder.write("a.txt", "changed\n");
    await call("git_status");
    await call("git_diff");
    await call("git_log");
    await assert.rejects(readFile(path.join(folder.root, "ran")));
  });

  it("reports a missing repository, and does not run in an untrusted workspace", async () => {
    const plain = await tempFolder({ "a.txt": "" });
    try {
      assert.equal(
        await (await gitHarness(plain.root)).call("git_status"),
        "Error (not-found): The workspace is not in a git repository. Go on without git, or ask the user.",
      );
      assert.match(
        await (await gitHarness(folder.root, false)).call("git_status"),
        /^Error \(permission\): .*not trusted/,
      );
    } finally {
      await plain.remove();
    }
  });

  describe("with a submodule", () => {
    const at = (name: string) => path.join(folder.root, name);
    let opened: ToolHarness;

    beforeEach(async () => {
      await folder.write("lib/one/c.txt", "c\n");
      await folder.write("lib/one/deep/d.txt", "d\n");
      await gitRepository(at("lib/one/deep"), "-A");
      await gitRepository(at("lib/one"), "-A");
      await git("add", "lib/one");
      await git("commit", "-q", "-m", "A submodule");
      const known = [folder.root, at("lib/one"), at("lib/one/deep")];
      opened = await gitHarness(folder.root, true, known);
    });

    it("names one that has changes of its own, and the way to see them", async () => {
      const { call } = opened;
      assert.equal(await call("git_status"), "## main\nNothing has changed.");
      assert.match(await call("git_diff"), /^No differences\./);
      await folder.write("lib/one/c.txt", "changed\n");
      assert.match(await call("git_status"), /^## main\n\[.* lib\/one\. .*\]$/);
      assert.match(await call("git_diff"), /^\[.* lib\/one\. .*\]$/);
      assert.match(await call("git_status", { folder: "lib" }), /^## main\n\[.* lib\/one\. .*\]$/);
      assert.match(await call("git_status", { folder: "lib/one" }), /^ M c\.txt$/m);
      assert.match(await call("git_diff", { folder: "lib/one" }), /^\+changed$/m);
      assert.doesNotMatch(await call("git_diff", { staged: true }), /lib\/one/);
      assert.doesNotMatch(await call("git_diff", { paths: ["sub"] }), /lib\/one/);
      assert.match(await call("git_diff", { paths: ["lib"] }), /lib\/one/);
    });

    it("names one in another one, and one with a new file", async () => {
      await folder.write("lib/one/deep/d.txt", "changed\n");
      assert.match(await opened.call("git_status"), /^## main\n\[.* lib\/one\/deep\. .*\]$/);
      await folder.write("lib/one/new.txt", "");
      assert.match(await opened.call("git_status"), /\[.* lib\/one, lib\/one\/deep\. /);
    });

    it("shows a new commit of one, and nothing of one that is gone", async () => {
      await folder.write("lib/one/c.txt", "changed\n");
      await promisify(execFile)("git", ["commit", "-qam", "Second"], { cwd: at("lib/one") });
      assert.equal(await opened.call("git_status"), "## main\n M lib/one");
      assert.match(await opened.call("git_diff"), /^\+Subproject commit /m);
      await rm(at("lib/one"), { recursive: true });
      assert.equal(await opened.call("git_status"), "## main\n D lib/one");
    });

    it("says of one that is not open in the editor that it is not looked into", async () => {
      assert.match(await call("git_status"), /^## main\n\[.* lib\/one\. .*git -C.*\]$/);
      assert.match(await call("git_diff"), /^\[.* lib\/one\. .*git -C.*\]$/);
    });
  });

  it("works in a folder of a larger repository, with paths from there", async () => {
    const inner = await gitHarness(path.join(folder.root, "sub"));
    await folder.write("sub/b.txt", "inner\n");
    await folder.write("a.txt", "outer\n");
    assert.match(await inner.call("git_diff"), /^diff --git a\/b\.txt b\/b\.txt/);
    assert.match(
      await inner.call("git_commit", { message: "Inner", paths: ["b.txt"] }),
      /\] Inner/,
    );
    assert.equal(await git("show", "--format=", "--name-only"), "sub/b.txt");
  });

  it("reads a huge diff in parts", async () => {
    await mkdir(path.join(folder.root, "big"));
    await folder.write(
      "a.txt",
      Array.from({ length: 60_000 }, (_, index) => `line ${index}`).join("\n"),
    );
    const first = await call("git_diff");
    const [, args = ""] = /read_result (\{.*\}), or/.exec(first) ?? [];
    assert.match(await call("read_result", JSON.parse(args)), /^\+line \d+\n/);
  });
});

import { spawnSync } from "node:child_process";
import { chmod, symlink } from "node:fs/promises";
import * as path from "node:path";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createNodeShell } from "../../src/node/processes/nodeShell.ts";
import { CommandJobs } from "../../src/tools/command/commandJobs.ts";
import { pathsRead } from "../../src/tools/permissions/readingCommand.ts";
import { commandTool } from "../fakes/commandTool.ts";
import { tempFolder } from "../fakes/workspace/tempFolder.ts";
import { toolContext } from "../unit/tools/mcp/mcpHarness.ts";
import { attacks } from "./attacks.ts";

/** A workspace with keys, links that lead out of it, and a program that stands in for the system's. */
async function asked(args: Readonly<Record<string, unknown>>, path_?: string) {
  const folder = await tempFolder({
    "a.txt": "one\n",
    ".env": "KEY=secret\n",
    "src/b.txt": "two\n",
    "bin/ls": "#!/bin/sh\necho stranger\n",
    "run.sh": "echo stranger\n",
  });
  const jobs = new CommandJobs(createNodeShell());
  const before = process.env.PATH;
  try {
    await chmod(path.join(folder.root, "bin/ls"), 0o755);
    await symlink("/etc/passwd", path.join(folder.root, "out"));
    await symlink(".env", path.join(folder.root, "plain.txt"));
    await symlink("/etc", path.join(folder.root, "etc"));
    await symlink(".env", path.join(folder.root, "7"));
    for (const blank of ["\r", "\u00a0", "\u3000"])
      await symlink("/etc/passwd", path.join(folder.root, blank));
    if (path_ !== undefined) process.env.PATH = path_.replaceAll("$", folder.root);
    const tool = commandTool(await createNodeWorkspace(folder.root), jobs);
    const prepared = tool.prepare(args);
    if (!prepared.ok) throw new Error(JSON.stringify(prepared.error));
    const details = await prepared.value.details?.(new AbortController().signal);
    const unasked = details?.onlyReads === true;
    const result = unasked ? await prepared.value.run(toolContext()) : null;
    return { unasked, output: result?.ok ? result.output : "" };
  } finally {
    process.env.PATH = before;
    await jobs.dispose();
    await folder.remove();
  }
}

const HOSTILE: readonly (readonly [string, string])[] = [
  ["reads keys", "cat .env"],
  ["reads keys behind a link", "cat plain.txt"],
  ["reads keys by another spelling", "cat ./src/../.env"],
  ["reads a file outside, behind a link", "head -n 1 out"],
  ["reads a folder outside, behind a link", "ls etc"],
  ["reads a file by its absolute path", "cat /etc/passwd"],
  ["reads a file above", "cat ../../etc/passwd"],
  ["reads a file of the home folder", "cat ~/.ssh/id_rsa"],
  ["reads what a pattern names", "cat .e*"],
  ["reads what braces name", "cat {.env,a.txt}"],
  ["reads what a variable names", "cat $HOME/.netrc"],
  ["reads the names of its files from a file", "wc --files0-from=a.txt"],
  ["runs a command in a word", "ls $(touch made)"],
  ...[
    ...["ls && ./run.sh", "ls; ./run.sh", "ls | sh", "ls || ./run.sh", "ls & ./run.sh", "ls |& sh"],
    ...["ls\n./run.sh", "ls && cat .env", "cat a.txt; cat out", "cat < .env", "cat a.txt | cat 7"],
    ...["ls > made", "ls >> made", "echo x > made", "ls 2>made", "ls 2> made", "ls 1>made"],
    ...["ls 2>/dev/null>made", "ls 2>&1>made", "ls 2>&made", "ls &>made", "cd /etc && cat passwd"],
    ...["echo `cat .env`", "echo $HOME", "echo *", "echo x; rm a.txt", "ls &&", "; ls", "ls ;; ls"],
  ].map((command) => ["does more in a line of several", command] as const),
  ["runs a command in backquotes", "ls `touch made`"],
  ["goes on after a semicolon", "ls; touch made"],
  ["goes on after a line", "ls\ntouch made"],
  ["goes on after a carriage return", "ls\rtouch made"],
  ["goes on in the background", "ls & touch made"],
  ["goes on in a pipe", "cat a.txt | sh"],
  ["writes its output", "cat a.txt > made"],
  ["reads from another process", "cat <(touch made)"],
  ["sets a variable first", "LD_PRELOAD=./x.so ls"],
  ["sets the search path first", "PATH=./bin ls"],
  ["names the program by its path", "./bin/ls"],
  ["names another program of that name", "bin/ls a.txt"],
  ["follows a file for ever", "tail -f a.txt"],
  ["follows a file for ever, in old words", "tail +1f a.txt"],
  ["names a link like a number", "cat -n 7"],
  ["names a link like a number, after another option", "wc -c 7"],
  ["lists what links lead to", "ls -RL"],
  ["names a link like a carriage return", "cat \r"],
  ["names a link like a blank", "head -n 1 a.txt \u00a0"],
  ["names a link like a blank, first", "\u3000 cat"],
  ["follows a file for ever, in a longer word", "tail --follow a.txt"],
  ["writes by an option", "tree -o made"],
  ["writes by an option of its own", "file -C -m a.txt"],
  ["starts programs that unpack", "file -z a.txt"],
  ["sets the clock", "date -s 2020-01-01"],
  ["quotes a word", "cat '.env'"],
  ["escapes a letter", "cat .en\\v"],
  ["hides a letter", "cat .e\u200bnv"],
  ["ends its options", "cat -- .env"],
  ["looks for words in all files", "grep -r KEY ."],
  ["finds and runs", "find . -exec sh {} +"],
  ["runs a script", "sh run.sh"],
  ["asks git, which runs programs of the repository", "git log"],
  ["compares folders, keys among them", "diff . src"],
];

attacks(
  "a command that only seems to read",
  HOSTILE.map(([name, command]) => ({
    name,
    play: async () => {
      const { unasked, output } = await asked({ command });
      return unasked ? `it runs unasked: ${output}` : null;
    },
  })),
);

attacks(
  "a command that reads for ever",
  [
    "cat pipe",
    "cat a.txt pipe",
    "wc -l ./pipe",
    "head -n 1 through",
    "tail pipe",
    "md5sum src/../pipe",
    "cat /dev/zero",
    "wc -c //dev/./random",
    "head -n 1 /dev/zero",
  ].map((command) => ({
    name: command,
    async play() {
      const folder = await tempFolder({ "a.txt": "one\n", "src/b.txt": "two\n" });
      const jobs = new CommandJobs(createNodeShell());
      try {
        spawnSync("mkfifo", [path.join(folder.root, "pipe")]);
        await symlink("pipe", path.join(folder.root, "through"));
        const tool = commandTool(await createNodeWorkspace(folder.root), jobs);
        const prepared = tool.prepare({ command, timeout_seconds: 2 });
        if (!prepared.ok) return "the call is no call";
        // As after a question that the user answered with yes, and as in a sandbox.
        const result = await prepared.value.run(toolContext());
        return !result.ok && result.error.code === "not-regular" ? null : "it is not refused";
      } finally {
        await jobs.dispose();
        await folder.remove();
      }
    },
  })),
);

attacks("a link that leads each process elsewhere", [
  ...["self/cwd", "thread-self/cwd", "PID/cwd"].map((way) => ({
    name: `through /proc/${way}`,
    async play() {
      if (process.platform !== "linux") return null;
      const folder = await tempFolder({
        "work/d/notes.txt": "mine\n",
        "work/sub/a.txt": "a\n",
        "private/notes.txt": "secret\n",
      });
      const work = path.join(folder.root, "work");
      const jobs = new CommandJobs(createNodeShell());
      const before = process.cwd();
      try {
        await symlink(`/proc/${way.replace("PID", `${process.pid}`)}/d`, path.join(work, "sub/x"));
        await symlink("../../private", path.join(work, "sub/d"));
        process.chdir(work);
        const tool = commandTool(await createNodeWorkspace(work), jobs);
        const call = tool.prepare({ command: "cat x/notes.txt", working_directory: "sub" });
        if (!call.ok) return "the call is no call";
        const details = await call.value.details?.(new AbortController().signal);
        return details?.onlyReads === true ? "it is read unasked" : null;
      } finally {
        process.chdir(before);
        await jobs.dispose();
        await folder.remove();
      }
    },
  })),
]);

attacks(
  "a program that stands in for the system's",
  ["$/bin:/usr/bin:/bin", "bin:/usr/bin:/bin", ":/usr/bin:/bin", ".:/usr/bin"].map((path_) => ({
    name: `the search path is ${path_}`,
    async play() {
      const folder = path_.startsWith(":") || path_.startsWith(".") ? "bin" : ".";
      const ran = await asked({ command: "ls", working_directory: folder }, path_);
      return ran.unasked && !ran.output.includes("stranger") ? null : ran.output || "it is asked";
    },
  })),
);

describe("a command that only reads", () => {
  for (const [command, paths] of [
    ["ls", []],
    ["ls -la src", ["src"]],
    ["cat a.txt src/b.txt", ["a.txt", "src/b.txt"]],
    ["head -n 20 a.txt", ["a.txt"]],
    ["head -5 a.txt", ["a.txt"]],
    ["tail -c +10 a.txt", ["a.txt"]],
    ["wc -l  a.txt ", ["a.txt"]],
    ["pwd", []],
    ["ls -la src && cat a.txt", ["src", "a.txt"]],
    ["cat a.txt | head -n 2; echo --- .env; wc -l a.txt", ["a.txt", "a.txt"]],
    ["ls src 2>/dev/null || ls lib 2>&1", ["src", "lib"]],
    ["du -sh src", ["src"]],
  ] as const)
    it(`${command} is known`, () => {
      const found = pathsRead(command);
      if (JSON.stringify(found) !== JSON.stringify(paths)) throw new Error(JSON.stringify(found));
    });

  it("runs unasked, on the user's files", async () => {
    const ran = await asked({ command: "cat a.txt src/b.txt" });
    if (!ran.unasked || !ran.output.endsWith("one\ntwo\n")) throw new Error(JSON.stringify(ran));
  });
});

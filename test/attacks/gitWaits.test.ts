import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readlink, rm } from "node:fs/promises";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import { gitRepository } from "../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { attacks } from "./attacks.ts";

/** Where a pipe lies, what makes git look there, and a read that waits for it. */
type Waiting = readonly [place: string, read: string, prepare?: string];

const WAITING: readonly Waiting[] = [
  [".mailmap", "log"],
  ["names", "log", "git config mailmap.file names"],
  ["order", "diff", "git config diff.orderFile order"],
  ["rules", "status", "git config core.excludesFile rules"],
  ["rules", "diff", "git config core.attributesFile rules"],
  // A setting that git does not need, and cannot read as a path.
  ["order", "diff", "git config a.file '~nobody-here/x'; git config diff.orderFile order"],
  ["more", "status", "git config include.path ../more"],
  ["more", "status", 'git config includeIf."gitdir:**".path ../more'],
  [
    "more",
    "status",
    [
      "for n in $(seq 1 60); do",
      'printf "[include]\\npath = ../c%s\\n" $n >> .git/config',
      "> c$n; done",
      'printf "[include]\\npath = more\\n" > c60',
    ].join("\n"),
  ],
  [".git/refs/heads/x/y", "branch -a"],
  [".git/refs/replace/x", "status"],
  [".git/packed-refs", "branch -a"],
  [".git/shallow", "log"],
  [".git/index", "status"],
  [".git/sharedindex.x", "status"],
  [".git/info/grafts", "log"],
  [".git/info/exclude", "status"],
  [".git/info/attributes", "diff"],
  [".git/info/sparse-checkout", "status", "git config core.sparseCheckout true"],
  [".git/objects/ab/cdef", "log"],
  [".git/objects/pack/pack-1.idx", "log"],
  [".git/objects/info/alternates", "log"],
  [".git/objects/info/commit-graph", "log"],
  [".git/objects/info/commit-graphs/commit-graph-chain", "log"],
  [".git/objects/pack/multi-pack-index", "log"],
  [".git/worktrees/x/gitdir", "branch -a"],
  [".git/modules/m/HEAD", "status", "mkdir m; echo 'gitdir: ../.git/modules/m' > m/.git"],
  ["data/HEAD", "status", "mkdir m; echo 'gitdir: ../data' > m/.git"],
  ["nest/.git/HEAD", "status"],
  ["sub/.gitattributes", "diff"],
  ["sub/.gitignore", "status"],
  ["new/.gitignore", "status", "mkdir new; echo n > new/n"],
];
/** Places that git opens only where something leads there, or a file changed as the index did. */
const SOMETIMES = /sharedindex|cdef|pack-1|sparse-checkout/;
const CONTROL_MS = 500;
const SOON_MS = 20_000;

const reading = (read: string) => read.split(" ");

let template: Promise<TempFolder> | null = null;
after(async () => (await template)?.remove());

async function makeTemplate(): Promise<TempFolder> {
  const folder = await tempFolder({ "a.txt": "one\n", "sub/b.txt": "b\n" });
  await gitRepository(folder.root, "-A");
  return folder;
}

async function waitingScene(place: string, prepare: string) {
  template ??= makeTemplate();
  const folder = await tempFolder();
  await cp((await template).root, folder.root, { recursive: true });
  await folder.write("sub/b.txt", "b\nc\n");
  if (prepare !== "true") spawnSync("/bin/sh", ["-c", prepare], { cwd: folder.root });
  const pipe = path.join(folder.root, place);
  await rm(pipe, { recursive: true, force: true });
  await mkdir(path.dirname(pipe), { recursive: true });
  spawnSync("mkfifo", [pipe]);
  return folder;
}

function gitIn(root: string, mostMs = SOON_MS) {
  const git = createNodeGit(async () => ({ folders: [root], opened: null }), undefined, mostMs);
  return (args: readonly string[], signal = new AbortController().signal) =>
    git.run({ folder: { path: ".", uri: pathToFileURL(root).toString() }, args }, signal);
}

/** Processes that still run in a folder. */
async function leftIn(root: string): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")),
  );
  return folders.filter((folder) => folder === root).length;
}

const rows = process.platform === "win32" ? [] : WAITING;

attacks(
  "a pipe in a repository for which git would wait",
  rows.map(([place, read, prepare = "true"]) => ({
    name: `${place}${prepare === "true" ? "" : `, ${prepare.split("\n")[0]}`}`,
    async play() {
      const folder = await waitingScene(place, prepare);
      try {
        const plain = spawnSync("git", reading(read), { cwd: folder.root, timeout: CONTROL_MS });
        if (plain.signal === null && !SOMETIMES.test(place))
          throw new Error("the control does not wait: the attack is no attack");
        const ran = await gitIn(folder.root)(reading(read));
        if (ran.ok) return "git runs on it";
        if (ran.error.code !== "git-waits") return `it says ${ran.error.code}`;
        const named = path.join(folder.root, place);
        return ran.error.path === named ? null : `it names ${ran.error.path}`;
      } finally {
        await folder.remove();
      }
    },
  })),
);

/** Deeper than Graft looks before it asks git: the uppermost folders hide it. */
const DEEP = "many/1/2/sub";
const hidden = `mkdir -p ${DEEP}; cd many; mkdir $(seq 1 1000); cd ..; echo n > ${DEEP}/n`;

attacks("a pipe that is seen only once git waits for it", [
  {
    name: "a read ends, and says what it waited for",
    async play() {
      if (rows.length === 0) return null;
      const folder = await waitingScene(`${DEEP}/.gitignore`, hidden);
      const ran = await gitIn(folder.root, CONTROL_MS)(["status", "-uall"]);
      const left = process.platform === "linux" ? await leftIn(folder.root) : 0;
      await folder.remove();
      if (ran.ok) return "the control does not wait: the attack is no attack";
      if (ran.error.code !== "git-waits") return `it says ${ran.error.code}`;
      return left === 0 ? null : `${left} processes are left`;
    },
  },
  {
    name: "cancelling ends git",
    async play() {
      if (process.platform !== "linux") return null;
      const folder = await waitingScene(`${DEEP}/.gitignore`, hidden);
      const stop = new AbortController();
      const running = gitIn(folder.root)(["status", "-uall"], stop.signal);
      while ((await leftIn(folder.root)) === 0) await new Promise(setImmediate);
      stop.abort();
      const ran = await running;
      const left = await leftIn(folder.root);
      await folder.remove();
      if (ran.ok || ran.error.code !== "stopped") return "it is not stopped";
      return left === 0 ? null : `${left} processes are left`;
    },
  },
]);

attacks("a repository in which only a pipe that is no rule lies", [
  ...[
    ["a setting that leads to nothing", "git config core.hooksPath /dev/null"],
    ["rules that lead to nothing", "ln -sf /dev/null .git/info/exclude"],
    ["a link that goes in circles", "ln -s . .git/loop; ln -s loop .git/loop2"],
    ["hooks elsewhere", "rm -rf .git/hooks; ln -s .. .git/hooks"],
    [
      "a socket of git's monitor",
      `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => ".git/fsmonitor--daemon.ipc", Listen => 1)'`,
    ],
  ].map(([name = "", prepare = ""]) => ({
    name: `${name} is read`,
    async play() {
      if (rows.length === 0) return null;
      const folder = await waitingScene("sub/pipe", prepare);
      const ran = await gitIn(folder.root)(["status", "--porcelain"]);
      await folder.remove();
      return ran.ok && ran.value.stdout.includes("sub/b.txt") ? null : JSON.stringify(ran);
    },
  })),
]);

import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { withDeadline } from "../../src/base/deadline.ts";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { removeTree } from "../../src/node/files/removeTree.ts";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../src/node/processes/nodeShell.ts";
import { programOnPath } from "../../src/node/processes/programOnPath.ts";
import { shadowFolders } from "../../src/node/shadow/shadowFolders.ts";
import { removeLeftRooms } from "../../src/node/shadow/shadowRoom.ts";
import type { ShadowBackendName } from "../../src/ports/commands/shadow.ts";
import { noProposals } from "../../src/tools/command/chatProposals.ts";
import { processTools } from "../../src/tools/processTools.ts";
import { campaignRuns } from "../fakes/campaignRuns.ts";
import { type Git, gitRepository } from "../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { shadowProblem, shadowsOn, shadowWorkspace } from "../unit/node/shadow/shadowWorkspace.ts";
import { toolHarness } from "../unit/tools/toolHarness.ts";
import { type Attack, attacks, inTurn } from "./attacks.ts";

const BACKENDS: readonly ShadowBackendName[] = ["overlay", "copy"];
/** The backends of an attack that is the same in each: by turns, in long runs all. */
const backendsOf = (at: number) => inTurn(BACKENDS, at, campaignRuns(1, BACKENDS.length));
const isRoot = process.getuid?.() === 0;
/** A user that nobody is. */
const OTHER = 12_345;

interface Scene {
  readonly root: string;
  /** The program that leaves the trace. */
  readonly program: string;
  git(...args: string[]): void;
  write(name: string, text: string): string;
}

/** Runs `ls` on a proposal in a hostile repository, and tells whether its program ran meanwhile. */
function duringCommand(
  backend: ShadowBackendName,
  prepare: (scene: Scene) => void,
): Attack["play"] {
  return async () => {
    if ((await shadowProblem(backend)) !== null) return null;
    const beside = await tempFolder();
    const ran = path.join(beside.root, "ran");
    const program = path.join(beside.root, "evil.sh");
    fs.writeFileSync(program, `#!/bin/sh\necho x >> "${ran}"\nexit 1\n`, { mode: 0o755 });
    const workspace = await shadowWorkspace({ "a.txt": "a\n", ".gitignore": "out/\n" }, backend);
    const write = (name: string, text: string) => {
      fs.mkdirSync(path.dirname(workspace.at(name)), { recursive: true });
      fs.writeFileSync(workspace.at(name), text, { mode: 0o755 });
      return workspace.at(name);
    };
    const PATH = process.env.PATH;
    try {
      const { root } = workspace;
      prepare({ root, program, git: (...args) => void workspace.git(...args), write });
      await workspace.run([workspace.proposed("new.txt", "new\n")], "mkdir -p out; ls > out/o");
      return fs.existsSync(ran) ? `the repository's program ran: ${backend}` : null;
    } finally {
      process.env.PATH = PATH;
      await workspace.remove();
      await beside.remove();
    }
  };
}

/** A blob that only the remote has, of a file that git needs to know what is ignored. */
function lacksIgnoreRules({ root, git }: Scene): void {
  git("update-index", "--skip-worktree", ".gitignore");
  fs.rmSync(path.join(root, ".gitignore"));
  const { stdout } = spawnSync("git", ["rev-parse", ":.gitignore"], {
    cwd: root,
    encoding: "utf8",
  });
  fs.rmSync(path.join(root, ".git/objects", stdout.slice(0, 2), stdout.slice(2).trim()));
  git("config", "core.repositoryformatversion", "1");
  git("config", "extensions.partialClone", "origin");
  git("config", "remote.origin.promisor", "true");
}

const FETCHES: Readonly<Record<string, (scene: Scene) => void>> = {
  "a remote helper": ({ git, program }) => {
    git("config", "remote.origin.url", `ext::sh -c ${program}`);
    git("config", "protocol.ext.allow", "always");
  },
  "an SSH command": ({ git, program }) => {
    git("config", "remote.origin.url", "ssh://a@b/c");
    git("config", "core.sshCommand", program);
  },
  "a program for uploads": ({ git, program, root }) => {
    git("config", "remote.origin.url", root);
    git("config", "remote.origin.uploadpack", program);
  },
  "another address": ({ git, program }) => {
    git("config", "remote.origin.url", "https://a.b/c");
    git("config", `url.ext::sh -c ${program} #.insteadOf`, "https://a.b/c");
    git("config", "protocol.ext.allow", "always");
  },
};

attacks(
  "a repository whose missing files are fetched by a program",
  Object.entries(FETCHES).flatMap(([name, prepare], at) =>
    backendsOf(at).map((backend) => ({
      name: `names ${name}, ${backend}`,
      play: duringCommand(backend, (scene) => {
        lacksIgnoreRules(scene);
        prepare(scene);
      }),
    })),
  ),
);

const PROGRAMS = ["mount", "cat", "git", "sh", "unshare", "nsenter", "setpriv", "perl", "true"];
const PLACES: Readonly<Record<string, (root: string) => string>> = {
  "a relative folder": () => "./node_modules/.bin",
  "an absolute folder": (root) => path.join(root, "node_modules/.bin"),
  "the folder itself": (root) => root,
};

attacks(
  "programs that a repository brings along, with its folder in the PATH",
  Object.entries(PLACES).flatMap(([name, place], at) =>
    backendsOf(at).map((backend) => ({
      name: `in ${name}, ${backend}`,
      play: duringCommand(backend, ({ root, program, write }) => {
        const text = fs.readFileSync(program, "utf8");
        for (const each of PROGRAMS)
          write(path.join(path.relative(root, path.resolve(root, place(root))), each), text);
        process.env.PATH = `${place(root)}:${process.env.PATH}`;
      }),
    })),
  ),
);

attacks("a program that another user put on the PATH", [
  ...(["file", "folder"] as const).map((what) => ({
    name: `owns the ${what}`,
    play: isRoot
      ? () =>
          foundOfOthers((place) =>
            fs.chownSync(what === "file" ? `${place}/git` : place, OTHER, OTHER),
          )
      : () => null,
  })),
  ...(["file", "folder"] as const).map((what) => ({
    name: `may write the ${what}`,
    play: () =>
      foundOfOthers((place) => fs.chmodSync(what === "file" ? `${place}/git` : place, 0o777)),
  })),
]);

async function foundOfOthers(prepare: (place: string) => void): Promise<string | null> {
  const folder = await tempFolder({ "bin/git": "#!/bin/sh\n" });
  const bin = path.join(folder.root, "bin");
  fs.chmodSync(path.join(bin, "git"), 0o755);
  prepare(bin);
  const PATH = process.env.PATH;
  process.env.PATH = `${bin}:${PATH}`;
  try {
    const found = await programOnPath("git");
    return found?.startsWith(bin) ? `${found} would run` : null;
  } finally {
    process.env.PATH = PATH;
    await folder.remove();
  }
}

/** A name that a room of a process that is gone would have. */
function leftRoomName(): string {
  const namespace = /\d+/.exec(fs.readlinkSync("/proc/self/ns/pid"))?.[0];
  const gone = spawnSync("true").pid;
  return `graft-shadow-${namespace}-${gone}-x`;
}

async function inSharedPlace(
  prepare: (place: string, kept: string) => string,
): Promise<string | null> {
  if (process.platform !== "linux" || !isRoot) return null;
  const [shared, user] = [await tempFolder(), await tempFolder({ "kept/a.txt": "a\n" })];
  const kept = path.join(user.root, "kept");
  const before = process.env.TMPDIR;
  process.env.TMPDIR = shared.root;
  try {
    fs.chmodSync(shared.root, 0o1777);
    const planted = prepare(shared.root, kept);
    await removeLeftRooms();
    if (!fs.existsSync(path.join(kept, "a.txt"))) return "a file of the user is gone";
    return fs.existsSync(planted) ? null : "what is not Graft's was removed";
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await shared.remove();
    await user.remove();
  }
}

/** What is planted is another user's. */
function plant(place: string, name: string, kept: string): string {
  const room = path.join(place, name);
  fs.mkdirSync(room, { recursive: true });
  fs.symlinkSync(kept, path.join(room, "layer"));
  fs.mkdirSync(path.join(room, "own"));
  for (const each of [room, path.join(room, "own")]) fs.chownSync(each, OTHER, OTHER);
  return room;
}

attacks("another user of the machine, in the shared temporary folder", [
  {
    name: "makes a room with a link to the user's files",
    play: () => inSharedPlace((place, kept) => plant(place, leftRoomName(), kept)),
  },
  {
    name: "makes the folder for rooms before the user does",
    play: () =>
      inSharedPlace((place, kept) => {
        const rooms = path.join(place, `graft-shadows-${process.getuid?.()}`);
        const planted = plant(rooms, leftRoomName(), kept);
        fs.chownSync(rooms, OTHER, OTHER);
        return planted;
      }),
  },
  {
    name: "lets a link stand in for the folder for rooms",
    play: () =>
      inSharedPlace((place, kept) => {
        const planted = plant(path.join(place, "away"), leftRoomName(), kept);
        const rooms = path.join(place, `graft-shadows-${process.getuid?.()}`);
        fs.symlinkSync(path.join(place, "away"), rooms);
        fs.lchownSync(rooms, OTHER, OTHER);
        return planted;
      }),
  },
  {
    name: "makes the folder for rooms, so that nothing may be written there",
    async play() {
      if (!isRoot) return null;
      const shared: TempFolder = await tempFolder();
      const rooms = path.join(shared.root, `graft-shadows-${process.getuid?.()}`);
      fs.mkdirSync(rooms);
      fs.chmodSync(rooms, 0o777);
      fs.chownSync(rooms, OTHER, OTHER);
      const before = process.env.TMPDIR;
      process.env.TMPDIR = shared.root;
      const shadows = await shadowsOn(null, []);
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      const written = fs.readdirSync(rooms);
      await shadows.dispose();
      await shared.remove();
      return written.length > 0 ? `${written} was made there` : null;
    },
  },
]);

/** Puts a link to the user's files in the place of a folder as soon as its first file is removed. */
const SWAP = `
const fs = require("node:fs");
const [place, kept] = process.argv.slice(1);
const files = () => fs.readdirSync(place, { recursive: true }).length;
const before = files();
console.log("begun");
while (files() === before);
fs.renameSync(place, place + "-away");
fs.symlinkSync(kept, place);`;

const FILES = 2_000;

/** Empty files in twenty folders. */
function fill(root: string): void {
  for (let folder = 0; folder < 20; folder++)
    fs.mkdirSync(path.join(root, `${folder}`), { recursive: true });
  for (let file = 0; file < FILES; file++)
    fs.writeFileSync(path.join(root, `${file % 20}/${file}`), "");
}

attacks("a folder that becomes a link while it is removed", [
  ...Array.from({ length: campaignRuns(3, 30) }, (_, at) => ({
    name: `once its first file is gone, ${at + 1}`,
    async play() {
      const [shadow, user] = [await tempFolder(), await tempFolder()];
      const tree = path.join(shadow.root, "tree");
      const place = path.join(tree, "a/b");
      for (const root of [place, user.root]) fill(root);
      const swapping = spawn(process.execPath, ["-e", SWAP, place, user.root]);
      await new Promise((begun) => swapping.stdout.once("data", begun));
      await removeTree(tree);
      swapping.kill("SIGKILL");
      const left = fs.readdirSync(user.root, { recursive: true }).length;
      await shadow.remove();
      await user.remove();
      return left === FILES + 20 ? null : `${FILES + 20 - left} files of the user are gone`;
    },
  })),
]);

/** Puts links to the user's own folder in the place of the shadow's, and takes them away, for ever. */
const SWAPPING = `$| = 1; print "begun";
for (;;) { rename "src", "away"; symlink $ARGV[0], "src"; unlink "src"; rename "away", "src" }`;

attacks("a background command that swaps a folder for a link while Graft writes there", [
  ...BACKENDS.map((backend) => ({
    name: `in the ${backend}`,
    async play() {
      if ((await shadowProblem(backend)) !== null) return null;
      const names = Array.from({ length: 30 }, (_, at) => `src/${at}.txt`);
      const files = Object.fromEntries(names.map((name) => [name, `${name}\n`]));
      const workspace = await shadowWorkspace(files, backend);
      const outside = await tempFolder(Object.fromEntries(names.map((name) => [name, "mine\n"])));
      const link = backend === "copy" ? workspace.at("src") : path.join(outside.root, "src");
      const shadow = workspace.shadows.of("chat");
      const signal = AbortSignal.timeout(60_000);
      const place = await shadow.enter([], signal);
      if (!place.ok) return `no shadow: ${place.error.code}`;
      const perl = { file: "/usr/bin/perl", args: ["-e", SWAPPING, link], cwd: workspace.root };
      const { file, args, cwd } = place.value.enter(perl);
      const swapping = spawn(file, args, { cwd });
      const before = [workspace.snapshot(), treeOf(outside.root)];
      try {
        await new Promise((begun) => swapping.stdout.once("data", begun));
        for (let at = 0; at < campaignRuns(20, 200); at++) {
          const proposed = names.map((name, file) =>
            workspace.proposed(name, (at + file) % 3 === 0 ? null : `${at}\n`),
          );
          const entered = await shadow.enter(proposed, signal);
          await shadow.collect(signal);
          if (entered.ok) await shadow.leave();
        }
        const after = [workspace.snapshot(), treeOf(outside.root)];
        const changed = before.flatMap((tree, at) =>
          Object.keys({ ...tree, ...after[at] }).filter((name) => tree[name] !== after[at]?.[name]),
        );
        return changed.length === 0
          ? null
          : `changed: ${changed.map((n) => `${n}: ${before[0]?.[n]} > ${after[0]?.[n]}`).join(", ")}`;
      } finally {
        swapping.kill("SIGKILL");
        await shadow.leave();
        await workspace.remove();
        await outside.remove();
      }
    },
  })),
]);

function treeOf(root: string): Readonly<Record<string, string>> {
  const names = fs.readdirSync(root, { recursive: true, encoding: "utf8" });
  const textOf = (name: string) =>
    fs.lstatSync(path.join(root, name)).isFile()
      ? fs.readFileSync(path.join(root, name), "latin1")
      : "";
  return Object.fromEntries(names.map((name) => [name, textOf(name)]));
}

/** Where git would wait for a pipe. The repository is that of the workspace, or one in `sub`. */
const PIPES: Readonly<Record<string, string>> = {
  "rules of a folder": "q/.gitignore",
  "rules of the repository": ".gitignore",
  "its own rules": ".git/info/exclude",
  "its index": ".git/index",
  "its settings": ".git/config",
  "its HEAD": ".git/HEAD",
  "its common folder": ".git/commondir",
  "a branch of it": ".git/refs/heads/x",
  "its list of commits": ".git/objects/info/commit-graph",
  "a link among its data": ".git/info/attributes",
  "included settings": "more",
  "further rules": "rules",
  "a nested repository's settings": "sub/.git/config",
  "a nested repository's pointer": "sub/.git",
};
const NAMING_PIPE: Readonly<Record<string, string>> = {
  more: 'git config include.path "$PWD/more"',
  rules: 'git config core.excludesFile "$PWD/rules"',
  "sub/.git/config": "git init -q sub",
};
/** A link is followed as git sees it, not as this process does. */
const MAKING_PIPE: Readonly<Record<string, string>> = {
  ".git/info/attributes": 'mkfifo out; ln -s "$PWD/out" .git/info/attributes',
};
const pipeAt = (place: string) =>
  [
    `rm -rf ${place.startsWith("sub") ? "sub" : "q"}; mkdir -p q sub; echo x > sub/new.txt`,
    `${NAMING_PIPE[place] ?? "true"}; rm -f ${place}; ${MAKING_PIPE[place] ?? `mkfifo ${place}`}; echo x > q/new.txt`,
  ].join("; ");
const SOON_MS = 30_000;

async function soon<T>(work: Promise<T>): Promise<T | null> {
  const ended = await withDeadline(new AbortController().signal, SOON_MS, () => work);
  return ended.ok ? ended.value : null;
}

attacks("a pipe for which git would wait", [
  ...Object.entries(PIPES).flatMap(([name, place], at) =>
    backendsOf(at).flatMap((backend) => [
      {
        name: `${name}, left by a command, ${backend}`,
        async play() {
          if ((await shadowProblem(backend)) !== null) return null;
          const workspace = await shadowWorkspace({ "a.txt": "a\n" }, backend);
          const ran = await soon(workspace.run([], pipeAt(place)));
          if (ran === null) return "it hangs";
          const next = await soon(workspace.run([], "echo y > b.txt"));
          await workspace.remove();
          if (ran.problem?.code !== "git-waits") return `it is not told: ${JSON.stringify(ran)}`;
          if (ran.problem.path !== workspace.at(place)) return `it names ${ran.problem.path}`;
          return next?.changes.length === 1 ? null : "the next command proposes nothing";
        },
      },
      {
        name: `${name}, in the user's files, ${backend}`,
        async play() {
          if ((await shadowProblem(backend)) !== null || place.includes("/") === false) return null;
          if (place === "q/.gitignore" || place.startsWith("sub")) return null;
          const workspace = await shadowWorkspace({ "a.txt": "a\n" }, backend);
          spawnSync("/bin/sh", ["-c", pipeAt(place)], { cwd: workspace.root });
          const never = new AbortController().signal;
          const entered = await soon(workspace.shadows.of("chat").enter([], never));
          await workspace.remove();
          if (entered === null) return "it hangs";
          // A copy has no pipes.
          if (entered.ok) return backend === "copy" ? null : "a command runs on it";
          if (entered.error.code !== "git-waits") return `it says ${entered.error.code}`;
          return entered.error.path === workspace.at(place) ? null : (entered.error.path ?? "");
        },
      },
    ]),
  ),
]);

/** How a repository that a command made asks git for the lines of a key. */
const GUESSING: Readonly<Record<string, (key: string) => string>> = {
  "its settings name": (key) => `git config core.excludesFile "${key}"`,
  "settings that it includes name": (key) =>
    `git config include.path more; git config -f .git/more core.excludesFile "${key}"`,
  "its own rules lead to": (key) => `ln -sf "${key}" .git/info/exclude`,
};

attacks("a key whose lines a command guesses by what git ignores", [
  ...Object.entries(GUESSING).flatMap(([name, guess], at) =>
    backendsOf(at).map((backend) => ({
      name: `${name}, ${backend}`,
      async play() {
        if ((await shadowProblem(backend)) !== null) return null;
        const workspace = await shadowWorkspace({ "a.txt": "a\n" }, backend);
        const outside = await tempFolder({ id_rsa: "guessed\n" });
        const make = guess(path.join(outside.root, "id_rsa"));
        const ran = await workspace.run(
          [],
          `git init -q sub && cd sub && ${make}; echo x > guessed; echo x > wrong`,
        );
        await workspace.remove();
        await outside.remove();
        if (ran.problem) return `it ends with ${ran.problem.code}`;
        return ran.ignored.length === 0 ? null : "the line is told";
      },
    })),
  ),
]);

/** Its own settings are out of a sandbox's reach. */
const OTHER_SETTINGS = [
  "cp -r .git .other; rm .other/config; echo ../.other > .git/commondir",
  "git config -f .other/config core.bare false",
  'git config -f .other/config filter.x.clean "touch OUTSIDE; cat"',
  'echo "* filter=x" > .gitattributes; touch -d 2001-01-01 a.txt b.txt',
].join("; ");

attacks("a command in the sandbox that goes on while git is asked", [
  {
    name: "gives git a program to run",
    async play() {
      const [folder, outside] = [
        await tempFolder({ "a.txt": "a\n", "b.txt": "b\n" }),
        await tempFolder({}, "/var/tmp"),
      ];
      const ran = path.join(outside.root, "ran");
      await gitRepository(folder.root, "-A");
      const shadows = await shadowsOn("overlay", [folder.root]);
      const workspace = await createNodeWorkspace(folder.root);
      const file = { path: "a.txt", uri: pathToFileURL(path.join(folder.root, "a.txt")).href };
      const machine = processTools({
        ...{ workspace, shell: createNodeShell(), shadows },
        git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
        runChoice: () => ({ on: "proposals", sandbox: "auto" }),
      });
      try {
        if ((await shadows.sandboxProblem()) !== null) return null;
        const tools = toolHarness(
          machine.of({
            ...noProposals,
            ...{ chatId: "chat", paths: () => ["a.txt"] },
            files: () => [{ file, text: "proposed\n" }],
          }),
        );
        const change = OTHER_SETTINGS.replace("OUTSIDE", ran);
        const command = `${change}; git status > said 2>&1; cat said; sleep 60`;
        const result = await tools.call("run_command", { command, timeout_seconds: 3 });
        // In the sandbox it runs, and changes nothing.
        if (!/touch: .*ran/.test(result)) throw new Error(`it is no attack: ${result}`);
        const said = [await tools.call("git_status"), await tools.call("git_diff")].join("\n");
        if (fs.existsSync(ran)) return "git ran it outside of the sandbox";
        return said.includes("+proposed") ? null : `git does not see what is proposed: ${said}`;
      } finally {
        await machine.dispose();
        await folder.remove();
        await outside.remove();
      }
    },
  },
]);

/** Files with a repository's settings that the model can propose to change. */
const SETTINGS: Readonly<Record<string, (root: string, git: Git) => Promise<unknown>>> = {
  "data/config": async (root, git) => {
    await git("config", "core.worktree", "..");
    fs.renameSync(path.join(root, ".git"), path.join(root, "data"));
    fs.writeFileSync(path.join(root, ".git"), "gitdir: data\n");
  },
  "team.gitconfig": async (root, git) => {
    await git("config", "include.path", "../team.gitconfig");
    fs.writeFileSync(path.join(root, "team.gitconfig"), "");
  },
};

attacks("a proposal for a repository's settings that do not lie in its .git", [
  ...Object.entries(SETTINGS).flatMap(([name, prepare]) =>
    BACKENDS.map((backend) => ({
      name: `gives git a program to run: ${name}, ${backend}`,
      async play() {
        if ((await shadowProblem(backend)) !== null) return null;
        const folder = await tempFolder({ "a.txt": "a\n" });
        const [root, outside] = [fs.realpathSync(folder.root), await tempFolder()];
        const ran = path.join(outside.root, "ran");
        const git = await gitRepository(root, "-A");
        await prepare(root, git);
        fs.writeFileSync(path.join(root, ".gitattributes"), "* filter=x\n");
        const before = fs.readFileSync(path.join(root, name), "utf8");
        const settings = `${before}[filter "x"]\nclean = touch ${ran}\n`;
        const proposed = { "a.txt": "b\n", [name]: settings };
        const shadows = await shadowsOn(backend, [root]);
        const machine = processTools({
          ...{ workspace: await createNodeWorkspace(root), shell: createNodeShell(), shadows },
          git: createNodeGit(async () => ({ folders: [root], opened: null })),
        });
        const files = Object.entries(proposed).map(([name, text]) => ({
          ...{ file: { path: name, uri: pathToFileURL(path.join(root, name)).href }, text },
        }));
        try {
          const own = { chatId: "chat", paths: () => Object.keys(proposed), files: () => files };
          const tools = toolHarness(machine.of({ ...noProposals, ...own }));
          await tools.call("git_status");
          await tools.call("git_diff");
          return fs.existsSync(ran) ? "git ran it" : null;
        } finally {
          await machine.dispose();
          await folder.remove();
          await outside.remove();
        }
      },
    })),
  ),
]);

attacks("what a command leaves, which Graft would read for days", [
  ...BACKENDS.map((backend) => ({
    name: `a file that is larger than the disk, ${backend}`,
    async play() {
      if ((await shadowProblem(backend)) !== null) return null;
      const workspace = await shadowWorkspace({ "a.txt": "a\n" }, backend);
      const ran = workspace.run([], "truncate -s 4T huge").then(() => workspace.run([], "true"));
      const ended = await soon(ran);
      if (ended !== null) await workspace.remove();
      return ended === null ? "it hangs" : null;
    },
  })),
]);

attacks("another user's repository in a folder above", [
  ...(["its folder", "its .git"] as const).map((what) => ({
    name: `owns ${what}`,
    async play() {
      if (!isRoot) return null;
      const folder = await tempFolder({
        "above/.git/HEAD": "ref: refs/heads/main\n",
        "above/work/a": "",
      });
      const above = path.join(folder.root, "above");
      fs.chownSync(what === "its folder" ? above : path.join(above, ".git"), OTHER, OTHER);
      const { folders } = await shadowFolders([path.join(above, "work")]);
      const real = fs.realpathSync(path.join(above, "work"));
      await folder.remove();
      return folders.join() === real ? null : `the shadow has ${folders.join()}`;
    },
  })),
]);

/** Files of a workspace by which `.git` leads to a folder beside it, which knows nothing of it. */
const LEADS: readonly (readonly [name: string, files: Readonly<Record<string, string>>])[] = [
  ["by its absolute path", { ".git": "gitdir: ROOT/private\n" }],
  ["by a relative path", { ".git": "gitdir: ../private\n" }],
  ["to all around it", { ".git": "gitdir: ..\n" }],
  ["to a repository of others", { ".git": "gitdir: ../other/.git\n" }],
  ["by data of its own", { ".git": "gitdir: g\n", "g/commondir": "../../private\n" }],
  [
    "by data that names it",
    {
      ".git": "gitdir: worktrees/g\n",
      "worktrees/g/gitdir": "../../.git\n",
      "worktrees/g/commondir": "../../../other/.git\n",
    },
  ],
  [
    "by being data itself",
    { ".git": "gitdir: .\n", gitdir: ".git\n", commondir: "../..\n", HEAD: "x\n" },
  ],
];

attacks("a work tree that takes a folder for its repository's", [
  ...LEADS.map(([name, files]) => ({
    name,
    async play() {
      const repository = { "other/.git/HEAD": "x", "other/.git/objects/x": "" };
      const folder = await tempFolder({
        ...{ "private/config": "[core]\nworktree = elsewhere\n", "private/notes": "x" },
        ...{ ...repository, "other/.git/refs/x": "" },
      });
      const root = fs.realpathSync(folder.root);
      const work = path.join(root, "worktrees/work");
      for (const [file, text] of Object.entries(files)) {
        const leading = text.replace("ROOT", root).replace(/\.\.\/(?=private|other)/, "../../");
        await folder.write(`worktrees/work/${file}`, leading);
      }
      const { folders } = await shadowFolders([work]);
      await folder.remove();
      return folders.join() === work ? null : `the shadow has ${folders.join()}`;
    },
  })),
]);

attacks("a program where commands may write", [
  {
    name: "in the repository of a linked work tree",
    async play() {
      if ((await shadowProblem("overlay")) !== null) return null;
      const folder = await tempFolder({
        "app/HEAD": "ref: refs/heads/main\n",
        "app/objects/x": "",
        "app/refs/x": "",
        "app/worktrees/tree/commondir": "../..\n",
        "app/worktrees/tree/HEAD": "ref: refs/heads/main\n",
        "app/worktrees/tree/gitdir": "../../../tree/.git\n",
        "tree/.git": "gitdir: ../app/worktrees/tree\n",
      });
      const ran = path.join(folder.root, "ran");
      const program = await folder.write(
        "app/bin/unshare",
        `#!/bin/sh\necho x > "${ran}"\nexec /usr/bin/unshare "$@"\n`,
      );
      fs.chmodSync(program, 0o755);
      const before = process.env.PATH;
      process.env.PATH = `${path.dirname(program)}:${before}`;
      try {
        const shadows = await shadowsOn("overlay", [path.join(folder.root, "tree")]);
        await shadows.sandboxProblem();
        await shadows.dispose();
        return fs.existsSync(ran) ? "it ran outside of the sandbox" : null;
      } finally {
        process.env.PATH = before;
        await folder.remove();
      }
    },
  },
]);

attacks("variables by which Perl runs code before a sandbox is closed", [
  ...["PERL5LIB", "PERL5OPT"].map((name) => ({
    name,
    async play() {
      if ((await shadowProblem("overlay")) !== null) return null;
      const library = await tempFolder();
      const ran = path.join(os.tmpdir(), `graft-ran-${process.pid}-${name}`);
      const code = `open my $f, ">", "${ran}"; 1;\n`;
      for (const each of ["strict.pm", "Evil.pm"]) await library.write(each, code);
      const before = { PERL5LIB: process.env.PERL5LIB, PERL5OPT: process.env.PERL5OPT };
      process.env.PERL5LIB = library.root;
      if (name === "PERL5OPT") process.env.PERL5OPT = "-MEvil";
      try {
        const shadows = await shadowsOn("overlay", [library.root]);
        await shadows.sandboxProblem();
        await shadows.dispose();
        return fs.existsSync(ran) ? "the repository's module ran outside of the sandbox" : null;
      } finally {
        for (const [key, value] of Object.entries(before))
          if (value === undefined) delete process.env[key];
          else process.env[key] = value;
        fs.rmSync(ran, { force: true });
        await library.remove();
      }
    },
  })),
]);

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import { createGitBranch } from "../../src/tools/git/gitBranch.ts";
import { createGitCommit } from "../../src/tools/git/gitCommit.ts";
import { campaignRuns } from "../fakes/campaignRuns.ts";
import { gitReads } from "../fakes/gitReads.ts";
import { type Git, gitRepository } from "../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { toolHarness } from "../unit/tools/toolHarness.ts";
import { type Attack, attacks, inTurn } from "./attacks.ts";

const exec = promisify(execFile);
const SECRET = "the-secret-of-another-folder";

/**
 * A workspace `work` beside another repository `other` with a secret, and a program that leaves a
 * trace.
 */
interface Scene {
  readonly folder: TempFolder;
  readonly work: string;
  readonly other: string;
  /** A program that writes the file `ran`. */
  readonly program: string;
  /** One that also ends at once. */
  readonly fetcher: string;
  readonly ran: string;
  readonly git: Git;
  write(name: string, text: string): Promise<string>;
  /** Adds a setting to the workspace's repository. */
  config(key: string, value: string): Promise<void>;
}

interface GitAttack {
  readonly name: string;
  prepare(scene: Scene): Promise<unknown>;
  /** The folders of calls; by default only the workspace. */
  readonly folders?: readonly string[];
  readonly env?: (scene: Scene) => Readonly<Record<string, string>>;
  /** Plain git, which shows that the attack works: what it runs leaves the trace. */
  readonly control?: readonly string[];
}

let template: Promise<TempFolder> | null = null;
after(async () => (await template)?.remove());

/** The repositories of a scene, from which each has its own copy. */
async function makeTemplate(): Promise<TempFolder> {
  const folder = await tempFolder({
    "work/a.txt": "one\n",
    "work/c.txt": "c\n",
    "work/sub/b.txt": "b\n",
    "other/secret.txt": `${SECRET}\n`,
  });
  for (const name of ["work", "other"]) {
    await gitRepository(path.join(folder.root, name), "-A");
    const hooks = path.join(folder.root, name, ".git/hooks");
    for (const sample of await readdir(hooks)) await rm(path.join(hooks, sample));
  }
  return folder;
}

async function scene(): Promise<Scene> {
  template ??= makeTemplate();
  const folder = await tempFolder();
  await cp((await template).root, folder.root, { recursive: true, preserveTimestamps: true });
  const [work, other] = [path.join(folder.root, "work"), path.join(folder.root, "other")];
  const git: Git = async (...args) => (await exec("git", args, { cwd: work })).stdout.trim();
  return {
    ...{ folder, work, other, git, ...(await programsOf(folder, "")) },
    write: (name, text) => folder.write(`work/${name}`, text),
    config: (key, value) => configure(path.join(work, ".git/config"), key, value),
  };
}

/** Adds a setting to a file, as `git config` would, without a process. */
function configure(file: string, key: string, value: string): Promise<void> {
  const [, section = "", sub, name = ""] = /^([^.]*)(?:\.(.*))?\.([^.]*)$/s.exec(key) ?? [];
  const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
  const header = sub === undefined ? section : `${section} ${quoted(sub)}`;
  return appendFile(file, `[${header}]\n\t${name} = ${quoted(value)}\n`);
}

/** Programs of one attack, with a trace of its own. */
async function programsOf(folder: TempFolder, attack: string) {
  const ran = path.join(folder.root, `ran${attack}`);
  const trace = `#!/bin/sh\necho x >> "${ran}"\n`;
  const program = await folder.write(`evil${attack}.sh`, `${trace}exec timeout 1 cat\n`);
  const fetcher = await folder.write(`fetch${attack}.sh`, trace);
  for (const file of [program, fetcher]) await chmod(file, 0o755);
  return { ran, program, fetcher };
}

const CALLS: readonly (readonly [string, object])[] = [
  ["git_status", {}],
  ["git_diff", { revision: "HEAD" }],
  ["git_log", { full: true }],
  ["git_branch", { action: "list" }],
];

/** Attacks of which each has its scene. */
function apart(rows: readonly GitAttack[]): readonly Attack[] {
  return rows.flatMap((row) => together([row]));
}

/** Attacks that lie in one scene, where none keeps git from falling for another. */
function together(rows: readonly GitAttack[]): readonly Attack[] {
  let played: Promise<readonly (string | null)[]> | null = null;
  return rows.map(({ name }, at) => ({
    name,
    async play() {
      played ??= playTogether(rows);
      return (await played)[at] ?? null;
    },
  }));
}

/** What got through of each attack, or null. */
async function playTogether(rows: readonly GitAttack[]): Promise<readonly (string | null)[]> {
  const shared = await scene();
  const { folder, work } = shared;
  const before = { ...process.env };
  try {
    const sets: { readonly row: GitAttack; readonly set: Scene }[] = [];
    for (const [at, row] of rows.entries()) {
      const set = { ...shared, ...(await programsOf(folder, `-${at}`)) };
      await row.prepare(set);
      sets.push({ row, set });
    }
    for (const { row, set } of sets) Object.assign(process.env, row.env?.(set));
    const controls = new Map(rows.map(({ control }) => [control?.join(" "), control]));
    for (const [line, control] of controls) {
      if (!control) continue;
      const child = spawn("git", control, { cwd: work, stdio: "ignore", timeout: 10_000 });
      await once(child, "close");
      for (const { row, set } of sets)
        if (row.control?.join(" ") === line && !existsSync(set.ran))
          throw new Error(`${row.name}: the control did not run the program, it is no attack`);
      for (const { set } of sets) await rm(set.ran, { force: true });
    }
    const through = rows.map((): string | null => null);
    const look = (call: string, said: string) => {
      const shows = said.includes(SECRET) || /root:.*:0:0/.test(said);
      for (const [at, { set }] of sets.entries())
        if (existsSync(set.ran)) through[at] ??= `${call} ran the program`;
        else if (shows) through[at] ??= `${call} shows ${said}`;
    };
    const workspace = await createNodeWorkspace(work);
    const git = createNodeGit(async () => ({ folders: [work], opened: null }));
    const commit = createGitCommit({ git, workspace });
    const tools = toolHarness([
      ...gitReads({ git, workspace }),
      createGitBranch({ git, workspace }),
    ]);
    for (const place of [undefined, ...rows.flatMap(({ folders = [] }) => folders)]) {
      const [where, limit] = [
        place ?? "the workspace",
        place === undefined ? {} : { folder: place },
      ];
      for (const [name, args] of place === undefined ? CALLS : CALLS.slice(0, 2))
        look(`${name} in ${where}`, await tools.call(name, { ...args, ...limit }));
      const asked = commit.prepare({ message: "m", ...limit });
      if (asked.ok) await asked.value.details?.(new AbortController().signal);
      look(`the question before a commit in ${where}`, "");
    }
    return through;
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    await folder.remove();
  }
}

/** Makes a tracked file's content unknown to the index, so that git reads it again. */
async function touch(file: string): Promise<void> {
  const later = new Date(Date.now() + 100_000);
  await utimes(file, later, later);
}

/**
 * A committed folder in the layout of a bare repository, whose settings lead to the work tree above
 * it.
 */
async function bareLayout(
  { work, git, write, program }: Scene,
  name: string,
  worktree: string,
): Promise<void> {
  const bare = path.join(work, name);
  await mkdir(path.join(bare, "info"), { recursive: true });
  for (const part of ["HEAD", "objects", "refs", "index"])
    await cp(path.join(work, ".git", part), path.join(bare, part), { recursive: true });
  await write(
    `${name}/config`,
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${worktree}\n\tfsmonitor = ${program}\n[filter "x"]\n\tclean = ${program}\n`,
  );
  await write(`${name}/info/attributes`, "* filter=x\n");
  await git("add", "-A", "-f", name);
  await touch(path.join(work, "a.txt"));
}

const filtered =
  (...settings: readonly (readonly [string, (program: string) => string])[]) =>
  async ({ config, write, work, program }: Scene) => {
    for (const [key, value] of settings) await config(key, value(program));
    await write(".git/info/attributes", "*.txt filter=x diff=x\n");
    await touch(path.join(work, "a.txt"));
  };
const itself = (program: string) => program;
const shell = (program: string) => `!${program}`;

/** Without the monitor, which would say that nothing changed. */
const UNMONITORED = ["-c", "core.fsmonitor=false"];

/** A setting of the repository that names a program; two of the changed files have a driver. */
const setting = (
  key: string,
  value: (program: string) => string = itself,
  control?: readonly string[],
): GitAttack => ({
  name: `the repository's settings have ${key}`,
  async prepare({ config, write, program }) {
    await config(key, value(program));
    await write(".git/info/attributes", "a.txt diff=x merge=x\nc.txt diff=y merge=x\n");
    for (const name of ["a.txt", "c.txt", "sub/b.txt"]) await write(name, "changed\n");
  },
  ...(control && { control }),
});

/** Settings that name a program which plain reads do not start. */
const OTHER_SETTINGS: readonly (readonly [string, (program: string) => string])[] = [
  ["core.pager", itself],
  ["pager.status", itself],
  ["pager.log", itself],
  ["pager.branch", itself],
  ["core.editor", itself],
  ["core.sshCommand", itself],
  ["core.gitProxy", itself],
  ["core.askPass", itself],
  ["credential.helper", shell],
  ["merge.x.driver", itself],
  ["alias.status", shell],
  ["alias.diff", shell],
  ["alias.rev-parse", shell],
  ["alias.config", shell],
  ["core.alternateRefsCommand", itself],
  ["uploadpack.packObjectsHook", itself],
  ["trace2.eventTarget", itself],
  ["interactive.diffFilter", itself],
  ["sequence.editor", itself],
  ["difftool.x.cmd", itself],
  ["browser.x.cmd", itself],
];

/** Folders of a layout, of which each layout has one in turn. */
const PARTS = ["objects", "info", "refs/heads"];

/** Repositories in the workspace's own. */
const NESTED: readonly GitAttack[] = [
  ...["..", "../", "."].map((worktree, at): GitAttack => {
    const name = `vendor${at}`;
    const parts = inTurn(PARTS, at, campaignRuns(1, PARTS.length));
    return {
      name: `a committed bare layout has a filter and the work tree ${worktree}`,
      prepare: (set) => bareLayout(set, name, worktree),
      folders: [name, ...parts.map((part) => `${name}/${part}`)],
      control: ["-C", name, "status"],
    };
  }),
  {
    name: "a committed bare layout has the work tree /etc",
    prepare: (set) => bareLayout(set, "etc", "/etc"),
    folders: ["etc"],
    control: ["-C", "etc", "status"],
  },
  {
    name: "a committed bare layout has the work tree of another repository",
    prepare: (set) => bareLayout(set, "foreign", set.other),
    folders: ["foreign"],
    control: ["-C", "foreign", "status"],
  },
  {
    name: "a nested repository with a .git folder of an archive",
    async prepare({ folder, work, program }) {
      await gitRepository(path.join(work, "sub"), "-A");
      for (const key of ["core.fsmonitor", "filter.x.clean"])
        await configure(path.join(work, "sub/.git/config"), key, program);
      await folder.write("work/sub/.git/info/attributes", "* filter=x\n");
      await touch(path.join(work, "sub/b.txt"));
    },
    folders: ["sub"],
    control: ["-C", "sub", "status"],
  },
  {
    name: "a nested repository deeper than the folder of the call",
    async prepare({ folder, work, program }) {
      await mkdir(path.join(work, "deep/er"), { recursive: true });
      await folder.write("work/deep/er/x.txt", "x");
      await gitRepository(path.join(work, "deep/er"), "-A");
      await configure(path.join(work, "deep/er/.git/config"), "core.fsmonitor", program);
    },
    folders: ["deep", "deep/er", "deep/er/../er"],
  },
  {
    name: "a folder that is a link to a nested repository",
    async prepare({ folder, work, program }) {
      await mkdir(path.join(work, "real"), { recursive: true });
      await folder.write("work/real/x.txt", "x");
      await gitRepository(path.join(work, "real"), "-A");
      await configure(path.join(work, "real/.git/config"), "core.fsmonitor", program);
      await symlink("real", path.join(work, "link"));
    },
    folders: ["link", "link/."],
  },
  {
    name: "a .git file of a nested folder leads to a hidden repository",
    async prepare({ folder, work, program }) {
      await mkdir(path.join(work, "nest"), { recursive: true });
      await folder.write("work/nest/x.txt", "x");
      await gitRepository(path.join(work, "nest"), "-A");
      await configure(path.join(work, "nest/.git/config"), "core.fsmonitor", program);
      await rename(path.join(work, "nest/.git"), path.join(work, "hidden"));
      await folder.write("work/nest/.git", "gitdir: ../hidden\n");
    },
    folders: ["nest", "hidden"],
  },
  {
    name: "a submodule has settings of its own",
    async prepare({ folder, git, work, program, config }) {
      const other = path.join(folder.root, "module");
      await mkdir(other);
      await folder.write("module/m.txt", "m\n");
      await gitRepository(other, "-A");
      await git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "module");
      for (const key of ["core.fsmonitor", "filter.x.clean"])
        await configure(path.join(work, ".git/modules/module/config"), key, program);
      await folder.write("work/.git/modules/module/info/attributes", "* filter=x\n");
      await config("diff.submodule", "diff");
      await config("submodule.module.ignore", "none");
      await config("status.submoduleSummary", "true");
      await folder.write("work/module/m.txt", "changed\n");
    },
    folders: ["module"],
    control: ["status"],
  },
];

/** Settings that name programs, each another, in one repository. */
const SETTINGS: readonly GitAttack[] = [
  setting("core.fsmonitor", itself, ["status"]),
  setting("diff.external", itself, [...UNMONITORED, "diff"]),
  setting("diff.x.command", itself, [...UNMONITORED, "diff"]),
  setting("diff.y.textconv", itself, [...UNMONITORED, "diff", "--no-ext-diff"]),
  ...OTHER_SETTINGS.map(([key, value]) => setting(key, value)),
  {
    name: "signatures are to be checked by a program",
    async prepare({ git, program, config }) {
      await config("gpg.program", program);
      await config("log.showSignature", "true");
      const commit = (await git("cat-file", "commit", "HEAD")).replace(
        "\n\n",
        "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n",
      );
      const file = path.join(path.dirname(program), "commit");
      await writeFile(file, `${commit}\n`);
      await git("update-ref", "HEAD", await git("hash-object", "-t", "commit", "-w", file));
    },
    control: ["log"],
  },
  {
    name: "a hooks folder in the work tree",
    async prepare({ write, work, config, ran }) {
      const file = await write("hooks/post-index-change", `#!/bin/sh\necho x >> "${ran}"\n`);
      await chmod(file, 0o755);
      await config("core.hooksPath", "hooks");
      await touch(path.join(work, "a.txt"));
    },
    control: [...UNMONITORED, "status"],
  },
];

/** A missing object that git would fetch, where several remotes promise it. */
const promised = (
  name: string,
  settings: (scene: Scene) => Readonly<Record<string, string>>,
): GitAttack => ({
  name: `a missing object would be fetched ${name}`,
  async prepare(set) {
    const { git, work, config, write } = set;
    const blob = await git("rev-parse", "HEAD:a.txt");
    await rm(path.join(work, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
    await write("a.txt", "changed\n");
    const own = { "core.repositoryFormatVersion": "1", ...settings(set) };
    for (const [key, value] of Object.entries(own)) await config(key, value);
  },
  control: ["diff"],
});

const PROMISED: readonly GitAttack[] = [
  promised("by ext", ({ fetcher }) => ({
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.url": `ext::${fetcher}`,
    "protocol.ext.allow": "always",
    "protocol.allow": "always",
  })),
  promised("by ssh", ({ fetcher }) => ({
    "remote.ssh.promisor": "true",
    "remote.ssh.url": "ssh://host/x",
    "core.sshCommand": fetcher,
  })),
  promised("by git", ({ fetcher }) => ({
    "remote.git.promisor": "true",
    "remote.git.url": "git://host/x",
    "core.gitProxy": fetcher,
  })),
  promised("from a folder with a program of its own", ({ other, fetcher }) => ({
    "remote.folder.promisor": "true",
    "remote.folder.url": other,
    "remote.folder.uploadpack": fetcher,
  })),
];

const rows: readonly GitAttack[] = [
  {
    name: "a bare layout is the workspace itself",
    async prepare(set) {
      await bareLayout(set, "vendor", "..");
      for (const part of ["HEAD", "objects", "refs", "index", "config", "info"])
        await rename(path.join(set.work, "vendor", part), path.join(set.work, part));
      await rm(path.join(set.work, ".git"), { recursive: true });
    },
  },
  {
    name: "a bare layout is the workspace itself, beside a .git that is none",
    async prepare(set) {
      await bareLayout(set, "vendor", "..");
      for (const part of ["HEAD", "objects", "refs", "index", "config", "info"])
        await rename(path.join(set.work, "vendor", part), path.join(set.work, part));
      await rm(path.join(set.work, ".git"), { recursive: true });
      await mkdir(path.join(set.work, ".git"));
    },
  },
  // Settings that name programs, in the .git/config of an unpacked archive.
  { name: "a clean filter", prepare: filtered(["filter.x.clean", itself]), control: ["status"] },
  {
    name: "a clean filter that is required",
    prepare: filtered(["filter.x.clean", itself], ["filter.x.required", () => "true"]),
    control: ["diff"],
  },
  {
    name: "a process filter",
    prepare: filtered(["filter.x.process", itself]),
    control: ["status"],
  },
  { name: "a smudge filter", prepare: filtered(["filter.x.smudge", itself]) },
  {
    name: "a clean and a process filter",
    prepare: filtered(["filter.x.clean", itself], ["filter.x.process", itself]),
    control: ["status"],
  },
  {
    name: "a filter in .gitattributes of the work tree",
    async prepare({ write, work, program, config }) {
      await config("filter.x.clean", program);
      await write(".gitattributes", "* filter=x\n");
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  {
    name: "a filter of an attributes file that the settings name",
    async prepare({ write, work, program, config }) {
      await config("filter.x.clean", program);
      await config("core.attributesFile", await write("attributes", "* filter=x\n"));
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  {
    name: "a filter after more settings than are read",
    async prepare({ write, work, program, config }) {
      const long = `[x]\n${`\ty = ${"z".repeat(990)}\n`.repeat(4_100)}`;
      await appendFile(path.join(work, ".git/config"), long);
      await config("filter.x.clean", program);
      await write(".git/info/attributes", "* filter=x\n");
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  ...["a=b", "a b", "a.b", "a\nb", "ä", "-c", "a;b", "x.clean=", 'q"q', "A"].map(
    (name): GitAttack => ({
      name: `a filter named ${JSON.stringify(name)}`,
      async prepare({ write, work, program, config }) {
        const quoted = name.replace(/["\\]/g, "\\$&");
        await writeFile(
          path.join(work, ".git/config"),
          `${await readFile(path.join(work, ".git/config"), "utf8")}\n`,
        );
        if (name.includes("\n")) await config("filter.x.clean", program);
        else
          await writeFile(
            path.join(work, ".git/config"),
            `[core]\n\trepositoryformatversion = 0\n[filter "${quoted}"]\n\tclean = ${program}\n`,
          );
        await write(".git/info/attributes", `*.txt filter=${name.includes("\n") ? "x" : name}\n`);
        await touch(path.join(work, "a.txt"));
      },
    }),
  ),
  {
    name: "a filter in a file that the settings include",
    async prepare({ write, work, program, config }) {
      await config(
        "include.path",
        await write(
          "more",
          `[filter "x"]\n\tclean = ${program}\n[core]\n\tfsmonitor = ${program}\n`,
        ),
      );
      await write(".git/info/attributes", "* filter=x\n");
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  {
    name: "a filter in a file that the settings include for this folder",
    async prepare({ write, work, program, config }) {
      await config(
        "includeIf.gitdir:**.path",
        await write("more", `[filter "x"]\n\tclean = ${program}\n`),
      );
      await write(".git/info/attributes", "* filter=x\n");
      await touch(path.join(work, "a.txt"));
    },
  },
  {
    name: "a filter in the settings of one work tree",
    async prepare({ write, work, program, config }) {
      await config("extensions.worktreeConfig", "true");
      await write(
        ".git/config.worktree",
        `[filter "x"]\n\tclean = ${program}\n[core]\n\tfsmonitor = ${program}\n`,
      );
      await write(".git/info/attributes", "* filter=x\n");
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  {
    name: "hooks for changes of the index and references",
    async prepare({ write, work, config, ran }) {
      for (const hook of [
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
        "post-checkout",
      ]) {
        const file = await write(`.git/hooks/${hook}`, `#!/bin/sh\necho x >> "${ran}"\n`);
        await chmod(file, 0o755);
      }
      await config("core.fsmonitor", "true");
      await config("core.untrackedCache", "true");
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  // Contents of other folders.
  {
    name: "the settings lead to the work tree /etc",
    async prepare({ git, config }) {
      await config("core.worktree", "/etc");
      await git(
        "update-index",
        "--add",
        "--cacheinfo",
        `100644,${await git("rev-parse", "HEAD:a.txt")},passwd`,
      );
    },
  },
  {
    name: "the settings lead to the work tree above",
    async prepare({ git, config }) {
      await config("core.worktree", "../..");
      await git(
        "update-index",
        "--add",
        "--cacheinfo",
        `100644,${await git("rev-parse", "HEAD:a.txt")},other/secret.txt`,
      );
    },
  },
  {
    name: "an included file leads to another work tree",
    async prepare({ git, write, other, config }) {
      await config("include.path", await write("more", `[core]\n\tworktree = ${other}\n`));
      await git(
        "update-index",
        "--add",
        "--cacheinfo",
        `100644,${await git("rev-parse", "HEAD:a.txt")},secret.txt`,
      );
    },
  },
  {
    name: "the .git file leads to another repository",
    async prepare({ work, other, folder }) {
      await rm(path.join(work, ".git"), { recursive: true });
      await folder.write("work/.git", `gitdir: ${path.join(other, ".git")}\n`);
    },
  },
  {
    name: "the .git link leads to another repository",
    async prepare({ work, other }) {
      await rm(path.join(work, ".git"), { recursive: true });
      await symlink(path.join(other, ".git"), path.join(work, ".git"));
    },
  },
  {
    name: "the common folder is another repository's",
    async prepare({ write, other }) {
      await write(".git/commondir", `${path.join(other, ".git")}\n`);
    },
  },
  {
    name: "the .git file leads to a folder that says it belongs here, with another's common folder",
    async prepare({ work, other, folder }) {
      await rename(path.join(work, ".git"), path.join(work, "hidden"));
      await folder.write("work/.git", "gitdir: hidden\n");
      await folder.write("work/hidden/gitdir", `${path.join(work, ".git")}\n`);
      await folder.write("work/hidden/commondir", `${path.join(other, ".git")}\n`);
    },
  },
  {
    name: "the .git file leads to another repository's linked work tree",
    async prepare({ work, other, folder }) {
      await exec("git", ["worktree", "add", "-q", path.join(folder.root, "linked")], {
        cwd: other,
      });
      await rm(path.join(work, ".git"), { recursive: true });
      await folder.write("work/.git", `gitdir: ${path.join(other, ".git/worktrees/linked")}\n`);
    },
  },
  ...["refs", "objects", "packed-refs", "HEAD", "index"].map(
    (name): GitAttack => ({
      name: `.git/${name} is a link to another repository's`,
      async prepare({ work, other }) {
        await exec("git", ["pack-refs", "--all"], { cwd: other });
        for (const each of new Set([name, "refs", "objects"])) {
          await rm(path.join(work, ".git", each), { recursive: true, force: true });
          await symlink(path.join(other, ".git", each), path.join(work, ".git", each));
        }
      },
    }),
  ),
  {
    name: "a reference and the packs are links to another repository's",
    async prepare({ work, other, write }) {
      await exec("git", ["repack", "-adq"], { cwd: other });
      await rm(path.join(work, ".git/objects/pack"), { recursive: true });
      await symlink(path.join(other, ".git/objects/pack"), path.join(work, ".git/objects/pack"));
      await rm(path.join(work, ".git/refs/heads/main"));
      await symlink(
        path.join(other, ".git/refs/heads/main"),
        path.join(work, ".git/refs/heads/main"),
      );
      await write("secret.txt", "x");
    },
  },
  {
    name: "a reference is a link, and the objects are borrowed",
    async prepare({ work, other, write }) {
      await write(".git/objects/info/alternates", `${path.join(other, ".git/objects")}\n`);
      await rm(path.join(work, ".git/refs/heads"), { recursive: true });
      await symlink(path.join(other, ".git/refs/heads"), path.join(work, ".git/refs/heads"));
    },
  },
  {
    name: "the objects are borrowed, and the commit is known",
    async prepare({ git, other, write }) {
      await write(".git/objects/info/alternates", `${path.join(other, ".git/objects")}\n`);
      await git(
        "update-ref",
        "--no-deref",
        "HEAD",
        (await exec("git", ["rev-parse", "HEAD"], { cwd: other })).stdout.trim(),
      );
    },
  },
  ...Object.entries({
    "in quotes that git reads": '"\\056\\056/\\056\\056/\\056\\056/other/.git/objects"\n',
    "in a line with a NUL": "../../../other/.git/objects\0/../../../work/.git/objects/x\n",
    "after more than Graft reads": `${"#".repeat(12_000_000)}\n../../../other/.git/objects\n`,
    "by a folder named as a blank": " \n",
  }).map(
    ([how, lines]): GitAttack => ({
      name: `the objects are borrowed ${how}, and the commit is known`,
      async prepare({ other, write }) {
        await write(".git/objects/ /info/alternates", `${path.join(other, ".git/objects")}\n`);
        await write(".git/objects/info/alternates", lines);
        await exec("git", ["commit", "-q", "--allow-empty", "-m", SECRET], { cwd: other });
        const { stdout } = await exec("git", ["rev-parse", "HEAD"], { cwd: other });
        await write(".git/HEAD", stdout);
      },
    }),
  ),
  {
    name: "the objects are borrowed by a folder of the work tree, and the commit is known",
    async prepare({ git, other, work, write }) {
      await write(".git/objects/info/alternates", "../../store\n");
      await write("store/info/alternates", `${path.join(other, ".git/objects")}\n`);
      await git(
        "update-ref",
        "--no-deref",
        "HEAD",
        (await exec("git", ["rev-parse", "HEAD"], { cwd: other })).stdout.trim(),
      );
      await rm(path.join(work, "a.txt"));
    },
  },
  {
    name: "folders of objects are links, and the commit is known",
    async prepare({ work, other, folder }) {
      const hash = (await exec("git", ["rev-parse", "HEAD"], { cwd: other })).stdout.trim();
      const { stdout } = await exec("sh", ["-c", "ls .git/objects | grep -E '^..$'"], {
        cwd: other,
      });
      for (const name of stdout.trim().split("\n")) {
        await rm(path.join(work, ".git/objects", name), { recursive: true, force: true });
        await symlink(
          path.join(other, ".git/objects", name),
          path.join(work, ".git/objects", name),
        );
      }
      await folder.write("work/.git/refs/heads/main", `${hash}\n`);
    },
  },
  {
    name: "single objects are links, and the commit is known",
    async prepare({ work, other, folder }) {
      const hash = (await exec("git", ["rev-parse", "HEAD"], { cwd: other })).stdout.trim();
      const { stdout } = await exec("sh", ["-c", "cd .git/objects && find . -type f"], {
        cwd: other,
      });
      for (const name of stdout.trim().split("\n")) {
        await mkdir(path.join(work, ".git/objects", path.dirname(name)), { recursive: true });
        await symlink(
          path.join(other, ".git/objects", name),
          path.join(work, ".git/objects", name),
        ).catch(() => null);
      }
      await folder.write("work/.git/refs/heads/main", `${hash}\n`);
    },
  },
  {
    name: "the attributes file is a list of users, whose lines git quotes",
    async prepare({ git, write, config }) {
      await config("core.attributesFile", await write("users", "x root:x:0:0 y\n"));
      await git("update-ref", "-d", "HEAD");
    },
  },
  // How far a rebase or a bisection is, which git tells with the branches where none is checked out.
  {
    name: ".git/BISECT_START is a link to a file elsewhere",
    async prepare({ git, work, other, write }) {
      await git("checkout", "-q", "--detach");
      await write(".git/BISECT_LOG", "");
      await symlink(path.join(other, "secret.txt"), path.join(work, ".git/BISECT_START"));
    },
  },
  {
    name: ".git/rebase-merge is a link to a folder elsewhere",
    async prepare({ git, folder, work, other }) {
      await git("checkout", "-q", "--detach");
      await folder.write("other/state/interactive", "");
      await folder.write("other/state/head-name", `${SECRET}\n`);
      await symlink(path.join(other, "state"), path.join(work, ".git/rebase-merge"));
    },
  },
  {
    name: ".git/info/grafts is a link to a file elsewhere, whose lines git quotes",
    async prepare({ git, work, other }) {
      await git("commit", "-q", "--allow-empty", "-m", "second");
      const parent = await git("rev-parse", "HEAD^");
      await rm(path.join(work, ".git/objects", parent.slice(0, 2), parent.slice(2)));
      await symlink(path.join(other, "secret.txt"), path.join(work, ".git/info/grafts"));
    },
  },
  {
    name: "the index has a file beyond a link",
    async prepare({ git, work, other }) {
      await git(
        "update-index",
        "--add",
        "--cacheinfo",
        `100644,${await git("rev-parse", "HEAD:a.txt")},link/secret.txt`,
      );
      await symlink(other, path.join(work, "link"));
    },
  },
  {
    name: "a tracked file became a link to another",
    async prepare({ work, other, config }) {
      await config("core.symlinks", "false");
      await rm(path.join(work, "a.txt"));
      await symlink(path.join(other, "secret.txt"), path.join(work, "a.txt"));
    },
  },
];

// The environment of whoever started the editor.
const inEnvironment = (
  name: string,
  env: NonNullable<GitAttack["env"]>,
  control?: readonly string[],
): GitAttack => ({
  name: `the environment has ${name}`,
  prepare: ({ write }) => write("a.txt", "changed\n"),
  env,
  ...(control && { control }),
});
const programIn = (name: string) => inEnvironment(name, ({ program }) => ({ [name]: program }));
const gitOnPath = (name: string): GitAttack => ({
  name: `the workspace has a git of its own, in ${name} on the PATH`,
  async prepare({ program, work }) {
    await mkdir(path.join(work, name), { recursive: true });
    await cp(program, path.join(work, name, "git"));
  },
  env: ({ work }) => ({ PATH: `${path.join(work, name)}${path.delimiter}${process.env.PATH}` }),
  control: ["status"],
});

/** By scene: of two variables that mean the same, git takes one. */
const ENVIRONMENTS: readonly (readonly GitAttack[])[] = [
  [
    ...[
      "GIT_EXTERNAL_DIFF",
      "GIT_PAGER",
      "GIT_SSH_COMMAND",
      "GIT_EDITOR",
      "GIT_PROXY_COMMAND",
      "GIT_ASKPASS",
    ].map(programIn),
  ],
  [
    // Git starts nothing where only some of these variables reach it.
    inEnvironment(
      "settings",
      ({ program }) => ({
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "core.fsmonitor",
        GIT_CONFIG_VALUE_0: program,
      }),
      ["status"],
    ),
    {
      name: "the environment has a folder of programs",
      async prepare({ folder, program }) {
        await mkdir(path.join(folder.root, "bin"));
        await cp(program, path.join(folder.root, "bin/git-remote-x"));
      },
      env: ({ folder }) => ({ GIT_EXEC_PATH: path.join(folder.root, "bin") }),
    },
  ],
  [
    ...["PAGER", "GIT_SSH"].map(programIn),
    inEnvironment("parameters", ({ program }) => ({
      GIT_CONFIG_PARAMETERS: `'diff.external=${program}'`,
    })),
    gitOnPath("node_modules/.bin"),
  ],
  [
    ...[
      "GIT_DIR",
      "GIT_WORK_TREE",
      "GIT_INDEX_FILE",
      "GIT_OBJECT_DIRECTORY",
      "GIT_COMMON_DIR",
      "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    ].map(
      (name): GitAttack => ({
        name: `the environment has ${name}`,
        prepare: async () => null,
        env: ({ other }) => ({
          [name]:
            {
              GIT_WORK_TREE: other,
              GIT_INDEX_FILE: `${other}/.git/index`,
              GIT_OBJECT_DIRECTORY: `${other}/.git/objects`,
            }[name] ?? `${other}/.git`,
        }),
      }),
    ),
    gitOnPath("bin"),
  ],
];

attacks("git in a hostile repository", [
  ...together(NESTED),
  ...apart(rows),
  ...together(SETTINGS),
  ...together(PROMISED),
  ...ENVIRONMENTS.flatMap(together),
]);

/** A scene for calls that write nothing. */
let readOnly: Promise<Scene> | null = null;
after(async () => (await readOnly)?.folder.remove());

attacks(
  "arguments of git tools",
  [
    ...[
      "--output=ran",
      "-O ran",
      "--ext-diff",
      "--no-index",
      "--textconv",
      "-x",
      "HEAD --output=ran",
      "--upload-pack=x",
      "\u2013-x",
    ].map((revision) => ({ revision })),
    { revision: "/etc/passwd" },
    { revision: "../other/secret.txt" },
    { revision: "HEAD:../other/secret.txt" },
    { paths: ["../other/secret.txt"] },
    { paths: ["/etc/passwd", "a.txt"] },
    { paths: [":(top)/x", ":(attr:filter=x)a.txt"] },
    { paths: ["--output=ran"] },
    { folder: ".." },
    { folder: "../other" },
    { folder: ".git" },
    { folder: ".git/objects" },
  ].map((args) => ({
    name: JSON.stringify(args),
    async play() {
      readOnly ??= scene();
      const { work } = await readOnly;
      const workspace = await createNodeWorkspace(work);
      const git = createNodeGit(async () => ({ folders: [work], opened: null }));
      const tools = toolHarness(gitReads({ git, workspace }));
      for (const name of ["git_diff", "git_log"]) {
        const said = await tools.call(name, args);
        if (said.includes(SECRET) || /root:.*:0:0/.test(said)) return said;
        if (existsSync(path.join(work, "ran"))) {
          await rm(path.join(work, "ran"));
          return `${name} wrote a file`;
        }
      }
      return null;
    },
  })),
);

/** What a repository says, and the name by which a question must tell of it. */
const PROGRAMS: readonly (readonly [
  name: string,
  setting: readonly [string, string],
  named: string,
])[] = [
  ["a filter", ["filter.x.clean", "evil"], "filter.x.clean"],
  ["a driver of merges", ["merge.x.driver", "evil"], "merge.x.driver"],
  ["a program for signatures", ["gpg.program", "evil"], "gpg.program"],
  ["a program for keys", ["gpg.ssh.defaultKeyCommand", "evil"], "gpg.ssh.defaultkeycommand"],
  ["a program for SSH", ["core.sshCommand", "evil"], "core.sshcommand"],
  ["a proxy", ["core.gitProxy", "evil"], "core.gitproxy"],
  [
    "a helper for passwords",
    ["credential.https://x.helper", "!evil"],
    "credential.https://x.helper",
  ],
  ["a program for uploads", ["remote.o.uploadpack", "evil"], "remote.o.uploadpack"],
  ["a helper for an address", ["remote.o.url", "ext::sh -c evil"], "remote.o.url"],
  ["a helper for pushes", ["remote.o.pushUrl", "ext::sh -c evil"], "remote.o.pushurl"],
  [
    "a helper in another address",
    ["url.ext::sh -c evil.insteadOf", "https:"],
    "url.ext::sh -c evil.insteadof",
  ],
  ["an external difference", ["diff.external", "evil"], "diff.external"],
  ["a text of binary files", ["diff.x.textconv", "evil"], "diff.x.textconv"],
  ["a trailer", ["trailer.x.command", "evil"], "trailer.x.command"],
  ["a hook by settings", ["hook.x.command", "evil"], "hook.x.command"],
  ["a program for cleaning up", ["gc.recentObjectsHook", "evil"], "gc.recentobjectshook"],
  ["a transfer of Git LFS", ["lfs.customTransfer.x.path", "evil"], "lfs.customTransfer.x.path"],
  ["an extension of Git LFS", ["lfs.extension.x.clean", "evil"], "lfs.extension.x.clean"],
  ["a command for submodules", ["submodule.x.update", "!evil"], "submodule.x.update"],
];

/** What the question for a commit tells of, in a repository with all of these. */
let allNamed: Promise<readonly string[]> | null = null;

attacks("a program that no question names", [
  ...PROGRAMS.map(([name, , named]) => ({
    name,
    async play() {
      allNamed ??= namedAfter(async ({ config }) => {
        for (const [, [key, value]] of PROGRAMS) await config(key, value);
      });
      return unnamed(await allNamed, named);
    },
  })),
  {
    name: "a hook in its own folder",
    play: () =>
      hookUnnamed("pre-commit", async ({ write }) => write(".git/hooks/pre-commit", "#!/bin/sh\n")),
  },
  {
    name: "a hook that is a program of Windows",
    play: () =>
      process.platform === "win32"
        ? hookUnnamed("pre-commit", ({ write }) => write(".git/hooks/pre-commit.exe", ""))
        : null,
  },
  {
    name: "a hook in a folder of the workspace",
    play: () =>
      hookUnnamed("commit-msg", async ({ config, write }) => {
        await config("core.hooksPath", "tools");
        return write("tools/commit-msg", "#!/bin/sh\n");
      }),
  },
  {
    name: "a hook in a folder that is named from the user's home",
    play: () =>
      hookUnnamed("commit-msg", async ({ work, config, write }) => {
        await config("core.hooksPath", `~/${path.relative(homedir(), path.join(work, "tools"))}`);
        return write("tools/commit-msg", "#!/bin/sh\n");
      }),
  },
  {
    name: "a hook of a repository above the workspace, in a folder of it",
    play: () =>
      hookUnnamed(
        "commit-msg",
        async ({ config, write }) => {
          await config("core.hooksPath", "tools");
          return write("tools/commit-msg", "#!/bin/sh\n");
        },
        "sub",
      ),
  },
]);

attacks("a commit and a switch by a repository that lacks a file's text", [
  {
    name: "the address to fetch it from is a command line",
    async play() {
      const { folder, work, git, fetcher, ran, write, config } = await scene();
      try {
        await git("branch", "old");
        await write("a.txt", "two\n");
        await git("commit", "-qam", "second");
        const blob = await git("rev-parse", "old:a.txt");
        await write(".git/remotes/origin", `URL: ext::sh -c ${fetcher}\n`);
        for (const [key, value] of [
          ["core.repositoryFormatVersion", "1"],
          ["extensions.partialClone", "origin"],
          ["protocol.ext.allow", "always"],
        ] as const)
          await config(key, value);
        await rm(path.join(work, ".git/objects", blob.slice(0, 2), blob.slice(2)));
        await git("cat-file", "-e", blob).catch(() => null);
        if (!existsSync(ran)) throw new Error("plain git does not run it: the attack is no attack");
        await rm(ran);
        const workspace = await createNodeWorkspace(work);
        const deps = {
          git: createNodeGit(async () => ({ folders: [work], opened: null })),
          workspace,
        };
        const tools = toolHarness([createGitCommit(deps), createGitBranch(deps)]);
        await tools.call("git_branch", { action: "switch", name: "old" });
        if (existsSync(ran)) return "the switch ran it";
        await write("b.txt", "b\n");
        await tools.call("git_commit", { message: "m", paths: ["b.txt"] });
        return existsSync(ran) ? "the commit ran it" : null;
      } finally {
        await folder.remove();
      }
    },
  },
]);

/** What a repository brings along so that a commit or a switch writes, or quotes, a file elsewhere. */
const ELSEWHERE: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  ...Object.fromEntries(
    ["COMMIT_EDITMSG", "logs/HEAD", "logs/refs/heads/main"].map((name) => [
      `.git/${name} is a link to a file`,
      async ({ work, other }: Scene) => {
        const link = path.join(work, ".git", name);
        await rm(link, { force: true });
        await symlink(path.join(other, "secret.txt"), link);
      },
    ]),
  ),
  ".git/COMMIT_EDITMSG is a link to a file that is not there": async ({ work, other }) => {
    await rm(path.join(work, ".git/COMMIT_EDITMSG"));
    await symlink(path.join(other, "made.txt"), path.join(work, ".git/COMMIT_EDITMSG"));
  },
  "a link in .git/hooks stands between": async ({ work, other }) => {
    await rm(path.join(work, ".git/COMMIT_EDITMSG"));
    await symlink(path.join(other, "sub"), path.join(work, ".git/hooks/sub"));
    await mkdir(path.join(other, "sub"));
    await symlink("hooks/sub/../made.txt", path.join(work, ".git/COMMIT_EDITMSG"));
  },
  ".git/logs/refs is a link to a folder": async ({ work, other }) => {
    await rm(path.join(work, ".git/logs/refs"), { recursive: true });
    await symlink(other, path.join(work, ".git/logs/refs"));
  },
  "another work tree's folder is a file, which git quotes": async ({ work, other, write }) => {
    await write(".git/worktrees/x/HEAD", "ref: refs/heads/old\n");
    await write(".git/worktrees/x/commondir", "../..\n");
    await symlink(path.join(other, "secret.txt"), path.join(work, ".git/worktrees/x/gitdir"));
  },
  "the attributes file is one whose lines git quotes": async ({ config, other }) =>
    config("core.attributesFile", path.join(other, "secret.txt")),
};

attacks(
  "a commit and a switch by which a repository reaches a file elsewhere",
  Object.entries(ELSEWHERE).map(([name, prepare]) => ({
    name,
    async play() {
      const set = await scene();
      const { folder, work, other, git, write } = set;
      try {
        await git("branch", "old");
        await folder.write("other/secret.txt", `x ${SECRET}^ y\n`);
        await prepare(set);
        const list = () => readdir(other, { recursive: true });
        const before = [await readFile(path.join(other, "secret.txt"), "utf8"), await list()];
        const workspace = await createNodeWorkspace(work);
        const deps = {
          git: createNodeGit(async () => ({ folders: [work], opened: null })),
          workspace,
        };
        const tools = toolHarness([createGitCommit(deps), createGitBranch(deps)]);
        await write("a.txt", "two\n");
        await write("b.txt", "b\n");
        const said = [
          await tools.call("git_commit", { message: "m", paths: ["a.txt", "b.txt"] }),
          await tools.call("git_branch", { action: "switch", name: "old" }),
        ];
        if (said.join().includes(SECRET)) return said.join();
        const after = [await readFile(path.join(other, "secret.txt"), "utf8"), await list()];
        return JSON.stringify(after) === JSON.stringify(before) ? null : "it changed files";
      } finally {
        await folder.remove();
      }
    },
  })),
);

attacks(
  "a change of a repository that its question does not name",
  [
    { tool: createGitCommit, args: { message: "m", folder: "sub" }, folders: ["."] },
    { tool: createGitCommit, args: { message: "m", folder: "a" }, folders: ["a", "b"] },
    {
      tool: createGitCommit,
      args: { message: "m", paths: ["x"], folder: "b" },
      folders: ["a", "b"],
    },
    { tool: createGitBranch, args: { action: "create", name: "n", folder: "sub" }, folders: ["."] },
    {
      tool: createGitBranch,
      args: { action: "switch", name: "n", folder: "b" },
      folders: ["a", "b"],
    },
  ].map(({ tool, args, folders }) => ({
    name: `${JSON.stringify(args)} in ${folders.join(" and ")}`,
    async play() {
      const { folder, work } = await scene();
      try {
        const workspace = { ...(await createNodeWorkspace(work)), folders };
        const git = createNodeGit(async () => ({ folders: [work], opened: null }));
        const asked = tool({ git, workspace }).prepare(args);
        if (!asked.ok) return "the call is no call";
        const { summary } = asked.value;
        return summary.startsWith(`In ${args.folder}: `) ? null : summary;
      } finally {
        await folder.remove();
      }
    },
  })),
);

attacks("a submodule's programs on a switch of branches", [
  {
    name: "a filter of its own, where the settings follow into submodules",
    async play() {
      const { folder, work, git, fetcher, ran, config } = await scene();
      try {
        await mkdir(path.join(work, "module"));
        await folder.write("work/module/m.txt", "one\n");
        const module = await gitRepository(path.join(work, "module"), "-A");
        await module("config", "filter.x.smudge", fetcher);
        await module("branch", "-q", "before");
        await folder.write("work/module/m.txt", "two\n");
        await module("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "two");
        await git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./module");
        await git("submodule", "--quiet", "absorbgitdirs");
        await git("commit", "-qm", "second");
        await git("branch", "other");
        await module("checkout", "-q", "before");
        await git("commit", "-qam", "third");
        await folder.write("work/.git/modules/module/info/attributes", "* filter=x\n");
        await config("submodule.recurse", "true");
        await git("switch", "-q", "other").catch(() => null);
        if (!existsSync(ran)) throw new Error("plain git does not run the program");
        await git("-c", "submodule.recurse=false", "switch", "-qf", "main");
        await rm(ran);
        const workspace = await createNodeWorkspace(work);
        const tools = toolHarness([
          createGitBranch({
            git: createNodeGit(async () => ({ folders: [work], opened: null })),
            workspace,
          }),
        ]);
        const said = await tools.call("git_branch", { action: "switch", name: "other" });
        return existsSync(ran) ? `the switch ran it: ${said}` : null;
      } finally {
        await folder.remove();
      }
    },
  },
]);

/** The programs of which the question for a commit tells. */
async function namedAfter(
  change: (scene: Scene) => Promise<unknown>,
  opened = ".",
): Promise<readonly string[]> {
  const set = await scene();
  try {
    await change(set);
    const root = path.join(set.work, opened);
    const git = createNodeGit(async () => ({ folders: [root], opened: null }));
    const place = await (await createNodeWorkspace(root)).resolve(".");
    if (!place.ok) throw new Error("there is no workspace");
    return await git.programs(place.value, new AbortController().signal);
  } finally {
    await set.folder.remove();
  }
}

/** Null where the question tells of the hook that `write` wrote. */
async function hookUnnamed(
  hook: string,
  write: (scene: Scene) => Promise<string>,
  opened?: string,
): Promise<string | null> {
  const programs = await namedAfter(async (set) => chmod(await write(set), 0o755), opened);
  return unnamed(programs, hook);
}

function unnamed(programs: readonly string[], named: string): string | null {
  return programs.includes(named) ? null : `only ${programs.join(", ") || "nothing"} is named`;
}

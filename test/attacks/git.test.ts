import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
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
import { gitReads } from "../fakes/gitReads.ts";
import { type Git, gitRepository } from "../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { toolHarness } from "../unit/tools/toolHarness.ts";
import { type Attack, attacks } from "./attacks.ts";

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
  readonly git: Git;
  write(name: string, text: string): Promise<string>;
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
    "work/sub/b.txt": "b\n",
    "other/secret.txt": `${SECRET}\n`,
  });
  for (const name of ["work", "other"]) await gitRepository(path.join(folder.root, name), "-A");
  return folder;
}

async function scene(): Promise<Scene> {
  template ??= makeTemplate();
  const folder = await tempFolder();
  await cp((await template).root, folder.root, { recursive: true, preserveTimestamps: true });
  const [work, other] = [path.join(folder.root, "work"), path.join(folder.root, "other")];
  const git: Git = async (...args) => (await exec("git", args, { cwd: work })).stdout.trim();
  await git("update-index", "--refresh");
  const trace = `#!/bin/sh\necho x >> "${folder.root}/ran"\n`;
  const program = await folder.write("evil.sh", `${trace}exec timeout 1 cat\n`);
  const fetcher = await folder.write("fetch.sh", trace);
  for (const file of [program, fetcher]) await chmod(file, 0o755);
  return {
    ...{ folder, work, other, program, fetcher, git },
    write: (name, text) => folder.write(`work/${name}`, text),
  };
}

const CALLS: readonly (readonly [string, object])[] = [
  ["git_status", {}],
  ["git_diff", { revision: "HEAD" }],
  ["git_log", { full: true }],
  ["git_branch", { action: "list" }],
];

function play({ prepare, folders = [], env, control }: GitAttack): Attack["play"] {
  return async () => {
    const set = await scene();
    const before = { ...process.env };
    try {
      await prepare(set);
      const ran = path.join(set.folder.root, "ran");
      Object.assign(process.env, env?.(set));
      if (control) {
        await exec("sh", ["-c", 'exec timeout 10 git "$@" </dev/null', "git", ...control], {
          cwd: set.work,
        }).catch(() => null);
        if (!existsSync(ran))
          throw new Error("the control did not run the program: the attack is no attack");
        await rm(ran);
      }
      const workspace = await createNodeWorkspace(set.work);
      const git = createNodeGit(async () => ({ folders: [set.work], opened: null }));
      const commit = createGitCommit({ git, workspace });
      const tools = toolHarness([
        ...gitReads({ git, workspace }),
        createGitBranch({ git, workspace }),
      ]);
      for (const folder of [undefined, ...folders]) {
        for (const [name, args] of folder === undefined ? CALLS : CALLS.slice(0, 2)) {
          const said = await tools.call(name, {
            ...args,
            ...(folder === undefined ? {} : { folder }),
          });
          if (existsSync(ran)) return `${name} in ${folder ?? "the workspace"} ran the program`;
          if (said.includes(SECRET) || /root:.*:0:0/.test(said)) return `${name} shows ${said}`;
        }
        const asked = commit.prepare({ message: "m", ...(folder === undefined ? {} : { folder }) });
        if (asked.ok) await asked.value.details?.(new AbortController().signal);
        if (existsSync(ran)) return "the question before a commit ran the program";
      }
      return null;
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
      await set.folder.remove();
    }
  };
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
  async ({ git, write, work, program }: Scene) => {
    for (const [key, value] of settings) await git("config", key, value(program));
    await write(".git/info/attributes", "*.txt filter=x diff=x\n");
    await touch(path.join(work, "a.txt"));
  };
const itself = (program: string) => program;
const shell = (program: string) => `!${program}`;

/** A setting of the repository that names a program. */
const setting = (
  key: string,
  value: (program: string) => string = itself,
  control?: readonly string[],
): GitAttack => ({
  name: `the repository's settings have ${key}`,
  async prepare({ git, write, work, program }) {
    await git("config", key, value(program));
    await write(".git/info/attributes", "*.txt filter=x diff=x merge=x\n");
    await touch(path.join(work, "a.txt"));
    await write("sub/b.txt", "changed\n");
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
  ["gpg.program", itself],
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

const rows: readonly GitAttack[] = [
  ...["..", "../", "."].map(
    (worktree): GitAttack => ({
      name: `a committed bare layout has a filter and the work tree ${worktree}`,
      prepare: (set) => bareLayout(set, "vendor", worktree),
      folders: ["vendor", "vendor/objects", "vendor/info", "vendor/refs/heads"],
    }),
  ),
  {
    name: "a committed bare layout works with plain git",
    prepare: (set) => bareLayout(set, "vendor", ".."),
    folders: ["vendor"],
    control: ["-C", "vendor", "status"],
  },
  {
    name: "a committed bare layout has the work tree /etc",
    prepare: (set) => bareLayout(set, "vendor", "/etc"),
    folders: ["vendor"],
  },
  {
    name: "a committed bare layout has the work tree of another repository",
    prepare: (set) => bareLayout(set, "vendor", set.other),
    folders: ["vendor"],
  },
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
  {
    name: "a nested repository with a .git folder of an archive",
    async prepare({ folder, work, program }) {
      const git = await gitRepository(path.join(work, "sub"), "-A");
      await git("config", "core.fsmonitor", program);
      await git("config", "filter.x.clean", program);
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
      const git = await gitRepository(path.join(work, "deep/er"), "-A");
      await git("config", "core.fsmonitor", program);
    },
    folders: ["deep", "deep/er", "deep/er/../er"],
  },
  {
    name: "a folder that is a link to a nested repository",
    async prepare({ folder, work, program }) {
      await mkdir(path.join(work, "real"), { recursive: true });
      await folder.write("work/real/x.txt", "x");
      const git = await gitRepository(path.join(work, "real"), "-A");
      await git("config", "core.fsmonitor", program);
      await symlink("real", path.join(work, "link"));
    },
    folders: ["link", "link/."],
  },
  {
    name: "a .git file of a nested folder leads to a hidden repository",
    async prepare({ folder, work, program }) {
      await mkdir(path.join(work, "nest"), { recursive: true });
      await folder.write("work/nest/x.txt", "x");
      const git = await gitRepository(path.join(work, "nest"), "-A");
      await git("config", "core.fsmonitor", program);
      await rename(path.join(work, "nest/.git"), path.join(work, "hidden"));
      await folder.write("work/nest/.git", "gitdir: ../hidden\n");
    },
    folders: ["nest", "hidden"],
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
    async prepare({ git, write, work, program }) {
      await git("config", "filter.x.clean", program);
      await write(".gitattributes", "* filter=x\n");
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  {
    name: "a filter of an attributes file that the settings name",
    async prepare({ git, write, work, program }) {
      await git("config", "filter.x.clean", program);
      await git("config", "core.attributesFile", await write("attributes", "* filter=x\n"));
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  {
    name: "a filter after more settings than are read",
    async prepare({ git, write, work, program }) {
      const long = `[x]\n${`\ty = ${"z".repeat(990)}\n`.repeat(4_100)}`;
      const config = await readFile(path.join(work, ".git/config"), "utf8");
      await writeFile(path.join(work, ".git/config"), `${config}${long}`);
      await git("config", "filter.x.clean", program);
      await write(".git/info/attributes", "* filter=x\n");
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  ...["a=b", "a b", "a.b", "a\nb", "ä", "-c", "a;b", "x.clean=", 'q"q', "A"].map(
    (name): GitAttack => ({
      name: `a filter named ${JSON.stringify(name)}`,
      async prepare({ git, write, work, program }) {
        const quoted = name.replace(/["\\]/g, "\\$&");
        await writeFile(
          path.join(work, ".git/config"),
          `${await readFile(path.join(work, ".git/config"), "utf8")}\n`,
        );
        if (name.includes("\n")) await git("config", "filter.x.clean", program);
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
    async prepare({ git, write, work, program }) {
      await git(
        "config",
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
    async prepare({ git, write, work, program }) {
      await git(
        "config",
        "includeIf.gitdir:**.path",
        await write("more", `[filter "x"]\n\tclean = ${program}\n`),
      );
      await write(".git/info/attributes", "* filter=x\n");
      await touch(path.join(work, "a.txt"));
    },
  },
  {
    name: "a filter in the settings of one work tree",
    async prepare({ git, write, work, program }) {
      await git("config", "extensions.worktreeConfig", "true");
      await write(
        ".git/config.worktree",
        `[filter "x"]\n\tclean = ${program}\n[core]\n\tfsmonitor = ${program}\n`,
      );
      await write(".git/info/attributes", "* filter=x\n");
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  setting("core.fsmonitor", itself, ["status"]),
  setting("diff.external", itself, ["diff"]),
  setting("diff.x.command", itself, ["diff"]),
  setting("diff.x.textconv", itself, ["diff"]),
  {
    name: "the repository's settings have every other one that names a program",
    async prepare(set) {
      for (const [key, value] of OTHER_SETTINGS) await setting(key, value).prepare(set);
    },
  },
  {
    name: "signatures are to be checked by a program",
    async prepare({ git, program }) {
      await git("config", "gpg.program", program);
      await git("config", "log.showSignature", "true");
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
    name: "hooks for changes of the index and references",
    async prepare({ write, work, git }) {
      for (const hook of [
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
        "post-checkout",
      ]) {
        const file = await write(
          `.git/hooks/${hook}`,
          `#!/bin/sh\necho x >> "${path.dirname(work)}/ran"\n`,
        );
        await chmod(file, 0o755);
      }
      await git("config", "core.fsmonitor", "true");
      await git("config", "core.untrackedCache", "true");
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  {
    name: "a hooks folder in the work tree",
    async prepare({ write, work, git }) {
      const file = await write(
        "hooks/post-index-change",
        `#!/bin/sh\necho x >> "${path.dirname(work)}/ran"\n`,
      );
      await chmod(file, 0o755);
      await git("config", "core.hooksPath", "hooks");
      await touch(path.join(work, "a.txt"));
    },
    control: ["status"],
  },
  ...[
    ["ext", (program: string) => `ext::${program}`],
    ["ssh", () => "ssh://host/x"],
    ["git", () => "git://host/x"],
  ].map(
    ([name, url]): GitAttack => ({
      name: `a missing object would be fetched by ${String(name)}`,
      async prepare({ git, work, fetcher }) {
        const set = {
          "core.repositoryFormatVersion": "1",
          "extensions.partialClone": "origin",
          "remote.origin.promisor": "true",
          "remote.origin.url": typeof url === "function" ? url(fetcher) : "",
          "protocol.ext.allow": "always",
          "protocol.allow": "always",
          "core.sshCommand": fetcher,
          "core.gitProxy": fetcher,
        };
        for (const [key, value] of Object.entries(set)) await git("config", key, value);
        const blob = await git("rev-parse", "HEAD:a.txt");
        await rm(path.join(work, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
        await writeFile(path.join(work, "a.txt"), "changed\n");
      },
      control: ["diff"],
    }),
  ),
  {
    name: "a missing object would be fetched from a folder with a program of its own",
    async prepare({ git, work, other, fetcher }) {
      const set = {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": other,
        "remote.origin.uploadpack": fetcher,
      };
      for (const [key, value] of Object.entries(set)) await git("config", key, value);
      const blob = await git("rev-parse", "HEAD:a.txt");
      await rm(path.join(work, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
      await writeFile(path.join(work, "a.txt"), "changed\n");
    },
    control: ["diff"],
  },
  {
    name: "a submodule has settings of its own",
    async prepare({ folder, git, work, program }) {
      const other = path.join(folder.root, "module");
      await mkdir(other);
      await folder.write("module/m.txt", "m\n");
      await gitRepository(other, "-A");
      await git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "module");
      await exec("git", ["config", "core.fsmonitor", program], { cwd: path.join(work, "module") });
      await exec("git", ["config", "filter.x.clean", program], { cwd: path.join(work, "module") });
      await folder.write("work/.git/modules/module/info/attributes", "* filter=x\n");
      await git("config", "diff.submodule", "diff");
      await git("config", "submodule.module.ignore", "none");
      await git("config", "status.submoduleSummary", "true");
      await folder.write("work/module/m.txt", "changed\n");
    },
    folders: ["module"],
    control: ["status"],
  },
  // Contents of other folders.
  {
    name: "the settings lead to the work tree /etc",
    async prepare({ git }) {
      await git("config", "core.worktree", "/etc");
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
    async prepare({ git }) {
      await git("config", "core.worktree", "../..");
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
    async prepare({ git, write, other }) {
      await git("config", "include.path", await write("more", `[core]\n\tworktree = ${other}\n`));
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
    async prepare({ git, write }) {
      await git("config", "core.attributesFile", await write("users", "x root:x:0:0 y\n"));
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
    async prepare({ work, other, git }) {
      await git("config", "core.symlinks", "false");
      await rm(path.join(work, "a.txt"));
      await symlink(path.join(other, "secret.txt"), path.join(work, "a.txt"));
    },
  },
  // The environment of whoever started the editor.
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
  ...[
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_SSH_COMMAND",
    "GIT_EDITOR",
    "GIT_PROXY_COMMAND",
    "GIT_ASKPASS",
    "PAGER",
    "GIT_SSH",
  ].map(
    (name): GitAttack => ({
      name: `the environment has ${name}`,
      prepare: ({ write }) => write("a.txt", "changed\n"),
      env: ({ program }) => ({ [name]: program }),
    }),
  ),
  ...["node_modules/.bin", "bin"].map(
    (name): GitAttack => ({
      name: `the workspace has a git of its own, in ${name} on the PATH`,
      async prepare({ program, work }) {
        await mkdir(path.join(work, name), { recursive: true });
        await cp(program, path.join(work, name, "git"));
      },
      env: ({ work }) => ({ PATH: `${path.join(work, name)}${path.delimiter}${process.env.PATH}` }),
      control: ["status"],
    }),
  ),
  {
    name: "the environment has settings",
    prepare: ({ write }) => write("a.txt", "changed\n"),
    env: ({ program }) => ({
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: program,
    }),
    control: ["status"],
  },
  {
    name: "the environment has parameters",
    prepare: ({ write }) => write("a.txt", "changed\n"),
    env: ({ program }) => ({ GIT_CONFIG_PARAMETERS: `'diff.external=${program}'` }),
  },
  {
    name: "the environment has a folder of programs",
    async prepare({ folder, write, program }) {
      await mkdir(path.join(folder.root, "bin"));
      await cp(program, path.join(folder.root, "bin/git-remote-x"));
      await write("a.txt", "changed\n");
    },
    env: ({ folder }) => ({ GIT_EXEC_PATH: path.join(folder.root, "bin") }),
  },
];

attacks(
  "git in a hostile repository",
  rows.map((row) => ({ name: row.name, play: play(row) })),
);

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
      const { folder, work } = await scene();
      try {
        const workspace = await createNodeWorkspace(work);
        const git = createNodeGit(async () => ({ folders: [work], opened: null }));
        const tools = toolHarness(gitReads({ git, workspace }));
        for (const name of ["git_diff", "git_log"]) {
          const said = await tools.call(name, args);
          if (said.includes(SECRET) || /root:.*:0:0/.test(said)) return said;
          if (existsSync(path.join(work, "ran"))) return `${name} wrote a file`;
        }
        return null;
      } finally {
        await folder.remove();
      }
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

attacks("a program that no question names", [
  ...PROGRAMS.map(([name, [key, value], named]) => ({
    name,
    play: () => unnamed((git) => git("config", key, value), named),
  })),
  {
    name: "a hook in its own folder",
    play: () =>
      unnamed(async (_, folder) => {
        await folder.write(".git/hooks/pre-commit", "#!/bin/sh\n");
        await chmod(path.join(folder.root, ".git/hooks/pre-commit"), 0o755);
      }, "pre-commit"),
  },
  {
    name: "a hook that is a program of Windows",
    play: () =>
      process.platform === "win32"
        ? unnamed((_, folder) => folder.write(".git/hooks/pre-commit.exe", ""), "pre-commit")
        : null,
  },
  {
    name: "a hook in a folder of the workspace",
    play: () =>
      unnamed(async (git, folder) => {
        await git("config", "core.hooksPath", "tools");
        await folder.write("tools/commit-msg", "#!/bin/sh\n");
        await chmod(path.join(folder.root, "tools/commit-msg"), 0o755);
      }, "commit-msg"),
  },
  {
    name: "a hook in a folder that is named from the user's home",
    play: () =>
      unnamed(async (git, folder) => {
        const fromHome = path.relative(homedir(), path.join(folder.root, "tools"));
        await git("config", "core.hooksPath", `~/${fromHome}`);
        await folder.write("tools/commit-msg", "#!/bin/sh\n");
        await chmod(path.join(folder.root, "tools/commit-msg"), 0o755);
      }, "commit-msg"),
  },
  {
    name: "a hook of a repository above the workspace, in a folder of it",
    play: () =>
      unnamed(
        async (git, folder) => {
          await git("config", "core.hooksPath", "tools");
          await folder.write("tools/commit-msg", "#!/bin/sh\n");
          await folder.write("sub/b.txt", "b\n");
          await chmod(path.join(folder.root, "tools/commit-msg"), 0o755);
        },
        "commit-msg",
        "sub",
      ),
  },
]);

attacks("a commit and a switch by a repository that lacks a file's text", [
  {
    name: "the address to fetch it from is a command line",
    async play() {
      const { folder, work, git, fetcher, write } = await scene();
      const ran = path.join(folder.root, "ran");
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
          await git("config", key, value);
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
  "the attributes file is one whose lines git quotes": async ({ git, other }) =>
    git("config", "core.attributesFile", path.join(other, "secret.txt")),
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
      const { folder, work, git, fetcher } = await scene();
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
        await git("config", "submodule.recurse", "true");
        const ran = path.join(folder.root, "ran");
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

/** Null where the question for a commit tells of `named`. */
async function unnamed(
  change: (git: Git, folder: TempFolder) => Promise<unknown>,
  named: string,
  opened = ".",
): Promise<string | null> {
  const folder = await tempFolder({ "a.txt": "one\n" });
  try {
    await change(await gitRepository(folder.root, "-A"), folder);
    const root = path.join(folder.root, opened);
    const git = createNodeGit(async () => ({ folders: [root], opened: null }));
    const place = await (await createNodeWorkspace(root)).resolve(".");
    if (!place.ok) return "there is no workspace";
    const programs = await git.programs(place.value, new AbortController().signal);
    return programs.includes(named) ? null : `only ${programs.join(", ") || "nothing"} is named`;
  } finally {
    await folder.remove();
  }
}

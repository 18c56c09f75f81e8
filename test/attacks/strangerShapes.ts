import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** A repository `sub` in a repository, and a program that leaves a trace. */
export interface Scene {
  readonly root: string;
  /** An absolute path, without blanks. */
  readonly program: string;
  git(...args: string[]): string;
  write(name: string, text: string): void;
}

/** A shape of `.git`; `control` is plain git by which its program runs. */
export interface Shape {
  prepare(scene: Scene): void;
  readonly control?: readonly string[];
}

/** Every setting that names a program, as lines of a file of settings. */
const settings = (program: string) => `[core]
	fsmonitor = ${program}
	sshCommand = ${program}
	gitProxy = ${program}
	editor = ${program}
	pager = ${program}
	askPass = ${program}
	hooksPath = ${path.dirname(program)}/hooks
	alternateRefsCommand = ${program}
	virtualFilesystem = ${program}
[pager]
	status = ${program}
	diff = ${program}
	log = ${program}
[diff]
	external = ${program}
	submodule = diff
[diff "x"]
	command = ${program}
	textconv = ${program}
	cachetextconv = true
[filter "x"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
	required = true
[merge "x"]
	driver = ${program}
[gpg]
	program = ${program}
[gpg "ssh"]
	program = ${program}
	defaultKeyCommand = ${program}
[log]
	showSignature = true
[credential]
	helper = !${program}
[alias]
	status = !${program}
	diff = !${program}
	check-ignore = !${program}
	rev-parse = !${program}
	config = !${program}
[hook "x"]
	event = post-index-change
	command = ${program}
[status]
	submoduleSummary = true
[submodule]
	recurse = true
[uploadpack]
	packObjectsHook = ${program}
[protocol]
	allow = always
[protocol "ext"]
	allow = always
`;
const ATTRIBUTES = "* filter=x diff=x merge=x\n";
const SUB = ["-C", "sub"];

/** Lets git look at the contents of all files again. */
export function touch({ root }: Scene): void {
  const later = new Date(Date.now() + 100_000);
  for (const name of ["a.txt", "sub/b.txt"])
    if (fs.existsSync(path.join(root, name))) fs.utimesSync(path.join(root, name), later, later);
}

function append({ root, program }: Scene, name: string, text = settings(program)): void {
  fs.appendFileSync(path.join(root, name), text);
}

function nested(scene: Scene): void {
  const { root, write } = scene;
  write("sub/b.txt", "b\n");
  const git = (...args: string[]) => spawnSync("git", args, { cwd: path.join(root, "sub") });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
  write("sub/.git/info/attributes", ATTRIBUTES);
}

/** Settings of the kind in a file, which the settings of the repository name in some way. */
const included = (key: string): Shape => ({
  prepare(scene) {
    scene.write("more", settings(scene.program));
    scene.git("config", key, path.join(scene.root, "more"));
    scene.write(".git/info/attributes", ATTRIBUTES);
  },
  control: ["status"],
});

function lacking({ git, root }: Scene, blob: string): void {
  const hash = spawnSync("git", ["rev-parse", blob], { cwd: root, encoding: "utf8" }).stdout;
  const set = {
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
  };
  for (const [key, value] of Object.entries(set)) git("config", key, value);
  fs.rmSync(path.join(root, ".git/objects", hash.slice(0, 2), hash.slice(2).trim()));
  fs.rmSync(path.join(root, "a.txt"));
}

/** Shapes by what they are. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  "every setting that names a program": {
    prepare(scene) {
      append(scene, ".git/config");
      scene.write(".git/info/attributes", ATTRIBUTES);
    },
    control: ["status"],
  },
  "attributes in the work tree": {
    prepare(scene) {
      append(scene, ".git/config");
      scene.write(".gitattributes", ATTRIBUTES);
    },
    control: ["status"],
  },
  "an attributes file that the settings name": {
    prepare(scene) {
      append(scene, ".git/config", `${settings(scene.program)}[core]\n\tattributesFile = rules\n`);
      scene.write("rules", ATTRIBUTES);
    },
    control: ["status"],
  },
  "included settings": included("include.path"),
  "settings included for this folder": included("includeIf.gitdir:**.path"),
  "settings included for its branch": included("includeIf.onbranch:**.path"),
  "settings of a work tree": {
    prepare(scene) {
      scene.git("config", "extensions.worktreeConfig", "true");
      append(scene, ".git/config.worktree");
      scene.write(".git/info/attributes", ATTRIBUTES);
    },
    control: ["status"],
  },
  "a linked work tree in the workspace": {
    prepare(scene) {
      scene.git("worktree", "add", "-q", "sub");
      append(scene, ".git/config");
      scene.write(".git/info/attributes", ATTRIBUTES);
    },
    control: [...SUB, "status"],
  },
  "a .git file to data with another common folder": {
    prepare(scene) {
      const { root, write } = scene;
      nested(scene);
      fs.renameSync(path.join(root, "sub/.git"), path.join(root, "common"));
      append(scene, "common/config");
      write("data/HEAD", "ref: refs/heads/main\n");
      write("data/commondir", "../common\n");
      write("data/gitdir", `${root}/sub/.git\n`);
      fs.copyFileSync(path.join(root, "common/index"), path.join(root, "data/index"));
      write("sub/.git", "gitdir: ../data\n");
    },
    control: [...SUB, "status"],
  },
  "a .git file that leads to itself": {
    prepare: ({ write }) => write("sub/.git", "gitdir: .git\n"),
  },
  "a link as .git": {
    prepare(scene) {
      nested(scene);
      append(scene, "sub/.git/config");
      fs.renameSync(path.join(scene.root, "sub/.git"), path.join(scene.root, "data"));
      fs.symlinkSync("../data", path.join(scene.root, "sub/.git"));
    },
    control: [...SUB, "status"],
  },
  "a nested repository of an archive": {
    prepare(scene) {
      nested(scene);
      append(scene, "sub/.git/config");
    },
    control: [...SUB, "status"],
  },
  "a submodule with settings of its own": {
    prepare(scene) {
      const { root, git, write, program } = scene;
      nested(scene);
      git("add", "-A");
      write(".gitmodules", '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tupdate = merge\n');
      fs.mkdirSync(path.join(root, ".git/modules"));
      fs.renameSync(path.join(root, "sub/.git"), path.join(root, ".git/modules/sub"));
      write("sub/.git", "gitdir: ../.git/modules/sub\n");
      append(
        scene,
        ".git/modules/sub/config",
        `${settings(program)}[core]\n\tworktree = ../../../sub\n`,
      );
      git("config", "submodule.sub.url", `ext::sh -c ${program}`);
      git("config", "submodule.sub.update", `!${program}`);
      git("config", "submodule.sub.ignore", "none");
    },
    control: ["status"],
  },
  "a bare repository in a folder, with this work tree": {
    prepare(scene) {
      const { root, program } = scene;
      fs.cpSync(path.join(root, ".git"), path.join(root, "sub"), { recursive: true });
      append(scene, "sub/config", `${settings(program)}[core]\n\tbare = false\n\tworktree = ..\n`);
      scene.write("sub/info/attributes", ATTRIBUTES);
    },
    control: [...SUB, "status"],
  },
  "objects borrowed from a store that lacks them": {
    prepare(scene) {
      append(scene, ".git/config");
      scene.git("config", "remote.origin.url", `ext::sh -c ${scene.program}`);
      fs.cpSync(path.join(scene.root, ".git/objects"), path.join(scene.root, "store"), {
        recursive: true,
      });
      scene.write(".git/objects/info/alternates", "../../store\n");
      lacking(scene, "HEAD:a.txt");
      fs.rmSync(path.join(scene.root, "store"), { recursive: true });
    },
    control: ["checkout", "--", "a.txt"],
  },
  "a promised file, from a local path with a program of its own": {
    prepare(scene) {
      scene.git("config", "remote.origin.url", scene.root);
      scene.git("config", "remote.origin.uploadpack", scene.program);
      lacking(scene, "HEAD:a.txt");
    },
    control: ["checkout", "--", "a.txt"],
  },
  "a promised file, by a remote helper that it names": {
    prepare(scene) {
      scene.git("config", "remote.origin.url", "x");
      scene.git("config", "remote.origin.vcs", `ext sh -c ${scene.program}`);
      scene.git("config", "protocol.ext.allow", "always");
      lacking(scene, "HEAD:a.txt");
    },
  },
  "a replaced commit and grafts": {
    prepare(scene) {
      const head = scene.git("rev-parse", "HEAD").trim();
      scene.write(".git/info/grafts", `${head} ${head}\n`);
      append(scene, ".git/config");
      scene.write(`.git/refs/replace/${head}`, `${scene.git("rev-parse", "HEAD^{tree}").trim()}\n`);
    },
  },
  "a signed commit and a program for signatures": {
    prepare(scene) {
      const { git, write, root } = scene;
      const commit = git("cat-file", "commit", "HEAD");
      const signature = "gpgsig -----BEGIN SSH SIGNATURE-----\n x\n -----END SSH SIGNATURE-----";
      write("commit", commit.replace("\n\n", `\n${signature}\n\n`));
      const hash = git("hash-object", "-t", "commit", "-w", path.join(root, "commit")).trim();
      git("update-ref", "HEAD", hash);
      git("config", "gpg.ssh.allowedSignersFile", path.join(root, "commit"));
      append(scene, ".git/config");
    },
    control: ["log"],
  },
  "a broken index": {
    prepare(scene) {
      append(scene, ".git/config");
      scene.write(".git/index", "DIRC\0\0\0\u0002\u00ff\u00ff\u00ff\u00ff");
    },
  },
  "an index larger than the disk": {
    prepare(scene) {
      append(scene, ".git/config");
      fs.truncateSync(path.join(scene.root, ".git/index"), 4e12);
    },
  },
  "another format of references and objects": {
    prepare(scene) {
      scene.git("config", "core.repositoryFormatVersion", "1");
      scene.git("config", "extensions.refStorage", "reftable");
      scene.git("config", "extensions.objectFormat", "sha256");
      append(scene, ".git/config");
      scene.write(".git/info/attributes", ATTRIBUTES);
    },
  },
  "another user's .git": {
    prepare(scene) {
      nested(scene);
      append(scene, "sub/.git/config");
      if (process.getuid?.() === 0)
        fs.lchownSync(path.join(scene.root, "sub/.git"), 12_345, 12_345);
    },
  },
  "a split index and an untracked cache": {
    prepare(scene) {
      scene.git("update-index", "--split-index");
      scene.git("update-index", "--untracked-cache");
      append(scene, ".git/config");
      scene.write(".git/info/attributes", ATTRIBUTES);
    },
    control: ["status"],
  },
  "files of variables for git": {
    prepare(scene) {
      const values = { GIT_SSH_COMMAND: scene.program, GIT_EXTERNAL_DIFF: scene.program };
      const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
      scene.write(".env", lines.join(""));
      const name = { linux: "linux", darwin: "osx" }[String(process.platform)] ?? "windows";
      const editor = { "git.path": scene.program, [`terminal.integrated.env.${name}`]: values };
      scene.write(".vscode/settings.json", JSON.stringify(editor));
    },
  },
};

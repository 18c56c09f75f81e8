import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { chmod, chown, mkdir, rm } from "node:fs/promises";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import { programOnPath } from "../../src/node/processes/programOnPath.ts";
import { gitRepository } from "../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { attacks } from "./attacks.ts";

const BIN = "mono/node_modules/.bin";
const WORK = "mono/packages/a";
/** A group of nobody here. */
const OTHERS = 54321;
const [user, group] = [process.getuid?.(), process.getgid?.()];

/** A repository with a package, and programs that its package manager put on the PATH. */
async function monorepo(...programs: readonly string[]): Promise<TempFolder> {
  const folder = await tempFolder({
    [`${WORK}/a.txt`]: "a\n",
    "mono/.gitignore": "node_modules\n",
  });
  await gitRepository(path.join(folder.root, "mono"), "-A");
  for (const each of programs) {
    const text = `#!/bin/sh\necho x > "${folder.root}/ran"\nexit 1\n`;
    await chmod(await folder.write(`${BIN}/${each}`, text), 0o755);
  }
  return folder;
}

/** Sets variables while `work` runs. */
async function withVariables<T>(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

async function foundIn(home: (root: string) => string): Promise<string | null> {
  const folder = await monorepo("git");
  const bin = path.join(folder.root, BIN);
  const variables = { PATH: `${bin}:${process.env.PATH}`, HOME: home(folder.root) };
  const [plain, found] = await withVariables(variables, async () => [
    await programOnPath("git"),
    await programOnPath("git", [path.join(folder.root, WORK)]),
  ]);
  await folder.remove();
  if (plain !== path.join(bin, "git"))
    throw new Error("the control finds another git: the attack is no attack");
  return found;
}

const isInBin = (file: string | null) => file?.includes(BIN) === true;

attacks("a program of the repository around a workspace folder, on the PATH", [
  {
    name: "is not Graft's own git",
    async play() {
      if (process.platform === "win32") return null;
      return isInBin(await foundIn((root) => path.join(root, "home"))) ? "it would run" : null;
    },
  },
  {
    name: "is the user's where that repository is around their home",
    async play() {
      if (process.platform === "win32") return null;
      const found = await foundIn((root) => path.join(realpathSync(root), "mono/ada"));
      return isInBin(found) ? null : "it is not found";
    },
  },
  ...["the repository around", "the workspace"].map((which) => ({
    name: `is not the gpg by which a commit is signed, in ${which}`,
    async play() {
      if (process.platform === "win32") return null;
      const folder = await monorepo("gpg");
      const root = path.join(folder.root, which === "the workspace" ? "mono" : WORK);
      const ran = path.join(folder.root, "ran");
      const args = ["commit", "--allow-empty", "-S", "-m", "signed"];
      const PATH = `${path.join(folder.root, BIN)}:${process.env.PATH}`;
      try {
        spawnSync("git", args, { cwd: root, env: { ...process.env, PATH } });
        if (!existsSync(ran)) throw new Error("the control runs no gpg: the attack is no attack");
        await rm(ran);
        await withVariables({ PATH }, () =>
          createNodeGit(async () => ({ folders: [root], opened: null })).run(
            { folder: { path: ".", uri: pathToFileURL(root).toString() }, args, changes: true },
            new AbortController().signal,
          ),
        );
        return existsSync(ran) ? "it ran" : null;
      } finally {
        await folder.remove();
      }
    },
  })),
]);

/** Who may write a program or its folder besides the user. Only root can give it to a group. */
const WRITERS: readonly (readonly [string, number | undefined, number, boolean])[] = [
  ["a group of others", OTHERS, 0o775, false],
  ["a group of others that may only read", OTHERS, 0o755, true],
  ["the user's own group", group === user ? group : undefined, 0o775, true],
  ["everybody", group, 0o777, false],
];

attacks(
  "a program on the PATH that a group may write",
  (["file", "folder"] as const).flatMap((what) =>
    WRITERS.map(([who, gid, mode, isTrusted]) => ({
      name: `its ${what}: ${who}`,
      async play() {
        if (user === undefined || gid === undefined || (user !== 0 && gid === OTHERS)) return null;
        const folder = await tempFolder();
        const bin = path.join(folder.root, "bin");
        await mkdir(bin);
        const file = await folder.write("bin/git", "#!/bin/sh\n");
        await chmod(file, 0o755);
        const place = what === "file" ? file : bin;
        await chown(place, user, gid);
        await chmod(place, mode);
        const PATH = `${bin}:${process.env.PATH}`;
        const found = await withVariables({ PATH }, () => programOnPath("git"));
        await folder.remove();
        if ((found === file) === isTrusted) return null;
        return isTrusted ? "it is not found" : "it would run";
      },
    })),
  ),
);

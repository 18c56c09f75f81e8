import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { chmod, chown, mkdir, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { startAcpAgent } from "../../src/node/agents/acpAgent.ts";
import { findAgents } from "../../src/node/agents/findAgents.ts";
import { connectMcp } from "../../src/node/mcp/connectMcp.ts";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import { installedProgram, programOnPath } from "../../src/node/processes/programOnPath.ts";
import type { AgentPlace } from "../../src/ports/commands/chatAgent.ts";
import { gitRepository } from "../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { shadowProblem, shadowsOn } from "../unit/node/shadow/shadowWorkspace.ts";
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

/** Starts a script that Node.js runs, which is found by the PATH. */
type StartScript = (script: string, work: string) => Promise<unknown>;

const STARTS: Readonly<Record<string, StartScript>> = {
  "an MCP server of the user's, by its name": async (script, work) => {
    await connect("node", [script], work);
  },
  "an MCP server of the user's, as its script says": async (script, work) => {
    await connect(script, [], work);
  },
  "an agent on the user's files": (script, work) =>
    startAgent(script, work, { enter: (program) => program, confine: null }),
  async "an agent on the proposals"(script, work) {
    const shadows = await shadowsOn("overlay", [work]);
    const never = new AbortController().signal;
    const place = await shadows.of("chat").enter([], never);
    if (place.ok) await startAgent(script, work, place.value);
    await shadows.of("chat").leave();
    await shadows.dispose();
  },
};

async function connect(command: string, args: readonly string[], work: string): Promise<void> {
  const transport = { type: "stdio", command, args, env: {}, cwd: null } as const;
  const server = { name: "s", transport, secrets: [], definition: "", own: true };
  const roots = () => [{ uri: pathToFileURL(work).href, name: "work" }];
  const callbacks = { toolsChanged: () => undefined, roots };
  const connected = await connectMcp(server, callbacks, AbortSignal.timeout(20_000));
  if (connected.ok) await connected.value.close();
}

async function startAgent(script: string, work: string, place: AgentPlace): Promise<void> {
  const folder = { folder: { path: ".", uri: pathToFileURL(work).href }, at: null };
  const unused = { resumeId: null, offered: () => undefined, chooseSignIn: async () => null };
  const where = { folders: [folder] as const, place, ...unused };
  const program = { name: "A", command: script, args: [], env: {} };
  const agent = await startAcpAgent(program, where, AbortSignal.timeout(20_000));
  if (agent.ok) await agent.value.dispose();
}

attacks(
  "a Node.js of the workspace on the PATH, which runs in place of the user's",
  Object.entries(STARTS).map(([name, start]) => ({
    name,
    async play() {
      if (process.platform === "win32") return null;
      if (name.includes("proposals") && (await shadowProblem("overlay")) !== null) return null;
      const [folder, own] = [await monorepo("node"), await tempFolder()];
      const script = await own.write("script", `#!/usr/bin/env node\nprocess.exit(1);\n`);
      await chmod(script, 0o755);
      const PATH = `${path.join(folder.root, BIN)}:${process.env.PATH}`;
      const ran = path.join(folder.root, "ran");
      try {
        spawnSync(script, { env: { ...process.env, PATH } });
        if (!existsSync(ran)) throw new Error("the control runs another one: this is no attack");
        await rm(ran);
        await withVariables({ PATH }, () => start(script, path.join(folder.root, WORK)));
        return existsSync(ran) ? "it ran" : null;
      } finally {
        await folder.remove();
        await own.remove();
      }
    },
  })),
);

attacks("a program of a version manager, which the workspace leads to its own", [
  {
    name: "is not Graft's own git",
    async play() {
      if (process.platform === "win32") return null;
      const folder = await tempFolder({ "work/a.txt": "a\n", "work/.tool-versions": "./evil\n" });
      const work = path.join(folder.root, "work");
      const ran = path.join(folder.root, "ran");
      const shim = '#!/bin/sh\nread -r program < .tool-versions && exec "$program"\n';
      const programs = { "shims/git": shim, "work/evil": `#!/bin/sh\necho x > "${ran}"\n` };
      for (const [name, text] of Object.entries(programs))
        await chmod(await folder.write(name, text), 0o755);
      await gitRepository(work, "-A");
      const PATH = `${path.join(folder.root, "shims")}:${process.env.PATH}`;
      try {
        spawnSync("git", ["status"], { cwd: work, env: { ...process.env, PATH } });
        if (!existsSync(ran)) throw new Error("the control does not run it: this is no attack");
        await rm(ran);
        const call = { folder: { path: ".", uri: pathToFileURL(work).href }, args: ["status"] };
        const git = createNodeGit(async () => ({ folders: [work], opened: null }));
        const said = await withVariables({ PATH }, () =>
          git.run(call, new AbortController().signal),
        );
        if (existsSync(ran)) return "it ran";
        return said.ok ? null : `git does not run: ${said.error.code}`;
      } finally {
        await folder.remove();
      }
    },
  },
]);

const ADAPTER = "node_modules/@agentclientprotocol/codex-acp";

attacks("an agent's adapter that npx takes from the workspace", [
  {
    name: "is a package that the repository has",
    play: () =>
      withAdapter(async ({ work, folder }, version) => {
        const manifest = { name: ADAPTER.slice(13), version, bin: { "codex-acp": "x" } };
        await folder.write(`work/${ADAPTER}/package.json`, JSON.stringify(manifest));
        const text = `#!/bin/sh\necho x > "${folder.root}/ran"\n`;
        await chmod(await folder.write(`work/${ADAPTER}/x`, text), 0o755);
        await mkdir(path.join(work, "node_modules/.bin"));
        await symlink(`../../${ADAPTER}/x`, path.join(work, "node_modules/.bin/codex-acp"));
      }),
  },
  {
    name: "comes from a registry that the repository names",
    play: () =>
      withAdapter(({ folder, registry }) =>
        folder.write("work/.npmrc", `registry=${registry}\nfetch-retries=0\n`),
      ),
  },
]);

interface AdapterScene {
  readonly folder: TempFolder;
  readonly work: string;
  /** The address of a registry, which leaves a trace when it is asked. */
  readonly registry: string;
}

/** Starts the adapter of an installed Codex in a workspace, as Graft would and as npx does alone. */
async function withAdapter(
  prepare: (scene: AdapterScene, version: string) => Promise<unknown>,
): Promise<string | null> {
  if (process.platform === "win32" || (await installedProgram("npx")) === null) return null;
  const folder = await tempFolder({
    "home/.npmrc": "registry=http://127.0.0.1:9/\nfetch-retries=0\n",
    "work/package.json": "{}",
  });
  const ran = path.join(folder.root, "ran");
  const server = createServer((_, answer) => {
    writeFileSync(ran, "");
    answer.writeHead(404).end();
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : 0);
    });
  });
  const [work, HOME] = ["work", "home"].map((name) => path.join(folder.root, name));
  const PATH = `${path.join(folder.root, "bin")}:${process.env.PATH}`;
  try {
    await chmod(await folder.write("bin/codex", "#!/bin/sh\n"), 0o755);
    if (work === undefined || HOME === undefined) return "there is no workspace";
    const variables = { HOME, PATH, npm_config_update_notifier: "false" };
    return await withVariables(variables, async () => {
      const [agent] = await findAgents([work]);
      const named = agent?.args.at(-1);
      if (!agent || named === undefined) return "npx is not found";
      const scene = { folder, work, registry: `http://127.0.0.1:${port}/` };
      await prepare(scene, named.split("@").at(-1) ?? "");
      const run = async (args: readonly string[]) => {
        const child = spawn(agent.command, args, { cwd: work, stdio: "ignore" });
        await once(child, "exit");
      };
      await run(["--yes", named]);
      if (!existsSync(ran)) throw new Error("npx alone does not take it: this is no attack");
      await rm(ran);
      await run(agent.args);
      return existsSync(ran) ? "it is taken" : null;
    });
  } finally {
    server.close();
    await folder.remove();
  }
}

/** Whether other users have the group of this one, as those of services share one of nobody's. */
function isSharedGroup(): boolean {
  if (!existsSync("/etc/passwd")) return false;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  return users.some(([, , uid, gid]) => gid === String(group) && uid !== String(user));
}

/** Who may write a program or its folder besides the user. Only root can give it to a group. */
const WRITERS: readonly (readonly [string, number | undefined, number, boolean])[] = [
  ["a group of others", OTHERS, 0o775, false],
  ["a group of others that may only read", OTHERS, 0o755, true],
  ["the user's own group", group === user && !isSharedGroup() ? group : undefined, 0o775, true],
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

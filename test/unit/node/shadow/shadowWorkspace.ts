import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { startChild } from "../../../../src/node/processes/childProcess.ts";
import { createNodeShadows } from "../../../../src/node/shadow/nodeShadows.ts";
import type {
  ProposedFile,
  ShadowBackendName,
  ShadowChanges,
  Shadows,
} from "../../../../src/ports/commands/shadow.ts";
import { gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const signal = new AbortController().signal;

/** A repository with one commit, and its shadows. */
export interface ShadowWorkspace {
  readonly root: string;
  /** Where commands find it. */
  shown(): string;
  readonly shadows: Shadows;
  /** Absolute path of a file. */
  at(name: string): string;
  git(...args: string[]): string;
  proposed(name: string, text: string | null): ProposedFile;
  /** Runs a command on what is proposed; gives its output and what it changed. */
  run(
    files: readonly ProposedFile[],
    command: string,
  ): Promise<ShadowChanges & { readonly output: string }>;
  /** All of the user's files with their modes, times and bytes. */
  snapshot(): Readonly<Record<string, string>>;
  /** A change's text by workspace path. */
  textsOf(changes: ShadowChanges): Readonly<Record<string, string | null>>;
  remove(): Promise<void>;
}

/** Shadows of these folders that are made in this way. */
export async function shadowsOn(
  backend: ShadowBackendName | "none" | null,
  folders: readonly string[],
  limit?: () => number,
): Promise<Shadows> {
  const before = process.env.GRAFT_SHADOW;
  if (backend !== null) process.env.GRAFT_SHADOW = backend;
  const shadows = createNodeShadows(() => folders, limit);
  // The switch is read now.
  await shadows.backend();
  if (before === undefined) delete process.env.GRAFT_SHADOW;
  else process.env.GRAFT_SHADOW = before;
  return shadows;
}

/** What this machine lacks does not change. */
const problems = new Map<ShadowBackendName | null, Promise<string | null>>();

/** Why this machine has no such shadows, or null. */
export function shadowProblem(backend: ShadowBackendName | null = null): Promise<string | null> {
  const known = problems.get(backend) ?? triedShadows(backend);
  problems.set(backend, known);
  return known;
}

async function triedShadows(backend: ShadowBackendName | null): Promise<string | null> {
  const tried = await shadowsOn(backend, []);
  const problem = await tried.problem(signal);
  await tried.dispose();
  return problem && `${problem.code} ${problem.detail}`;
}

/** Skips a suite with the reason where this machine has no such shadows. */
export async function needsShadows(
  suite: Mocha.Context,
  backend: ShadowBackendName | null,
): Promise<void> {
  const problem = await shadowProblem(backend);
  if (problem === null) return;
  console.log(`      no ${backend ?? "shadow"} here: ${problem}`);
  suite.skip();
}

/** Does something while temporary files and caches go to a folder. */
async function onDisk<T>(disk: string | null, work: () => Promise<T>): Promise<T> {
  if (disk === null) return work();
  const before = { TMPDIR: process.env.TMPDIR, XDG_CACHE_HOME: process.env.XDG_CACHE_HOME };
  Object.assign(process.env, { TMPDIR: disk, XDG_CACHE_HOME: disk });
  try {
    return await work();
  } finally {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

/** `disk` is a folder for what the shadows need, instead of the system's. */
export async function shadowWorkspace(
  files: Readonly<Record<string, string>>,
  backend: ShadowBackendName,
  disk: string | null = null,
): Promise<ShadowWorkspace> {
  const folder: TempFolder = await tempFolder();
  const { root } = folder;
  const shadows = await onDisk(disk, () => shadowsOn(backend, [root]));
  let shown = root;
  const at = (name: string) => path.join(root, name);
  const git = (...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout;
  for (const [name, text] of Object.entries(files)) await folder.write(name, text);
  await gitRepository(root, ".");
  return {
    root,
    shown: () => shown,
    shadows,
    at,
    git,
    proposed: (name, text) => ({ file: { path: name, uri: pathToFileURL(at(name)).href }, text }),
    async run(proposals, command) {
      const shadow = shadows.of("chat");
      const place = await shadow.enter(proposals, signal);
      assert.ok(place.ok, JSON.stringify(place));
      assert.equal(place.value.backend, backend);
      shown = place.value.at({ path: ".", uri: pathToFileURL(root).href }) ?? "";
      let output = "";
      const add = (text: string) => {
        output += text;
      };
      const child = await startChild({
        ...place.value.enter({ file: "/bin/sh", args: ["-c", command], cwd: root }),
        ...{ env: process.env, input: "", verbatim: false },
        onStdout: add,
        onStderr: add,
      });
      assert.ok(child.ok);
      await child.value.exited;
      const changes = await shadow.collect(signal);
      await shadow.leave();
      return { ...changes, output };
    },
    snapshot() {
      const all: Record<string, string> = {};
      for (const name of fs.readdirSync(root, { recursive: true, encoding: "utf8" })) {
        const stat = fs.lstatSync(at(name));
        const text = stat.isFile() ? fs.readFileSync(at(name), "latin1") : "";
        all[name] = `${stat.mtimeMs} ${stat.mode} ${text}`;
      }
      return all;
    },
    textsOf: ({ changes }) =>
      Object.fromEntries(changes.map((one) => [path.relative(root, one.path), one.text])),
    async remove() {
      await shadows.dispose();
      await folder.remove();
    },
  };
}

import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import * as path from "node:path";
import * as esbuild from "esbuild";
import grammars from "../../grammars/grammars.json" with { type: "json" };
import { nodeGrammarSource } from "./editor/nodeGrammarSource.ts";
import { tempFolder } from "./workspace/tempFolder.ts";

/** What a run of the command line gave. */
export interface CliResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line, with a home folder of its own. */
export interface CliBundle {
  /** The absolute path of the program, for Node.js. */
  readonly program: string;
  /** Runs it to its end. */
  run(args: readonly string[], stdin?: string, env?: NodeJS.ProcessEnv): Promise<CliResult>;
  /** Starts it; whoever starts it ends it. */
  start(args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
  remove(): Promise<void>;
}

let built: Promise<string> | null = null;

/** Builds `src/cli.ts` with its grammars, the way `dist/cli.js` is built; gives its path. */
async function build(): Promise<string> {
  const { root } = await tempFolder();
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  const program = path.join(root, "dist", "cli.js");
  await esbuild.build({
    entryPoints: ["src/cli.ts"],
    outfile: program,
    bundle: true,
    // Half as much to load.
    minify: true,
    target: "es2022",
    platform: "node",
    format: "cjs",
    logLevel: "error",
    alias: {
      "web-tree-sitter": path.resolve("node_modules/web-tree-sitter/web-tree-sitter.cjs"),
      "jsonc-parser": path.resolve("node_modules/jsonc-parser/lib/esm/main.js"),
    },
  });
  const source = nodeGrammarSource();
  const names = grammars.languages.flatMap(({ id, queries }) => [`${id}/grammar.wasm`, ...queries]);
  for (const name of new Set(["tree-sitter.wasm", ...names])) {
    const file = path.join(root, "dist", "grammars", name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, await source.read(name));
  }
  return program;
}

/** The command line, built once in a process. */
export async function buildCli(): Promise<CliBundle> {
  built ??= build();
  const [program, home] = [await built, await tempFolder()];
  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, [program, ...args], {
      // What a run learns of models stays here.
      env: { PATH: process.env.PATH, HOME: home.root, ...env },
      stdio: "pipe",
    });
  return {
    program,
    start,
    run: (args, stdin = "", env) =>
      new Promise((resolve, reject) => {
        const child = start(args, env);
        const text = { stdout: "", stderr: "" };
        child.stdout.setEncoding("utf8").on("data", (part: string) => {
          text.stdout += part;
        });
        child.stderr.setEncoding("utf8").on("data", (part: string) => {
          text.stderr += part;
        });
        child.on("error", reject);
        child.on("close", (status) => resolve({ status, ...text }));
        child.stdin.on("error", () => undefined).end(stdin);
      }),
    remove: () => home.remove(),
  };
}

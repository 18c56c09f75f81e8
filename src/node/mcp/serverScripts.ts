import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import * as path from "node:path";
import type { McpServer } from "../../ports/mcp.ts";

/** The most files of a server that are known. */
const MOST_FILES = 300;
/** What a program adds to a name without an ending, or to a folder. */
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".py", ".sh", "/index.js", "/index.mjs", "/index.ts", "/package.json", "/__main__.py"];
/** What package runners read in their folder before they start a program. */
const RUNNERS = /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|uvx?|pipx|deno|poetry|tsx)$/i;
const RUNNER_FILES = [
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  "bunfig.toml",
  "uv.toml",
  ".python-version",
  "pip.conf",
  "deno.json",
  "deno.jsonc",
];
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|sh|bash|rb|pl|php|lua|ps1|exe|jar|wasm)$|[\\/][^.\\/]+$/i;
/** Files that arguments may name and that decide what runs. Others hold data, which servers change. */
const NAMED = /\.(?:json[c5]?|toml|ya?ml|ini|cfg|conf|env)$|[\\/]\.env[^\\/]*$/i;
/** Modules beside a script that it names: `./lib.js`, and Python's `lib`. */
const IMPORTS =
  /(?:from|import|require|source|load|include)\s*\(?\s*["'`](\.{1,2}\/[^"'`\n]+)["'`]|^\s*(?:from\s+\.?([\w.]+)\s+import|import\s+([\w.]+))/gm;

/** A hash of each file that a server runs, by its absolute path: scripts that its definition names, and what these name beside them. */
export async function serverScripts({ transport }: Pick<McpServer, "transport">): Promise<Readonly<Record<string, string>>> {
  if (transport.type !== "stdio") return {};
  const { command, args, env, cwd, envFile } = transport;
  const base = cwd ?? process.cwd();
  const words = [...(/[\\/]/.test(command) ? [command] : []), ...args.flatMap(wordsOf)];
  const places = [base, ...(await folders(base, words))];
  const options = Object.values(env).flatMap((value) => (value === null ? [] : wordsOf(value)));
  const found: Record<string, string> = {};
  const located = (named: readonly string[]) =>
    named.flatMap((word) => places.flatMap((place) => ENDINGS.map((ending) => path.resolve(place, `${word}${ending}`))));
  const open = [
    ...located([...words, ...modulesOf(args)]).filter((file) => SCRIPT.test(file) || NAMED.test(file)),
    ...located(options).filter((file) => SCRIPT.test(file)),
    ...(envFile === undefined ? [] : [envFile]),
  ];
  const program = path.basename(command).replace(/\.(?:exe|cmd)$/i, "");
  if (RUNNERS.test(program)) {
    const names = args.filter((arg) => !arg.startsWith("-")).map((arg) => arg.replace(/(?<=.)@[^/]*$/, "").replace(/^@[^/]*\//, ""));
    for (const place of places) {
      open.push(...RUNNER_FILES.map((name) => path.join(place, name)), ...names.map((name) => path.join(place, "node_modules/.bin", name)));
      if (args.some((arg) => /^(?:run|start|exec|x|--prefix|-C)/.test(arg)) || program === "yarn")
        open.push(path.join(place, "package.json"));
    }
  }
  for (const file of open) {
    if (file in found || Object.keys(found).length >= MOST_FILES) continue;
    const bytes = await readScript(file);
    if (bytes === null) continue;
    found[file] = hashOf(bytes);
    if (SCRIPT.test(file)) open.push(...importsOf(file, bytes.toString("utf8")));
  }
  return found;
}

/** The files that are no longer as they were. */
export async function changedScripts(server: McpServer): Promise<readonly string[]> {
  const now: Record<string, string> = { ...(await serverScripts(server)) };
  for (const file of Object.keys(server.files)) {
    const bytes = file in now ? null : await readScript(file);
    if (bytes !== null) now[file] = hashOf(bytes);
  }
  return [...new Set([...Object.keys(server.files), ...Object.keys(now)])].filter((file) => server.files[file] !== now[file]).sort();
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64").slice(0, 22);
}

/** An argument, and what is after a `=` or an option's letter in it. */
function wordsOf(argument: string): readonly string[] {
  const parts = argument.split(/[\s=;,&|"']+/);
  return [argument, ...parts, ...parts.flatMap((part) => (/^-[A-Za-z]./.test(part) ? [part.slice(2)] : []))].filter((word) =>
    /^[^\0]{1,500}$/.test(word),
  );
}

/** The files of a module that Python runs: `-m tools.server`. */
function modulesOf(args: readonly string[]): readonly string[] {
  const at = args.indexOf("-m");
  const name = at < 0 ? undefined : args[at + 1];
  return name === undefined ? [] : [name.replaceAll(".", "/")];
}

async function folders(base: string, words: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const word of words.slice(0, 100)) {
    const folder = path.resolve(base, word);
    if (folder !== base && (await stat(folder).catch(() => null))?.isDirectory()) found.push(folder);
  }
  return found.slice(0, 5);
}

function importsOf(file: string, text: string): readonly string[] {
  const folder = path.dirname(file);
  return [...text.matchAll(IMPORTS)].flatMap(([, named, from, module]) => {
    const name = named ?? (from ?? module)?.replaceAll(".", "/");
    return name === undefined ? [] : ENDINGS.map((ending) => path.resolve(folder, `${name}${ending}`));
  });
}

/** Null for what is no file of a readable size. */
async function readScript(file: string): Promise<Buffer | null> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) return null;
  return found.size > 5_000_000 ? Buffer.from(`${found.size} ${found.mtimeMs}`) : readFile(file).catch(() => null);
}

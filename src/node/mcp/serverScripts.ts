import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import * as path from "node:path";
import type { McpServer } from "../../ports/mcp.ts";

/** Maximum number of files to hash for a server. */
const MOST_FILES = 300;
/** Extensions and entry files that a program tries for a bare name or a folder. */
const ENDINGS = [
  "",
  ".js",
  ".mjs",
  ".cjs",
  ".ts",
  ".py",
  ".sh",
  "/index.js",
  "/index.mjs",
  "/index.ts",
  "/package.json",
  "/__main__.py",
];
/** Package runners, which read files in their folder before they start a program. */
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
/** Files named in arguments that decide what runs. Other files hold data that servers change. */
const NAMED = /\.(?:json[c5]?|toml|ya?ml|ini|cfg|conf|env)$|[\\/]\.env[^\\/]*$/i;
/** Modules that a script imports: `./lib.js`, and Python's `lib`. */
const IMPORTS =
  /(?:from|import|require|source|load|include)\s*\(?\s*["'`](\.{1,2}\/[^"'`\n]+)["'`]|^\s*(?:from\s+\.?([\w.]+)\s+import|import\s+([\w.]+))/gm;

/**
 * Hashes of the files that a server runs, by absolute path: scripts that its definition names, and
 * local modules that these import.
 */
export async function serverScripts({
  transport,
}: Pick<McpServer, "transport">): Promise<Readonly<Record<string, string>>> {
  if (transport.type !== "stdio") return {};
  const { command, args, env, cwd, envFile } = transport;
  const base = cwd ?? process.cwd();
  const words = [...(/[\\/]/.test(command) ? [command] : []), ...args.flatMap(argumentWords)];
  const places = [base, ...(await folders(base, words))];
  const options = Object.values(env).flatMap((value) =>
    value === null ? [] : argumentWords(value),
  );
  const found: Record<string, string> = {};
  const located = (named: readonly string[]) =>
    named.flatMap((word) =>
      places.flatMap((place) => ENDINGS.map((ending) => path.resolve(place, `${word}${ending}`))),
    );
  const open = [
    ...located([...words, ...modulesOf(args)]).filter(
      (file) => SCRIPT.test(file) || NAMED.test(file),
    ),
    ...located(options).filter((file) => SCRIPT.test(file)),
    ...(envFile === undefined ? [] : [envFile]),
  ];
  const program = path.basename(command).replace(/\.(?:exe|cmd)$/i, "");
  if (RUNNERS.test(program)) {
    const names = args
      .filter((arg) => !arg.startsWith("-"))
      .map((arg) => arg.replace(/(?<=.)@[^/]*$/, "").replace(/^@[^/]*\//, ""));
    for (const place of places) {
      open.push(
        ...RUNNER_FILES.map((name) => path.join(place, name)),
        ...names.map((name) => path.join(place, "node_modules/.bin", name)),
      );
      if (args.some((arg) => /^(?:run|start|exec|x|--prefix|-C)/.test(arg)) || program === "yarn")
        open.push(path.join(place, "package.json"));
    }
  }
  for (const file of open) {
    if (file in found || Object.keys(found).length >= MOST_FILES) continue;
    const bytes = await readScript(file);
    if (bytes === null) continue;
    found[file] = contentHash(bytes);
    if (SCRIPT.test(file)) open.push(...importsOf(file, bytes.toString("utf8")));
  }
  return found;
}

/** The files that have changed since they were hashed. */
export async function changedScripts(server: McpServer): Promise<readonly string[]> {
  const now: Record<string, string> = { ...(await serverScripts(server)) };
  for (const file of Object.keys(server.files)) {
    const bytes = file in now ? null : await readScript(file);
    if (bytes !== null) now[file] = contentHash(bytes);
  }
  return [...new Set([...Object.keys(server.files), ...Object.keys(now)])]
    .filter((file) => server.files[file] !== now[file])
    .sort();
}

function contentHash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64").slice(0, 22);
}

/** An argument, and the part after a `=` or an option letter. */
function argumentWords(argument: string): readonly string[] {
  const parts = argument.split(/[\s=;,&|"']+/);
  return [
    argument,
    ...parts,
    ...parts.flatMap((part) => (/^-[A-Za-z]./.test(part) ? [part.slice(2)] : [])),
  ].filter((word) => /^[^\0]{1,500}$/.test(word));
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
    if (folder !== base && (await stat(folder).catch(() => null))?.isDirectory())
      found.push(folder);
  }
  return found.slice(0, 5);
}

function importsOf(file: string, text: string): readonly string[] {
  const folder = path.dirname(file);
  return [...text.matchAll(IMPORTS)].flatMap(([, named, from, module]) => {
    const name = named ?? (from ?? module)?.replaceAll(".", "/");
    return name === undefined
      ? []
      : ENDINGS.map((ending) => path.resolve(folder, `${name}${ending}`));
  });
}

/** Null if it is not a file of a readable size. */
async function readScript(file: string): Promise<Buffer | null> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) return null;
  return found.size > 5_000_000
    ? Buffer.from(`${found.size} ${found.mtimeMs}`)
    : readFile(file).catch(() => null);
}

import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import type { AgentProgram } from "../../ports/commands/chatAgent.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A folder that a variable names, else one in the home folder; or one within it. */
interface OwnFolder {
  readonly variable?: string;
  readonly folder: string;
  readonly within?: string;
}

/** Where the program of a maker keeps its settings, sessions, logs and sign-in. */
interface Maker {
  readonly word: RegExp;
  readonly folders: readonly OwnFolder[];
  /** A file beside these, in the home folder. */
  readonly file?: string;
}

/** From the makers' documentation, and from what the programs of November 2026 do. */
const MAKERS: readonly Maker[] = [
  {
    word: /claude/i,
    folders: [
      { variable: "CLAUDE_CONFIG_DIR", folder: ".claude" },
      { variable: "XDG_CACHE_HOME", folder: ".cache", within: "claude-cli-nodejs" },
    ],
    file: ".claude.json",
  },
  { word: /codex/i, folders: [{ variable: "CODEX_HOME", folder: ".codex" }] },
  { word: /gemini/i, folders: [{ folder: ".gemini" }] },
  {
    word: /opencode/i,
    folders: [
      { variable: "XDG_CONFIG_HOME", folder: ".config", within: "opencode" },
      { variable: "XDG_DATA_HOME", folder: ".local/share", within: "opencode" },
      { variable: "XDG_CACHE_HOME", folder: ".cache", within: "opencode" },
      { variable: "XDG_STATE_HOME", folder: ".local/state", within: "opencode" },
    ],
  },
  { word: /copilot/i, folders: [{ variable: "COPILOT_HOME", folder: ".copilot" }] },
  { word: /cline/i, folders: [{ variable: "CLINE_DIR", folder: ".cline" }] },
  { word: /^npx$/i, folders: [{ variable: "npm_config_cache", folder: ".npm" }] },
];

/**
 * The absolute paths at which an agent may write besides the workspace: its maker's folders and file,
 * which are made where they are missing, and what the user's settings name. `variables` are those of
 * its process.
 */
export async function writablePlaces(
  { command, args, writes = [] }: AgentProgram,
  variables: Variables,
): Promise<readonly string[]> {
  const home = variables.HOME || homedir();
  const script = args.find((each) => !each.startsWith("-")) ?? "";
  const words = [programName(command), programName(script)];
  const makers = MAKERS.filter(({ word }) => words.some((each) => word.test(each)));
  const folders = makers.flatMap((maker) =>
    maker.folders.map(({ variable = "", folder, within = "" }) =>
      path.join(variables[variable] || path.join(home, folder), within),
    ),
  );
  for (const folder of folders)
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const files = makers.flatMap(({ file }) => (file === undefined ? [] : [path.join(home, file)]));
  // Claude Code replaces its file, or writes into the one that is there.
  for (const file of files)
    await writeFile(file, "{}\n", { flag: "wx", mode: 0o600 }).catch(() => undefined);
  const named = writes.map((each) => each.replace(/^~(?=\/|$)/, () => home));
  return [...folders, ...files, ...named].filter((each) => path.isAbsolute(each));
}

/** What a program goes by: its file's name, or that of its package. */
function programName(named: string): string {
  const inPackages = named.split("/node_modules/").slice(1).at(-1);
  return inPackages ?? (path.isAbsolute(named) ? path.basename(named) : named);
}

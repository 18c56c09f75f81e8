import * as path from "node:path";
import { KEY_VARIABLES } from "../../model/connections/connectionKinds.ts";
import { isKeyName, isKeyValue } from "../../model/keyNames.ts";
import { LIBRARY_VARIABLES } from "../../ports/commands/libraryVariables.ts";
import { SYSTEM_PATH } from "../../tools/permissions/readingCommand.ts";

/**
 * Variables that VS Code sets for its own processes. They make other programs act as part of VS
 * Code.
 */
const EDITOR = /^(VSCODE_|ELECTRON_)/i;
/** Graft's own keys, which no program receives. */
const KEYS = new Set(KEY_VARIABLES.map((name) => name.toUpperCase()));
/** Proxies, which programs need even with a password in them. */
const NEEDED = /^(?:npm_config_)?(?:https?|ftp|all|no)_?proxy$/i;

/**
 * The environment for commands. Excludes Graft's keys, VS Code's own variables, and secrets that
 * are not `wanted`. Disables pagers and prompts. `withheld` lists the excluded secrets.
 */
export function childEnvironment(wanted: readonly string[] = []): {
  readonly variables: Record<string, string | undefined>;
  readonly withheld: readonly string[];
} {
  const own = Object.entries(process.env).filter(
    ([name]) => !EDITOR.test(name) && !KEYS.has(name.toUpperCase()),
  );
  const isSecret = ([name, value = ""]: (typeof own)[number]) =>
    !wanted.includes(name) && !NEEDED.test(name) && (isKeyName(name) || isKeyValue(value));
  const kept = own.filter((entry) => !isSecret(entry));
  return {
    variables: {
      ...Object.fromEntries(kept),
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      TERM: "dumb",
    },
    withheld: own.filter(isSecret).map(([name]) => name),
  };
}

/** Also those of a loader that the list does not know yet. */
function loadsLibraries(name: string): boolean {
  return LIBRARY_VARIABLES.includes(name) || /^(?:LD|DYLD)_/.test(name);
}

/**
 * The variables of a program that Graft starts for itself: no library and no program comes from a
 * relative folder.
 */
export function ownVariables(
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const folders = (variables.PATH ?? "").split(path.delimiter);
  return {
    ...Object.fromEntries(Object.entries(variables).filter(([name]) => !loadsLibraries(name))),
    ...(variables.PATH !== undefined && {
      PATH: folders.filter((folder) => path.isAbsolute(folder)).join(path.delimiter),
    }),
  };
}

/** By which Perl loads and runs code before a program. https://perldoc.perl.org/perlrun#ENVIRONMENT */
const PERL = /^PERL(?:5?LIB|5OPT|5DB)$/;
/** Begins the name of a variable that is out of the way. */
const MOVED = "GRAFT_MOVED_";

/**
 * Keeps this process's variables by which code is loaded, and its PATH, from the programs that start
 * another one: `variables` change the environment, and the lines of `restore`, of a shell, give them
 * back, or what is `given` in their place.
 */
export function movedVariables(given: Readonly<Record<string, string | undefined>> = {}): {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly restore: readonly string[];
} {
  const moved = Object.entries({ ...process.env, ...given }).filter(
    ([name]) => /^\w+$/.test(name) && (name === "PATH" || loadsLibraries(name) || PERL.test(name)),
  );
  return {
    variables: Object.fromEntries(
      moved.flatMap(([name, value]) => [
        [name, name === "PATH" ? SYSTEM_PATH : undefined],
        [`${MOVED}${name}`, value],
      ]),
    ),
    restore: moved.map(
      ([name]) =>
        `[ -z "\${${MOVED}${name}+x}" ] || { export ${name}="$${MOVED}${name}"; unset ${MOVED}${name}; }`,
    ),
  };
}

/** Variables that programs need to find the user's files, the network and the locale. */
const BASE =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|DISPLAY|WAYLAND_DISPLAY|SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|ProgramData|ProgramFiles(?:\(x86\))?|ProgramW6432|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE)$/i;

/**
 * The base environment for MCP servers, with only what every program needs. A definition adds to
 * it.
 */
export function serverEnvironment(): Record<string, string | undefined> {
  const { variables } = childEnvironment();
  return {
    ...Object.fromEntries(Object.entries(variables).filter(([name]) => BASE.test(name))),
    TERM: "dumb",
  };
}

/**
 * The value of a variable that the user's definition names. Null if it is unset or one of Graft's
 * own keys.
 */
export function namedVariable(name: string): string | null {
  return EDITOR.test(name) || KEYS.has(name.toUpperCase()) ? null : (process.env[name] ?? null);
}

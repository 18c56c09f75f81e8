import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandLine } from "../../ports/approval.ts";
import type { RunnerFiles } from "../../ports/commands/runnerFiles.ts";
import type { Workspace } from "../../ports/workspace.ts";

/** Files by which package managers, builds and test runners decide what to run. */
const RUNNER_FILE = new RegExp(
  `^(?:${[
    "package\\.json|\\.npmrc|\\.yarnrc(?:\\.yml)?|yarn-.*\\.cjs|\\.pnpmfile\\.c?js|pnpm-workspace\\.yaml|bunfig\\.toml|deno\\.jsonc?|lerna\\.json|nx\\.json|turbo\\.json|\\.nvmrc|\\.node-version|\\.tool-versions|\\.?mise\\.toml",
    "(?:GNU|BSD)?makefile|.*\\.mk|\\.?justfile|taskfile\\.ya?ml|rakefile|gemfile|\\.rspec|gulpfile\\..*|gruntfile\\..*|dockerfile|jakefile.*|magefile\\.go",
    "conftest\\.py|pytest\\.ini|tox\\.ini|setup\\.(?:cfg|py)|pyproject\\.toml|noxfile\\.py|tasks\\.py|dodo\\.py|sitecustomize\\.py|usercustomize\\.py|pip\\.conf|uv\\.toml|\\.coveragerc|mypy\\.ini|\\.pylintrc|manage\\.py",
    "\\.env(?:\\..*)?|\\.envrc|\\.bashrc|\\.profile|\\.bash_profile|\\.zshrc|\\.zshenv",
    "cargo\\.toml|build\\.rs|rust-toolchain(?:\\.toml)?|go\\.work|build\\.gradle(?:\\.kts)?|settings\\.gradle(?:\\.kts)?|init\\.gradle|gradle\\.properties|gradlew(?:\\.bat)?|mvnw(?:\\.cmd)?|pom\\.xml|maven\\.config|jvm\\.config|extensions\\.xml|gradle-wrapper\\.(?:properties|jar)|build\\.sbt|mix\\.exs|composer\\.json|phpunit\\.xml(?:\\.dist)?|cmakelists\\.txt|meson\\.build|\\.bazelrc|workspace|build\\.bazel|global\\.json|nuget\\.config|directory\\.build\\.(?:props|targets)|.*\\.(?:cs|fs|vb)proj|package\\.swift|pubspec\\.yaml",
    "(?:jest|vitest|vite|babel|karma|playwright|cypress|webpack|rollup|rspack|esbuild|tsup|next|nuxt|astro|svelte|eslint|prettier|stylelint|postcss|tailwind|lint-staged|commitlint|mocha|ava|wdio|protractor|nodemon|release|metro|craco|rsbuild|turbopack|nyc|c8)\\.(?:config|conf|workspace|setup)\\..*",
    "\\.(?:mocharc|babelrc|eslintrc|prettierrc|stylelintrc|lintstagedrc|commitlintrc|swcrc|nycrc|c8rc|taprc|releaserc|huskyrc|postcssrc)(?:\\..*)?|ava\\.config\\..*|babel\\.config\\..*|jasmine\\.json|nodemon\\.json|angular\\.json|project\\.json|tsconfig.*\\.json",
    "lefthook(?:-local)?\\.ya?ml|\\.lefthook\\.ya?ml|\\.pre-commit-config\\.yaml|\\.overcommit\\.yml|tasks\\.json|launch\\.json",
  ].join("|")})$`,
  "i",
);
/** Folders in which every file counts: hooks and tool settings. */
const RUNNER_FOLDER = /^(?:\.husky|\.githooks|git-hooks|\.mvn|\.cargo)$/i;
/** Folders with installed or generated files. */
const SKIPPED = new Set(
  "node_modules .git .hg .svn .next .nuxt .svelte-kit .output dist build out target coverage .venv venv __pycache__ .tox .nox .mypy_cache .pytest_cache .gradle .idea .cache bower_components site-packages".split(
    " ",
  ),
);
/** Maximum entries to visit and files to read, nearest to the folder first. */
const MOST_ENTRIES = 50_000;
const MOST_FILES = 2_000;
const MAX_BYTES = 2_000_000;
/** Fields of a package.json that start nothing, except when packages are installed. */
const PASSIVE = new Set(
  "dependencies devDependencies peerDependencies optionalDependencies name version description keywords author contributors license repository bugs homepage funding files private".split(
    " ",
  ),
);
const INSTALLS =
  /(?:^|\s)(?:i|ci|it|cit|install|add|update|up|upgrade|dlx|x|exec|sync|rebuild)(?:\s|$)/;
/** Git settings that name programs or other locations. */
const GIT_PROGRAM =
  /^\s*(?:\[\s*(?:include|filter|alias|merge|diff|gpg|credential|core)|.*(?:hookspath|fsmonitor|clean|smudge|process|program|sshcommand|helper|pager|editor|path|worktree|textconv|command|driver|external|attributesfile)\s*=)/i;

/** {@link RunnerFiles} of a workspace on this machine. Reads the disk on each call. */
export function createRunnerFiles(workspace: Pick<Workspace, "resolve" | "folders">): RunnerFiles {
  const users = new Set<string>();
  const hashesIn = async (text: string, folder: string): Promise<Record<string, string>> => {
    const [root, place] = [
      await workspace.resolve(workspaceRootOf(folder, workspace.folders)),
      await workspace.resolve(folder),
    ];
    if (!root.ok || !place.ok || !root.value.uri.startsWith("file:")) return {};
    const [top, start] = [
      await realpath(fileURLToPath(root.value.uri)),
      fileURLToPath(place.value.uri),
    ];
    const found: Record<string, string> = {};
    for (const file of await runnerFilesOf(top, start, text)) {
      const bytes = await readSmall(file);
      const relative = path.relative(top, file).split(path.sep).join("/");
      const name =
        workspace.folders.length > 1
          ? `${workspaceRootOf(folder, workspace.folders)}/${relative}`
          : relative;
      if (bytes !== null) found[name] = runnerHash(relative, bytes, INSTALLS.test(text));
    }
    return found;
  };
  return {
    async hashes({ text, folder }: CommandLine) {
      if (folder !== "." || workspace.folders.length <= 1) return hashesIn(text, folder);
      const all = await Promise.all(workspace.folders.map((root) => hashesIn(text, root)));
      return Object.assign({}, ...all);
    },
    decides(file, { text }) {
      const [name = "", ...folders] = file.split("/").reverse();
      if (RUNNER_FILE.test(name) || folders.some((folder) => RUNNER_FOLDER.test(folder)))
        return true;
      // A script that the command names.
      return text.split(/[\s"'=;|&()<>]+/).some((word) => path.posix.basename(word) === name);
    },
    isUsers: (file, hash) => users.has(`${file}\0${hash ?? ""}`),
    saved(file, text) {
      if (text === undefined) users.add(`${file}\0`);
      else
        for (const whole of [true, false])
          users.add(`${file}\0${runnerHash(file, Buffer.from(text), whole)}`);
    },
  };
}

/** The workspace folder that contains a workspace path. */
function workspaceRootOf(folder: string, folders: readonly string[]): string {
  if (folders.length <= 1) return ".";
  return folder.replace(/^(?:\.\/)+/, "").split("/")[0] ?? folder;
}

async function runnerFilesOf(top: string, start: string, text: string): Promise<readonly string[]> {
  const files: string[] = [];
  const take = (folder: string, entries: readonly Dirent[], all: boolean) => {
    for (const entry of entries)
      if (!entry.isDirectory() && (all || RUNNER_FILE.test(entry.name)))
        files.push(path.join(folder, entry.name));
  };
  // Words that name files are scripts that the command runs.
  for (const word of text
    .split(/[\s"'=;|&()<>]+/)
    .filter((each) => /[./\\\w]/.test(each))
    .slice(0, 200)) {
    const file = path.resolve(start, word);
    const found = word.length < 1_000 ? await stat(file).catch(() => null) : null;
    if (found?.isFile() && file.startsWith(top + path.sep)) files.push(file);
  }
  for (
    let place = path.dirname(start);
    place.startsWith(top) && start !== top;
    place = path.dirname(place)
  ) {
    const entries = await entriesOf(place);
    take(place, entries, false);
    for (const entry of entries)
      if (entry.isDirectory() && RUNNER_FOLDER.test(entry.name))
        take(path.join(place, entry.name), await entriesOf(path.join(place, entry.name)), true);
    if (place === top) break;
  }
  if (/^\s*git\b/.test(text)) {
    const config = path.join(top, ".git/config");
    files.push(config);
    const named = /^\s*hookspath\s*=\s*"?([^"\n]*)/im.exec(
      (await readSmall(config))?.toString("utf8") ?? "",
    )?.[1];
    const hooks = path.resolve(top, named?.trim() ?? ".git/hooks");
    take(
      hooks,
      (await entriesOf(hooks)).filter(({ name }) => !name.endsWith(".sample")),
      true,
    );
  }
  let left = MOST_ENTRIES;
  const open = [{ folder: start, all: false }];
  for (const { folder, all } of open) {
    const entries = await entriesOf(folder);
    left -= entries.length;
    if (left < 0) break;
    take(folder, entries, all);
    for (const entry of entries) {
      if (entry.isDirectory() && !SKIPPED.has(entry.name))
        open.push({
          folder: path.join(folder, entry.name),
          all: all || RUNNER_FOLDER.test(entry.name),
        });
    }
  }
  return [...new Set(files)].slice(0, MOST_FILES);
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

/** Null if the path is not a file. A file that is too large is identified by size and time. */
async function readSmall(file: string): Promise<Buffer | null> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) return null;
  if (found.size > MAX_BYTES) return Buffer.from(`${found.size} ${found.mtimeMs}`);
  return readFile(file).catch(() => null);
}

function runnerHash(file: string, bytes: Buffer, whole: boolean): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const content = name === "package.json" && !whole ? activeFields(bytes.toString("utf8")) : bytes;
  const shown = file.endsWith(".git/config") ? programLines(bytes.toString("utf8")) : content;
  return createHash("sha256").update(shown).digest("base64").slice(0, 22);
}

/** A package.json without its passive fields. Scripts and tool settings stay. */
function activeFields(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return text;
    return JSON.stringify(Object.entries(value).filter(([name]) => !PASSIVE.has(name)));
  } catch {
    return text;
  }
}

function programLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => GIT_PROGRAM.test(line))
    .join("\n");
}

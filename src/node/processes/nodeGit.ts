import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { Deadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { Git, GitOutput, GitRefusal } from "../../ports/commands/git.ts";
import type { CommandPlace, ProcessFailure } from "../../ports/commands/process.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { startChild } from "./childProcess.ts";
import { type GitProgram, gitChanging, gitReading } from "./gitProgram.ts";
import {
  contains,
  type GitPlaces,
  type GitSetting,
  gitComplaint,
  type PlacedRepository,
  placeRepository,
  programsOf,
  settingsIn,
} from "./gitRepository.ts";
import { treeWaitsFor } from "./gitWaits.ts";
import { pathOutside, programOnPath } from "./programOnPath.ts";

/** The most output that is kept, in UTF-16 units. */
const MAX_OUTPUT = 4_000_000;

/**
 * How long a git that changes something may take to remove its locks when it is stopped, in
 * milliseconds. Killed before, it leaves a repository in which no git can commit; on a busy machine
 * it may not run for seconds.
 */
const UNLOCK_MS = 60_000;

/**
 * How long git may read, in milliseconds; less than a tool may take, so that it can say what git
 * waited for.
 */
const MOST_READING_MS = 25_000;
/** How many folders are looked through for that. */
const MOST_FOLDERS = 20_000;

/** Git's error when it needs a disabled filter. */
const FILTER_NEEDED = /^fatal: .*: clean filter '(.*)' failed$/m;

/** Git's warnings that quote a line of a file which the settings may name as one of rules. */
const QUOTING =
  /^(?:.* is not a valid attribute name: .*|warning: unrecognized (?:negative )?pattern: .*)\n?/gm;

/** The git of this machine. */
interface FoundGit {
  readonly file: string;
  /** Where it finds the programs that it starts by their names, such as gpg. */
  readonly PATH: string;
}

type FindRepository = (
  folder: FileRef,
  signal: AbortSignal,
) => Promise<Result<PlacedRepository & FoundGit, ProcessFailure | GitRefusal>>;

/**
 * The git on the PATH, limited to the given repositories. Hooks receive the `wanted` secrets of the
 * environment. What only reads is ended after `mostMs` milliseconds.
 */
export function createNodeGit(
  places: () => Promise<GitPlaces>,
  wanted: () => readonly string[] = () => [],
  mostMs = MOST_READING_MS,
): Git {
  const asking =
    ({ file: git, PATH }: FoundGit, signal: AbortSignal, place?: CommandPlace) =>
    (args: readonly string[], cwd: string) => {
      const program = gitReading({ git, args, cwd, PATH });
      return readInTime({ program, input: "", mostMs, place }, signal);
    };
  const find: FindRepository = async (folder, signal) => {
    if (!folder.uri.startsWith("file:"))
      return err<ProcessFailure>({ code: "not-on-disk", program: "git" });
    const known = await places();
    const file = await programOnPath("git", known.folders);
    if (file === null) return err<ProcessFailure>({ code: "not-found", program: "git" });
    const found = { file, PATH: await pathOutside(known.folders) };
    const ask = asking(found, signal);
    const placed = await placeRepository(fileURLToPath(folder.uri), known, file, ask);
    return placed.ok ? ok({ ...placed.value, ...found }) : placed;
  };
  const gitBy = (found: FindRepository): Git => ({
    async run(asked, signal) {
      const { folder, args, paths = [], input = "", changes = false } = asked;
      const placed = await (changes ? find : found)(folder, signal);
      if (!placed.ok) return placed;
      const { file, PATH, start } = placed.value;
      const named = pathspecs(placed.value, paths);
      if (!named.ok) return named;
      const specs = named.value;
      if (changes) {
        const all = [...args, ...(specs.length > 0 ? ["--", ...specs] : [])];
        const program = gitChanging({ git: file, args: all, cwd: start, PATH }, wanted());
        const changed = await startGit(program, input, signal, UNLOCK_MS);
        return changed.ok
          ? ok({ ...changed.value, stderr: changed.value.stderr.replace(QUOTING, "") })
          : changed;
      }
      if (asked.place) {
        const seen = await settingsIn(start, asking(placed.value, signal, asked.place));
        if (!seen.ok) return seen;
        if (!isDeepStrictEqual(seen.value, placed.value.settings))
          return err({ code: "settings-proposed" });
      }
      const read = await readGit(asked, placed.value, specs, { signal, mostMs });
      if (read.ok || read.error.code !== "git-silent") return read;
      const path = await treeWaitsFor(placed.value.top, MOST_FOLDERS);
      return path === null ? read : err({ code: "git-waits", path });
    },
    async programs(folder, signal) {
      const placed = await found(folder, signal);
      if (!placed.ok) return [];
      return programsOf(placed.value, asking(placed.value, signal));
    },
    forOneCall() {
      const known = new Map<string, ReturnType<FindRepository>>();
      return gitBy((folder, signal) => {
        const placed = known.get(folder.uri) ?? find(folder, signal);
        known.set(folder.uri, placed);
        return placed;
      });
    },
  });
  return gitBy(find);
}

/**
 * Runs git read-only and without content filters. Where git needs one of the repository it is
 * refused; files that need the user's own are read as they are on disk.
 */
async function readGit(
  { args, except = [], input = "", place }: Parameters<Git["run"]>[0],
  { file, PATH, start, isTop, settings }: PlacedRepository & FoundGit,
  specs: readonly string[],
  { signal, mostMs }: { readonly signal: AbortSignal; readonly mostMs: number },
): ReturnType<Git["run"]> {
  // Drop the limit if it is the whole work tree, because any limit hides merges in the history.
  const limits = isTop && specs.every((spec) => spec === ".") ? [] : specs;
  const isLiteral = except.length === 0;
  const literal = isLiteral ? limits : limits.map((spec) => `:(literal)${spec}`);
  const all = [
    ...outsideSubmodules(args),
    "--",
    ...literal,
    ...except.map((name) => `:(exclude,glob)${name}`),
  ];
  const filters = filtersOf(settings);
  const strange = filters.filter(({ name }) => !/^[\w.-]+$/.test(name));
  if (strange.length > 0)
    return err({ code: "runs-program", settings: strange.map(({ name }) => `filter.${name}`) });
  const strict = filters.map((filter) => ({ ...filter, required: true }));
  const run = (filters: readonly Filter[]) => {
    const config = filters.flatMap(({ name, required }) => [
      `filter.${name}.clean=`,
      `filter.${name}.process=`,
      `filter.${name}.required=${required}`,
    ]);
    const run = { git: file, args: all, cwd: start, config, PATH, patterns: !isLiteral };
    return readInTime({ program: gitReading(run), input, mostMs, place }, signal);
  };
  const first = await run(strict);
  const needed =
    first.ok && first.value.code !== 0 ? FILTER_NEEDED.exec(first.value.stderr)?.[1] : undefined;
  if (needed === undefined) return quiet(first);
  // Skip the user's own filters, so that their files appear as they are on disk.
  const relaxed = filters.map((filter) => ({ ...filter, required: filter.own }));
  const second = relaxed.some(({ name, own }) => name === needed && !own)
    ? await run(relaxed)
    : first;
  if (!second.ok) return second;
  const refused =
    second.value.code === 0 ? undefined : FILTER_NEEDED.exec(second.value.stderr)?.[1];
  if (refused !== undefined) return err({ code: "runs-program", settings: [`filter.${refused}`] });
  const unfiltered = filters.flatMap(({ name, own }) => (own ? [] : [name]));
  return quiet(ok({ ...second.value, unfiltered }));
}

/** Git would look for changes in a submodule by the settings of that one, which name programs. */
function outsideSubmodules(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => arg === "status" || arg === "diff") + 1;
  return at === 0 ? args : [...args.slice(0, at), "--ignore-submodules=dirty", ...args.slice(at)];
}

/** Removes git's warnings. */
function quiet<E>(output: Result<GitOutput, E>): typeof output {
  return output.ok ? ok({ ...output.value, stderr: gitComplaint(output.value.stderr) }) : output;
}

/**
 * A content filter. `own`: the repository defines part of it. `required`: git must fail rather than
 * skip it.
 */
interface Filter {
  readonly name: string;
  readonly own: boolean;
  readonly required: boolean;
}

function filtersOf(settings: readonly GitSetting[]): readonly Filter[] {
  const filters = new Map<string, Filter>();
  for (const { key, own } of settings) {
    const name = /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1];
    if (name !== undefined)
      filters.set(name, { name, own: own || (filters.get(name)?.own ?? false), required: true });
  }
  return [...filters.values()];
}

/** A run of git that only reads. */
interface Reading {
  readonly program: GitProgram;
  readonly input: string;
  readonly mostMs: number;
  readonly place?: CommandPlace | undefined;
}

async function readInTime(
  { program, input, mostMs, place }: Reading,
  signal: AbortSignal,
): Promise<Result<GitOutput, ProcessFailure | GitRefusal>> {
  const limit = new Deadline(signal);
  limit.restart(mostMs);
  try {
    const ran = await startGit(program, input, limit.signal, 0, place);
    return !ran.ok && limit.expired ? err({ code: "git-silent", path: program.cwd }) : ran;
  } finally {
    limit.dispose();
  }
}

async function startGit(
  program: GitProgram,
  input: string,
  signal: AbortSignal,
  graceMs = 0,
  place?: CommandPlace,
): Promise<Result<GitOutput, ProcessFailure>> {
  const stdout = new OutputStart();
  const stderr = new OutputStart();
  const entered = place?.enter(program) ?? program;
  const child = await startChild({
    ...entered,
    env: program.env,
    input,
    verbatim: false,
    ...(graceMs > 0 && { graceMs }),
    onStdout: (text) => stdout.add(text),
    onStderr: (text) => stderr.add(text),
  });
  if (!child.ok) return err(child.error);
  const exit = await untilAborted(child.value.exited, signal);
  if (!exit.ok) {
    await child.value.kill();
    return err({ code: "stopped", program: "git" });
  }
  const { code } = exit.value;
  if (code === null)
    return err({ code: "ended", program: "git", detail: exit.value.signal ?? "the system" });
  return ok({ code, stdout: stdout.text, stderr: stderr.text, truncated: stdout.truncated });
}

/** The paths relative to git's start folder, which itself is `.`. */
function pathspecs(
  { start, spellings }: PlacedRepository,
  paths: readonly FileRef[],
): Result<readonly string[], GitRefusal> {
  const specs: string[] = [];
  for (const file of paths) {
    const absolute = fileURLToPath(file.uri);
    const folder = spellings.find(({ spelled }) => contains(spelled, absolute));
    const spec = path.relative(
      start,
      folder ? path.join(folder.real, path.relative(folder.spelled, absolute)) : absolute,
    );
    if (!contains(start, path.resolve(start, spec)))
      return err({ code: "path-outside-repository", path: file.path, top: start });
    specs.push(spec.split(path.sep).join("/") || ".");
  }
  return ok(specs);
}

class OutputStart {
  text = "";
  truncated = false;

  add(text: string): void {
    const room = MAX_OUTPUT - this.text.length;
    this.text += text.slice(0, room);
    if (text.length > room) this.truncated = true;
  }
}

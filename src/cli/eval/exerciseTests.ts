import { access, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";
import { childEnvironment } from "../../node/processes/childEnvironment.ts";
import { startChild } from "../../node/processes/childProcess.ts";
import { installedProgram } from "../../node/processes/programOnPath.ts";
import type { Exercise } from "./findExercises.ts";

type Command = readonly [program: string, ...args: string[]];

/** How the tests of one language run. */
interface TestRunner {
  /** The program that must be on the PATH. */
  readonly needs: string;
  /** Run one after the other in the exercise's folder, as far as the one before succeeds. */
  commands(test: readonly string[]): readonly Command[];
  /** A test file with the tests that its track leaves for later. */
  readonly enabled?: (text: string) => string;
}

const CPP: TestRunner = {
  needs: "cmake",
  // The build runs the tests.
  commands: () => [
    ["cmake", "-DEXERCISM_RUN_ALL_TESTS=1", "-S", ".", "-B", "build"],
    ["cmake", "--build", "build"],
  ],
};

/** By the ending of the solution's first file. */
const RUNNERS: Readonly<Record<string, TestRunner>> = {
  py: {
    needs: "python3",
    // Without its cache, which takes a file rewritten within a second for the old one.
    commands: (test) => [["python3", "-B", "-m", "unittest", ...test]],
  },
  go: { needs: "go", commands: () => [["go", "test", "./..."]] },
  rs: { needs: "cargo", commands: () => [["cargo", "test", "--", "--include-ignored"]] },
  js: {
    needs: "npm",
    commands: () => [["npm", "test", "--silent"]],
    enabled: (text) =>
      text
        .replace(/\bx(test|it|describe)(?=\s*[(.])/g, "$1")
        .replace(/\b(test|it|describe)\.skip(?=\s*\()/g, "$1"),
  },
  java: {
    needs: "java",
    // A daemon would outlive the run.
    commands: () => [["./gradlew", "test", "--no-daemon"]],
    enabled: (text) => text.replace(/^[ \t]*@Disabled(?:\([^)\n]*\))?[ \t]*\r?\n/gm, ""),
  },
  cpp: CPP,
  h: CPP,
};
const LIMIT_MS = 180_000;
/** Lines of a failure that the model sees. */
const SHOWN_LINES = 60;

/** What the tests of an exercise showed. */
export interface TestedExercise {
  readonly passed: boolean;
  readonly output: string;
}

/** What an exercise's tests need and this machine lacks, by name; null where they can run. */
export async function missingTools(exercise: Exercise, root: string): Promise<string | null> {
  const runner = RUNNERS[exercise.ending];
  if (!runner) return `a command for .${exercise.ending}`;
  if ((await installedProgram(runner.needs)) === null) return runner.needs;
  if (exercise.ending === "java" && !(await exists(path.join(exercise.folder, "gradlew"))))
    return "gradlew";
  if (exercise.ending === "js" && (await needsModules(exercise)))
    return (await installedModules(exercise, root)) === null ? "node_modules" : null;
  return null;
}

/**
 * Runs the tests of an exercise in its `copy`, with the test files as they were, none left out.
 * Whoever calls this was told that the model's code runs; `root` is the folder of all exercises.
 */
export async function exerciseTests(
  exercise: Exercise,
  copy: string,
  root: string,
  signal: AbortSignal,
): Promise<TestedExercise> {
  const runner = RUNNERS[exercise.ending];
  if (!runner) return { passed: false, output: "" };
  const { commands, enabled = (text) => text } = runner;
  for (const file of exercise.test) {
    const text = await readFile(path.join(exercise.folder, file), "utf8");
    const target = path.join(copy, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, enabled(text));
  }
  const modules = await installedModules(exercise, root);
  if (modules !== null) {
    const link = path.join(copy, "node_modules");
    await rm(link, { recursive: true, force: true });
    await symlink(modules, link, "junction");
  }
  let output = "";
  for (const command of commands(exercise.test)) {
    const ended = await run(command, copy, signal);
    output = `${output}\n${ended.output}`;
    if (!ended.passed) return { passed: false, output: shownOutput(output) };
  }
  return { passed: true, output: shownOutput(output) };
}

async function run(
  [program, ...args]: Command,
  cwd: string,
  signal: AbortSignal,
): Promise<TestedExercise> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  let output = "";
  const hear = (text: string) => {
    // A test that prints without an end must not fill the memory.
    output = (output + text).slice(-200_000);
  };
  const isOfCopy = program.startsWith(".");
  const file = isOfCopy ? path.join(cwd, program) : await installedProgram(program, [cwd]);
  if (file === null) return { passed: false, output: `${program} is not on the PATH.` };
  const started = await startChild({
    file,
    args,
    cwd,
    // The model's code gets no keys.
    env: childEnvironment().variables,
    input: "",
    verbatim: false,
    onStdout: hear,
    onStderr: hear,
  });
  if (!started.ok) return { passed: false, output: `${program} cannot be started.` };
  const stop = () => void started.value.kill();
  limit.addEventListener("abort", stop);
  if (limit.aborted) stop();
  const { code } = await started.value.exited;
  limit.removeEventListener("abort", stop);
  if (limit.aborted && !signal.aborted) output += "\nThe tests ran too long and were stopped.";
  return { passed: code === 0 && !limit.aborted, output };
}

function shownOutput(output: string): string {
  return output.trim().split("\n").slice(-SHOWN_LINES).join("\n");
}

const listed = z.optional(z.record(z.string(), z.unknown()));
const packageSchema = z.object({ dependencies: listed, devDependencies: listed });

async function needsModules({ folder }: Exercise): Promise<boolean> {
  const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => "");
  const { data } = packageSchema.safeParse(parseJson(text));
  return Object.keys({ ...data?.dependencies, ...data?.devDependencies }).length > 0;
}

/** The installed packages next above an exercise, up to `root`; null without any. */
async function installedModules(
  { folder, ending }: Exercise,
  root: string,
): Promise<string | null> {
  if (ending !== "js") return null;
  const top = path.resolve(root);
  for (let at = folder; ; at = path.dirname(at)) {
    const modules = path.join(at, "node_modules");
    if (await exists(modules)) return modules;
    if (at === top || at === path.dirname(at)) return null;
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { type AskedEdit, askForEdit, type MeasuredModel } from "../../agent/eval/runEvalTask.ts";
import type { MeasuredFormat } from "../../model/learnedCapabilities.ts";
import { createFileApplier } from "../../node/files/fileApplier.ts";
import { createNodeWorkspace } from "../../node/files/nodeWorkspace.ts";
import { turnErrorMessage } from "../../turns/messages.ts";
import type { TurnError } from "../../turns/turnError.ts";
import { type CommandIo, complain, fail, print, printJson } from "../commandIo.ts";
import { commandLineWords } from "../messages.ts";
import { type EvalArguments, FORMAT_NAMES, textTable } from "./evalCommand.ts";
import { exerciseTests, missingTools } from "./exerciseTests.ts";
import { type Exercise, findExercises } from "./findExercises.ts";

/** What became of one exercise. */
interface ExerciseResult extends Pick<AskedEdit, "usage" | "seconds"> {
  readonly exercise: string;
  readonly format: string;
  /** Every block had its place. */
  readonly wellFormed: boolean;
  /** Every file of the solution was changed or kept, and has no more syntax errors than before. */
  readonly parsed: boolean;
  /** After the first and the second try; null where the tests were not run. */
  readonly passed: readonly [first: boolean, second: boolean] | null;
  /** What the tests need and this machine lacks; null where nothing, and where none were wanted. */
  readonly missing: string | null;
  /** Why the model gave no answer, else null. */
  readonly error: TurnError | null;
}

/** Gives the exercises of a folder to the model, in copies, and prints the rates. */
export async function evalPolyglot(
  command: EvalArguments & { readonly tasks: string },
  parts: MeasuredModel,
  io: CommandIo,
): Promise<number> {
  const found = await findExercises(command.tasks);
  const exercises = found.slice(0, command.limit ?? found.length);
  if (exercises.length === 0)
    return fail(
      io,
      `${command.tasks} has no exercise: a folder with .meta/config.json, such as LANG/exercises/practice/NAME.`,
      2,
    );
  const formats = command.formats ?? ["ast"];
  const tests = command.runTests
    ? "Their tests run on this machine, without a sandbox."
    : "Their tests do not run without --run-tests.";
  await complain(
    io,
    `${exercises.length} exercises in ${formats.map((each) => FORMAT_NAMES[each]).join(", ")}. ${tests}`,
  );
  const runTests = command.runTests ? command.tasks : null;
  const results: ExerciseResult[] = [];
  // What is wrong for one exercise is so for all.
  const lasting = () => results.find(({ error }) => error?.retryable === false)?.error ?? null;
  for (const format of formats)
    for (const exercise of exercises) {
      if (parts.signal.aborted) return 130;
      if (lasting()) break;
      const result = await runExercise(exercise, format, runTests, parts);
      results.push(result);
      if (command.json) await printJson(io, result);
      else await complain(io, `${result.exercise}, ${result.format}: ${exerciseText(result)}`);
    }
  if (parts.signal.aborted) return 130;
  const rows = formats.map((format) => rates(format, results));
  if (command.json) for (const row of rows) await printJson(io, row);
  else await print(io.stdout, `${ratesTable(rows)}\n`);
  const error = lasting();
  return error ? fail(io, turnErrorMessage(error, commandLineWords), 1) : 0;
}

/** Why the model did not answer; null where it did, if only in part. */
function failureOf({ error, hasAnswered }: AskedEdit): TurnError | null {
  return hasAnswered ? null : error;
}

/** The rates of one format, in percent, named as aider's leaderboard does. */
interface Rates {
  readonly format: string;
  readonly test_cases: number;
  /** The cases that the pass rates are of. */
  readonly tests_run: number;
  readonly pass_rate_1: number | null;
  readonly pass_rate_2: number | null;
  readonly percent_cases_well_formed: number;
  /** Of Graft: the share whose result is sound for the parser. */
  readonly percent_cases_parsed: number;
  readonly tokens: number;
  readonly seconds_per_case: number;
}

function rates(format: MeasuredFormat, results: readonly ExerciseResult[]): Rates {
  const own = results.filter((each) => each.format === FORMAT_NAMES[format]);
  const share = (is: (each: ExerciseResult) => boolean) =>
    percent(own.filter(is).length, own.length);
  const run = own.filter(({ passed }) => passed !== null);
  const passRate = (of: (passed: readonly [boolean, boolean]) => boolean) =>
    run.length === 0
      ? null
      : percent(run.filter(({ passed }) => passed && of(passed)).length, run.length);
  const sum = (of: (each: ExerciseResult) => number) =>
    own.reduce((all, each) => all + of(each), 0);
  return {
    format: FORMAT_NAMES[format],
    test_cases: own.length,
    tests_run: run.length,
    pass_rate_1: passRate(([first]) => first),
    pass_rate_2: passRate(([, second]) => second),
    percent_cases_well_formed: share(({ wellFormed }) => wellFormed),
    percent_cases_parsed: share(({ parsed }) => parsed),
    tokens: sum(({ usage }) => usage.inputTokens + usage.outputTokens),
    seconds_per_case:
      Math.round((10 * sum(({ seconds }) => seconds)) / Math.max(1, own.length)) / 10,
  };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10;
}

function ratesTable(rows: readonly Rates[]): string {
  const heads = [
    "format",
    "cases",
    "tests run",
    "pass rate 1",
    "pass rate 2",
    "well-formed",
    "parsed",
    "tokens",
  ];
  const share = (value: number | null) => (value === null ? "not run" : `${value.toFixed(1)} %`);
  return textTable([
    heads,
    ...rows.map((row) => [
      row.format,
      String(row.test_cases),
      String(row.tests_run),
      share(row.pass_rate_1),
      share(row.pass_rate_2),
      share(row.percent_cases_well_formed),
      share(row.percent_cases_parsed),
      row.tokens.toLocaleString("en"),
    ]),
  ]);
}

function exerciseText({ passed, wellFormed, parsed, missing, error }: ExerciseResult): string {
  if (error) return `no answer, ${turnErrorMessage(error, commandLineWords)}`;
  const form = wellFormed ? "well-formed" : "not well-formed";
  const skipped = missing === null ? "" : `, tests skipped: ${missing} is missing`;
  if (passed === null) return `${form}, ${parsed ? "parsed" : "not parsed"}${skipped}`;
  return `${form}, ${passed[0] ? "passed" : passed[1] ? "passed at the second try" : "not passed"}`;
}

/** `tests` is the folder of all exercises where their tests run, else null. */
async function runExercise(
  exercise: Exercise,
  format: MeasuredFormat,
  tests: string | null,
  parts: MeasuredModel,
): Promise<ExerciseResult> {
  const { folder, place, solution } = exercise;
  const temporary = await mkdtemp(path.join(os.tmpdir(), "graft-eval-"));
  try {
    // C++'s build files find the sources by the folder's name.
    const root = path.join(temporary, path.basename(folder));
    await cp(folder, root, { recursive: true, filter: (file) => !isHidden(file, exercise) });
    const workspace = await createNodeWorkspace(root);
    const files = { workspace, write: createFileApplier(workspace) };
    const errorsBefore = await syntaxErrors(root, solution, parts);
    const only = solution.length === 1 ? (solution[0] ?? null) : null;
    const ask = (more: string) =>
      askForEdit(files, only, requestFor(exercise, format, more), format, parts);
    const first = await ask("");
    const parsed = (await syntaxErrors(root, solution, parts)) <= errorsBefore && first.hasAnswered;
    const wellFormed = !first.wasRefused && first.hasAnswered;
    const missing = tests === null ? null : await missingTools(exercise, tests);
    const { usage, seconds } = first;
    const error = failureOf(first);
    const facts = { wellFormed, parsed, missing, error };
    const one = { exercise: place, format: FORMAT_NAMES[format], ...facts };
    const asked = { ...one, usage, seconds };
    if (tests === null || missing !== null) return { ...asked, passed: null };
    if (error) return { ...asked, passed: [false, false] };
    const run = () => exerciseTests(exercise, root, tests, parts.signal);
    const tested = await run();
    if (tested.passed) return { ...asked, passed: [true, true] };
    const second = await ask(`The tests fail:\n\n${tested.output}\n\nFix the code.`);
    const again = await run();
    return {
      ...one,
      wellFormed: wellFormed && !second.wasRefused,
      error: failureOf(second),
      usage: {
        ...second.usage,
        inputTokens: usage.inputTokens + second.usage.inputTokens,
        outputTokens: usage.outputTokens + second.usage.outputTokens,
      },
      seconds: seconds + second.seconds,
      passed: [false, again.passed],
    };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The solution and the tests are not for the model; packages and what was built stay behind. */
function isHidden(file: string, { folder, test }: Exercise): boolean {
  const name = path.relative(folder, file).split(path.sep).join("/");
  return (
    /^(?:\.(?:meta|docs|approaches|articles)|node_modules|build|target)(?:\/|$)/.test(name) ||
    test.includes(name)
  );
}

function requestFor(
  { instructions, solution }: Exercise,
  format: MeasuredFormat,
  more: string,
): string {
  const files = solution.join(", ");
  const way = format === "patch" ? " Use patch_source_file." : "";
  const task = `${instructions}\n\nImplement this in ${files}. Keep the names of existing functions and classes; use only the standard library.${way}`;
  return more === "" ? task : `${task}\n\n${more}`;
}

async function syntaxErrors(
  root: string,
  files: readonly string[],
  { syntax, signal }: MeasuredModel,
): Promise<number> {
  let errors = 0;
  for (const file of files) {
    const text = await readFile(path.join(root, file), "utf8").catch(() => "");
    const document = await syntax.openFile(file, "", text, signal);
    errors += document?.errorCount() ?? 0;
    document?.dispose();
  }
  return errors;
}

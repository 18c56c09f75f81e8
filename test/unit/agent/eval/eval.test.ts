import assert from "node:assert/strict";
import { checkResult } from "../../../../src/agent/eval/checkResult.ts";
import { EVAL_TASKS } from "../../../../src/agent/eval/evalTasks.ts";
import {
  bestFormat,
  evalBudget,
  evalRows,
  MEASURED_FORMATS,
  runEval,
} from "../../../../src/agent/eval/runEval.ts";
import type { EvalResult } from "../../../../src/agent/eval/runEvalTask.ts";
import { createOpenaiClient } from "../../../../src/model/openai/openaiClient.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { testSyntax as syntax } from "../../../fakes/editor/testSyntax.ts";
import {
  halfwayModel,
  loopingModel,
  rightModel,
  wrongModel,
} from "../../../fakes/model/evalModels.ts";
import { type ModelHandler, startModelServer } from "../../../fakes/model/modelServer.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { GENEROUS } from "../../model/collect.ts";

const logger = new RecordingLogger();
/** All tasks, or every fourth, which are of all languages. */
const MEASURED = EVAL_TASKS.filter((_, at) => at % Math.ceil(20 / campaignRuns(5, 20)) === 0);
const COUNT = MEASURED.length;
const never = new AbortController().signal;

describe("the tasks that measure a model's edits", () => {
  it("are twenty, in five languages, each with a name of its own", () => {
    assert.equal(EVAL_TASKS.length, 20);
    assert.equal(new Set(EVAL_TASKS.map(({ name }) => name)).size, 20);
    assert.equal(new Set(EVAL_TASKS.map(({ path }) => path.split(".").at(-1))).size, 5);
  });

  for (const task of EVAL_TASKS) {
    it(`take the right result, and neither the file as it was nor a slip: ${task.name}`, async () => {
      const check = (text: string) => checkResult(task, text, syntax, never);
      assert.equal(await check(task.after), true);
      assert.equal(await check(task.before), false);
      assert.equal(await check(`${task.after}}}}`), false, "a syntax error");
      const lines = task.after.split("\n");
      const shared = lines.findIndex((line) => line !== "" && task.before.includes(`\n${line}\n`));
      assert.equal(
        await check(lines.filter((_, at) => at !== shared).join("\n")),
        false,
        "a lost line",
      );
    });
  }
});

async function measure(model: ModelHandler) {
  const server = await startModelServer(model);
  const results: EvalResult[] = [];
  try {
    const client = createOpenaiClient({ baseUrl: server.url, apiKey: null, limits: GENEROUS });
    const parts = { connection: { client, model: "m", info: null }, syntax, logger, signal: never };
    const budget = evalBudget(MEASURED, MEASURED_FORMATS, null);
    const run = await runEval(
      MEASURED,
      MEASURED_FORMATS,
      { ...budget, mostTokens: 1e9 },
      parts,
      (each) => results.push(each),
    );
    assert.ok(run.isComplete);
    const rows = evalRows(run.results);
    return { results, rows, best: bestFormat(rows) };
  } finally {
    await server.close();
  }
}

const scores = (rows: Awaited<ReturnType<typeof measure>>["rows"]) =>
  rows.map(({ format, right, repaired, refused, wrong, failed }) => [
    ...[format, right, repaired, refused, wrong, failed],
  ]);

describe("measuring how well a model edits", function () {
  this.timeout(300_000);

  for (const [what, model, each, best] of [
    ["that is right", rightModel, [COUNT, 0, 0, 0, 0], "ast"],
    ["that is wrong", wrongModel, [0, 0, 0, COUNT, 0], null],
    ["that loops", loopingModel, [0, 0, COUNT, 0, 0], null],
    ["that stops half way", halfwayModel, [0, 0, COUNT, 0, 0], null],
  ] as const) {
    it(`scores a model ${what}, the same in each run`, async () => {
      const first = await measure(model);
      assert.deepEqual(
        scores(first.rows),
        MEASURED_FORMATS.map((format) => [format, ...each]),
      );
      assert.equal(first.best, best);
      const again = await measure(model);
      const facts = ({ task, format, outcome, inputTokens, outputTokens }: EvalResult) =>
        [task, format, outcome, inputTokens, outputTokens].join(" ");
      assert.deepEqual(again.results.map(facts), first.results.map(facts));
    });
  }
});

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, readFile, rm } from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as z from "zod/mini";
import { programOnPath } from "../../../src/node/processes/programOnPath.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import type { CliResult } from "../../fakes/cliBundle.ts";
import { runHere } from "../../fakes/commandLineHere.ts";
import { rightModel, rightOnlyBy } from "../../fakes/model/evalModels.ts";
import { startListServer } from "../../fakes/model/listServer.ts";
import {
  type ModelHandler,
  type ModelServer,
  startModelServer,
  stepChunks,
} from "../../fakes/model/modelServer.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";

const ratesSchema = z.object({
  test_cases: z.number(),
  tests_run: z.number(),
  pass_rate_1: z.nullable(z.number()),
  pass_rate_2: z.nullable(z.number()),
  percent_cases_well_formed: z.number(),
});
const resultSchema = z.object({
  exercise: z.string(),
  passed: z.nullable(z.tuple([z.boolean(), z.boolean()])),
  missing: z.nullable(z.string()),
});

const lines = (result: CliResult): unknown[] =>
  result.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const ratesOf = (result: CliResult) => ratesSchema.parse(lines(result).at(-1));
const resultsOf = (result: CliResult) =>
  new Map(
    lines(result)
      .flatMap((line) => resultSchema.safeParse(line).data ?? [])
      .map((each) => [each.exercise.split("/")[0], each]),
  );

describe("graft eval", function () {
  this.timeout(300_000);
  let home: TempFolder;
  let folder: TempFolder;

  beforeEach(async () => {
    home = await tempFolder();
    folder = await tempFolder({ "src/app.ts": "export function a() {\n  return 1;\n}\n" });
  });
  afterEach(async () => {
    await home.remove();
    await folder.remove();
  });

  const argumentsFor = (
    server: Pick<ModelServer, "url">,
    model: string,
    [command = "", ...args]: readonly string[],
  ) => [command, "--base-url", server.url, "--model", model, ...args];
  const run = (...to: Parameters<typeof argumentsFor>) => runHere(home.root, argumentsFor(...to));
  const evalOf = async (model: ModelHandler, ...more: readonly string[]) => {
    const server = await startModelServer(model);
    try {
      return await run(server, "m", ["eval", ...more]);
    } finally {
      await server.close();
    }
  };

  it("says at once that a server cannot be reached, before any task", async () => {
    const server = await startModelServer(rightModel);
    await server.close();
    for (const more of [[], ["--tasks", folder.root]]) {
      const result = await run(server, "m", ["eval", ...more, "--limit", "1"]);
      assert.deepEqual([result.status, result.stdout], [1, ""]);
      assert.match(result.stderr, /^graft: .*127\.0\.0\.1.*\n$/);
      assert.doesNotMatch(result.stderr, /tokens|exercise/);
    }
  });

  it("prints how many tasks a model got right in each format, after its budget", async () => {
    const result = await evalOf(rightModel, "--limit", "3");
    assert.equal(result.status, 0, result.stderr);
    assert.match(result.stderr, /^graft: 12 tasks, about [\d,]+ tokens; the run stops at /);
    const rows = result.stdout.split("\n").map((line) => line.trim().split(/\s+/).slice(0, 6));
    assert.deepEqual(rows.slice(0, 5), [
      ["format", "right", "repaired", "refused", "wrong", "failed"],
      ...["elements", "lines", "wholeFile", "searchReplace"].map((format) => [
        ...[format, "3", "0", "0", "0", "0"],
      ]),
    ]);
    assert.match(result.stdout, /^Best: elements\./m);
    assert.ok(
      !existsSync(path.join(home.root, ".graft/models/learned.json")),
      "a part decides nothing",
    );
  });

  it("stops at its limit of tokens, and at a failure that every task would meet", async () => {
    const limited = await evalOf(rightModel, "--max-tokens", "1", "--json");
    assert.equal(limited.status, 1);
    assert.match(limited.stdout, /"complete":false/);
    const refused = await evalOf(() => ({ status: 401 }), "--json");
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /API key/);
    assert.equal(refused.stdout.match(/"task":/g)?.length, 1, "no other task is tried");
  });

  describe("and then graft run", () => {
    const model = rightOnlyBy(/Mode: line numbers/, "src/app.ts");
    const asked = async (server: ModelServer, name: string) => {
      const before = server.requests.length;
      const args = ["run", "--root", folder.root, "Look at app.ts"];
      const result = await run(server, name, args);
      assert.equal(result.status, 0, result.stderr);
      const { messages } = server.requests.at(-1)?.body ?? { messages: [] };
      assert.ok(server.requests.length > before);
      const reply = messages.find(({ role }) => role === "tool")?.content ?? "";
      return /Mode: ([\w ]+)/.exec(reply)?.[1];
    };

    it("asks this model, at this server, for the best format that was found", async () => {
      const server = await startModelServer(model);
      const other = await startModelServer(model);
      try {
        assert.equal(await asked(server, "m"), "AST paths preferred ");
        const result = await run(server, "m", ["eval", "--json"]);
        const [last] = lines(result).slice(-1);
        const told = z.object({ best: z.string(), kept: z.boolean() }).parse(last);
        assert.deepEqual(told, { best: "lines", kept: true }, result.stderr);
        assert.match(String(await asked(server, "m")), /^line numbers/);
        assert.equal(await asked(server, "another"), "AST paths preferred ");
        assert.equal(await asked(other, "m"), "AST paths preferred ");
        await home.write(".graft/models/learned.json", "{ broken");
        assert.equal(await asked(server, "m"), "AST paths preferred ");
      } finally {
        await server.close();
        await other.close();
      }
    });
  });

  describe("of a model at Ollama", () => {
    const answered = (text: string) => ({
      status: 200,
      text: `${JSON.stringify({ message: { role: "assistant", content: text }, done: true, done_reason: "stop", prompt_eval_count: 900, eval_count: 3 })}\n`,
    });

    it("loads it with the window that is asked for, as graft run does", async () => {
      const ollama = await startListServer({
        "GET /api/ps": { models: [] },
        "POST /api/chat": answered("Hello."),
      });
      try {
        const server = { url: `${ollama.origin}/v1` };
        const size = ["--context-window", "8192"];
        const hello = await run(server, "m", ["run", ...size, "--root", folder.root, "Hi"]);
        assert.equal(hello.status, 0, hello.stderr);
        assert.match(hello.stdout, /Hello\./);
        await run(server, "m", ["eval", ...size, "--limit", "1", "--format", "elements"]);
        const chats = ollama.requests.filter(({ path: at }) => at === "/api/chat");
        const windows = chats.map(({ body }) => JSON.parse(body).options.num_ctx);
        assert.ok(windows.length > 1);
        assert.deepEqual([...new Set(windows)], [8192]);
        assert.ok(!ollama.requests.some(({ path: at }) => at.includes("completions")));
      } finally {
        await ollama.close();
      }
    });

    it("keeps the window to itself for a server that is none", async () => {
      const completion = stepChunks({ text: "Hello." }, 0)
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .join("");
      const plain = await startListServer({
        "POST /v1/chat/completions": { status: 200, text: `${completion}data: [DONE]\n\n` },
      });
      try {
        const args = ["run", "--context-window", "8192", "--root", folder.root, "Hi"];
        const result = await run({ url: `${plain.origin}/v1` }, "m", args);
        assert.equal(result.status, 0, result.stderr);
        const sent = plain.requests.filter(({ path: at }) => at === "/v1/chat/completions");
        assert.equal(sent.length, 1);
        assert.ok(!sent[0]?.body.includes("num_ctx"));
      } finally {
        await plain.close();
      }
    });
  });

  it("takes exercises in the layout of the polyglot benchmark, and runs their tests only where told", async () => {
    const add = "def add(a, b):\n    pass\n";
    const exercise = (name: string) => ({
      [`python/exercises/practice/${name}/.docs/instructions.md`]: `# ${name}\n\nAdd two numbers.\n`,
      [`python/exercises/practice/${name}/.meta/config.json`]: JSON.stringify({
        files: {
          solution: [`${name}.py`],
          test: [`${name}_test.py`],
          example: [".meta/example.py"],
        },
      }),
      [`python/exercises/practice/${name}/.meta/example.py`]: "SECRET = 1\n",
      [`python/exercises/practice/${name}/${name}.py`]: add,
      [`python/exercises/practice/${name}/${name}_test.py`]: `import unittest\nfrom ${name} import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        open("ran.txt", "w").close()\n        self.assertEqual(add(1, 2), 3)\n`,
    });
    const tasks = await tempFolder({
      ...exercise("good"),
      ...exercise("late"),
      ...exercise("odd"),
    });
    const answer = (sign: string) => ({
      text: `\`\`\`py:ast-path:add\ndef add(a, b):\n    return a ${sign} b\n\`\`\`\n`,
    });
    const sent: string[] = [];
    const model: ModelHandler = ({ body }) => {
      const text = body.messages.map(({ content }) => content ?? "").join("\n");
      sent.push(text);
      if (body.messages.some(({ role }) => role === "assistant")) return { text: "Done." };
      if (text.includes("# odd")) return { text: "```py:ast-path:gone\npass\n```\n" };
      return answer(text.includes("# good") || text.includes("The tests fail") ? "+" : "-");
    };
    try {
      const parsed = ratesOf(await evalOf(model, "--tasks", tasks.root, "--json"));
      assert.deepEqual(
        [parsed.test_cases, parsed.pass_rate_1, parsed.percent_cases_well_formed],
        [3, null, 66.7],
      );
      assert.ok(!sent.join().includes("SECRET"));
      const result = await evalOf(model, "--tasks", tasks.root, "--run-tests", "--json");
      const ran = ratesOf(result);
      assert.deepEqual(
        [ran.tests_run, ran.pass_rate_1, ran.pass_rate_2, ran.percent_cases_well_formed],
        [3, 33.3, 66.7, 66.7],
        result.stderr,
      );
      const own = path.join(tasks.root, "python/exercises/practice/good");
      assert.equal(await readFile(path.join(own, "good.py"), "utf8"), add, "a copy was changed");
      assert.ok(!existsSync(path.join(own, "ran.txt")));
      const shown = await evalOf(model, "--tasks", tasks.root);
      assert.match(shown.stdout, /pass rate 1.*well-formed/);
      const single = await evalOf(model, "--tasks", own, "--json");
      assert.equal(ratesOf(single).test_cases, 1, "one exercise is a folder too");
      const refused = await evalOf(() => ({ status: 401 }), "--tasks", tasks.root, "--json");
      assert.equal(refused.status, 1);
      assert.equal(ratesOf(refused).test_cases, 1, "the others are not tried");
      assert.match(refused.stderr, /API key/);
    } finally {
      await tasks.remove();
    }
  });

  describe("of exercises in other languages", () => {
    /** Each track's layout, with a test that its track leaves for later, and a body that is right. */
    const tracks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      go: {
        ".meta/config.json": config(["two_fer.go"], ["two_fer_test.go"]),
        "go.mod": "module twofer\n\ngo 1.18\n",
        "two_fer.go": "package twofer\n\nfunc Add(a, b int) int {\n\tpanic(0)\n}\n",
        "two_fer_test.go":
          'package twofer\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n',
      },
      rust: {
        ".meta/config.json": config(["src/lib.rs", "Cargo.toml"], ["tests/two_fer.rs"]),
        "Cargo.toml": '[package]\nname = "two_fer"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    todo!()\n}\n",
        "tests/two_fer.rs":
          "#[test]\nfn first() {}\n\n#[test]\n#[ignore]\nfn later() {\n    assert_eq!(two_fer::add(1, 2), 3);\n}\n",
      },
      javascript: {
        ".meta/config.json": config(["two-fer.js"], ["two-fer.spec.js"]),
        "package.json": JSON.stringify({
          devDependencies: { "tiny-runner": "1" },
          scripts: { test: "node two-fer.spec.js" },
        }),
        "two-fer.js":
          "function add(a, b) {\n  throw new Error();\n}\n\nmodule.exports = { add };\n",
        "two-fer.spec.js":
          'const { test, xtest } = require("tiny-runner");\nconst { add } = require("./two-fer");\ntest("first", () => {});\nxtest("later", () => { if (add(1, 2) !== 3) process.exit(1); });\n',
      },
      java: {
        ".meta/config.json": config(
          ["src/main/java/TwoFer.java"],
          ["src/test/java/TwoFerTest.java"],
        ),
        // The wrapper of these tests needs no network.
        gradlew:
          "#!/bin/sh\nset -e\njavac -d out src/main/java/*.java src/test/java/*.java\njava -cp out TwoFerTest\n",
        "src/main/java/TwoFer.java":
          "class TwoFer {\n    static int add(int a, int b) {\n        return 0;\n    }\n}\n",
        "src/test/java/TwoFerTest.java":
          'class TwoFerTest {\n    @Disabled("Remove to run test")\n    public static void main(String[] args) {\n        if (TwoFer.add(1, 2) != 3) System.exit(1);\n    }\n}\n',
      },
      cpp: {
        ".meta/config.json": config(["two_fer.cpp", "two_fer.h"], ["two_fer_test.cpp"]),
        "CMakeLists.txt": [
          "cmake_minimum_required(VERSION 3.5)",
          "get_filename_component(exercise $<CMAKE_CURRENT_SOURCE_DIR> NAME)",
          "project($<exercise> CXX)",
          'string(REPLACE "-" "_" file $<exercise>)',
          "add_executable($<exercise> $<file>_test.cpp $<file>.cpp)",
          "if(EXERCISM_RUN_ALL_TESTS)",
          "  target_compile_definitions($<exercise> PRIVATE ALL_TESTS)",
          "endif()",
          "add_custom_target(run_$<exercise> ALL DEPENDS $<exercise> COMMAND $<exercise>)\n",
        ]
          .join("\n")
          .replace(/<(\w+)>/g, "{$1}"),
        "two_fer.h": "#pragma once\nint add(int a, int b);\n",
        "two_fer.cpp": '#include "two_fer.h"\n\nint add(int a, int b) {\n    return 0;\n}\n',
        "two_fer_test.cpp":
          '#include "two_fer.h"\nint main() {\n#ifdef ALL_TESTS\n  return add(1, 2) == 3 ? 0 : 1;\n#endif\n  return 0;\n}\n',
      },
    };
    const PROGRAMS = { go: "go", rust: "cargo", javascript: "npm", java: "javac", cpp: "cmake" };
    /** What `a + b` is written in: the language of the fence, the function's head and its end. */
    const BODIES: Readonly<Record<string, readonly [fence: string, body: string]>> = {
      go: ["go:ast-path:Add", "func Add(a, b int) int {\n\treturn a + b\n}"],
      rust: ["rust:ast-path:add", "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}"],
      javascript: ["js:ast-path:add", "function add(a, b) {\n  return a + b;\n}"],
      java: [
        "java:ast-path:TwoFer-add",
        "    static int add(int a, int b) {\n        return a + b;\n    }",
      ],
      cpp: ["cpp:ast-path:add", "int add(int a, int b) {\n    return a + b;\n}"],
    };

    function config(solution: readonly string[], test: readonly string[]): string {
      return JSON.stringify({ files: { solution, test, example: [".meta/example"] } });
    }

    /** Edits with `sign` in place of the plus. */
    const model =
      (sign: string): ModelHandler =>
      ({ body }) => {
        const text = body.messages.map(({ content }) => content ?? "").join("\n");
        const [track, [fence, code]] =
          Object.entries(BODIES).find(([name]) => text.includes(`# ${name} track`)) ??
          assert.fail(text);
        const said = body.messages.filter(({ role }) => role === "assistant").length;
        const edit = { text: `\`\`\`${fence}\n${code.replace("+", sign)}\n\`\`\`\n` };
        if (track !== "cpp") return said === 0 ? edit : { text: "Done." };
        // Of two files, the model reads and opens one.
        if (said === 0) {
          const args = { file_path: "two_fer.cpp" };
          return { toolCalls: ["read_file", "edit_mode"].map((name) => ({ name, args })) };
        }
        return said === 1 ? edit : { text: "Done." };
      };

    let tasks: TempFolder;
    beforeEach(async () => {
      const files = Object.entries(tracks).flatMap(([track, own]) =>
        Object.entries({ ...own, ".docs/instructions.md": `# ${track} track\n\nAdd.\n` }).map(
          ([name, text]) => [`${track}/exercises/practice/two-fer/${name}`, text] as const,
        ),
      );
      tasks = await tempFolder(Object.fromEntries(files));
      await chmod(path.join(tasks.root, "java/exercises/practice/two-fer/gradlew"), 0o755);
    });
    afterEach(() => tasks.remove());

    const measured = async (handler: ModelHandler, env = {}) => {
      const server = await startModelServer(handler);
      const own = os.homedir();
      const homes = {
        RUSTUP_HOME: process.env.RUSTUP_HOME ?? path.join(own, ".rustup"),
        CARGO_HOME: process.env.CARGO_HOME ?? path.join(own, ".cargo"),
      };
      try {
        const args = ["eval", "--tasks", tasks.root, "--run-tests", "--json"];
        const all = argumentsFor(server, "m", args);
        const result = await runHere(home.root, all, "", null, { ...homes, ...env });
        assert.equal(result.status, 0, result.stderr);
        return { rates: ratesOf(result), results: resultsOf(result), said: result.stderr };
      } finally {
        await server.close();
      }
    };
    const install = () =>
      tasks.write(
        "javascript/node_modules/tiny-runner/index.js",
        "exports.test = (_, run) => run();\nexports.xtest = () => {};\n",
      );

    it("passes what is right, and fails what is wrong, by tests of which none is left out", async () => {
      await install();
      // Compilers take seconds, so `npm test` plays JavaScript and Rust alone.
      const { javascript, rust, ...others } = PROGRAMS;
      const all = Object.entries({ javascript, rust, ...others });
      const played = all.slice(0, campaignRuns(2, all.length));
      for (const [track] of all.slice(played.length))
        await rm(path.join(tasks.root, track), { recursive: true });
      const right = await measured(model("+"));
      // What is wrong is built twice.
      for (const [track] of all.slice(campaignRuns(1, all.length), played.length))
        await rm(path.join(tasks.root, track), { recursive: true });
      const wrong = await measured(model("-"));
      let ran = 0;
      for (const [track, program] of played) {
        const isThere = (await programOnPath(program)) !== null;
        ran += isThere ? 1 : 0;
        const [passed, failed] = [right, wrong].map(({ results }) => results.get(track)?.passed);
        assert.deepEqual(passed, isThere ? [true, true] : null, `${track} ${right.said}`);
        if (failed !== undefined)
          assert.deepEqual(failed, isThere ? [false, false] : null, `${track} ${wrong.said}`);
      }
      assert.ok(wrong.results.has("javascript"));
      assert.deepEqual([right.rates.test_cases, right.rates.tests_run], [played.length, ran]);
      assert.equal(right.rates.percent_cases_well_formed, 100);
      assert.deepEqual([right.rates.pass_rate_1, wrong.rates.pass_rate_2], [100, 0]);
    });

    it("skips tests whose tools are missing, and says which", async () => {
      const empty = await tempFolder();
      try {
        const { rates, results, said } = await measured(model("+"), { PATH: empty.root });
        assert.deepEqual([rates.test_cases, rates.tests_run, rates.pass_rate_1], [5, 0, null]);
        assert.deepEqual(Object.fromEntries([...results].map(([at, each]) => [at, each.missing])), {
          ...{ cpp: "cmake", go: "go", java: "java", javascript: "npm", rust: "cargo" },
        });
        assert.equal(said.includes("panic"), false);
      } finally {
        await empty.remove();
      }
    });

    it("skips tests of JavaScript whose packages are not installed, and of Java without a wrapper", async () => {
      await rm(path.join(tasks.root, "java/exercises/practice/two-fer/gradlew"));
      for (const track of ["go", "rust", "cpp"])
        await rm(path.join(tasks.root, track), { recursive: true });
      const { results } = await measured(model("+"));
      if (await programOnPath("npm"))
        assert.equal(results.get("javascript")?.missing, "node_modules");
      if (await programOnPath("java")) assert.equal(results.get("java")?.missing, "gradlew");
    });
  });
});

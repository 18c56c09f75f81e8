import assert from "node:assert/strict";
import { parseCommandLine } from "../../../src/cli/commandLine.ts";

const words = (line: string) => line.split(" ").filter((word) => word !== "");

describe("command line", () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ["", /No command given/],
    ["aply", /no command "aply"/],
    ["apply --root .", /apply needs --file REL/],
    ["apply --root . --file", /--file/],
    [
      "apply --root . --file a --mode fast",
      /--mode must be one of auto, lines, ast, complete, not "fast"/,
    ],
    ["apply --root . --file a --chunk 0", /--chunk must be a whole number/],
    ["apply --root . --file a --chunk 1.5", /--chunk must be a whole number/],
    ["apply --root . --file a --chunk=-3", /--chunk must be a whole number/],
    ["apply --root . --file a --wrong", /Unknown option '--wrong'/],
    ["apply --batch a --json", /--batch takes no other options/],
    ["apply --batch=a --root .", /--batch takes no other options/],
    ["apply --root . --file a extra", /Unexpected argument .extra./],
    ["outline --root .", /outline needs --file REL/],
    ["run --root . --base-url demo", /run needs a PROMPT/],
    ["run --root . hello", /run needs --base-url URL/],
    ["mcp extra", /Unexpected argument/],
    ["mcp --alone --beside", /exclude each other/],
    ["mcp --port 1", /--port needs --http/],
    ["mcp --http --port 70000", /--port must be a number/],
    ["mcp --http --port x", /--port must be a number/],
    ["run --root . --base-url http://x/v1 hello", /run needs --model NAME/],
    [
      "run --root . --base-url ftp://x --model m hello",
      /--base-url must be demo or an http\(s\) address/,
    ],
    [
      "run --root . --base-url nonsense --model m hello",
      /--base-url must be demo or an http\(s\) address/,
    ],
    [
      "run --root . --base-url demo --accept some hello",
      /--accept must be all or none, not "some"/,
    ],
    ["run --root . --base-url demo --accept all --patch p hello", /--patch needs --accept none/],
    ["run --root . --base-url demo --max-steps 0 hello", /--max-steps must be a whole number/],
    ["run --root . --base-url demo --mode fast hello", /--mode must be one of ask, plan, edit/],
    ["run --root . --base-url demo hello world", /put it in quotes/],
    ["review", /review needs a FILE/],
    ["review a.json --accept some", /--accept must be all, none or ask, not "some"/],
    ["review a.json b.json", /takes one FILE/],
    ["acp", /acp needs --base-url URL/],
    ["acp --base-url http://x/v1", /acp needs --model NAME/],
    ["acp --base-url demo --accept all", /--accept/],
    ["acp --base-url demo hello", /hello/],
  ];
  for (const [line, sentence] of wrong) {
    it(`rejects: graft ${line}`, () => {
      const command = parseCommandLine(words(line));
      assert.match(command.ok ? "accepted" : command.error, sentence);
    });
  }

  it("fills in the defaults", () => {
    assert.deepEqual(parseCommandLine(["acp", "--base-url", "http://x/v1/", "--model", "m"]), {
      ok: true,
      value: {
        ...{ name: "acp", baseUrl: "http://x/v1", model: "m" },
        ...{ allowCommands: false, mcp: null, maxSteps: 25, mode: "edit" },
      },
    });
    assert.deepEqual(parseCommandLine(["mcp"]), {
      ok: true,
      value: { name: "mcp", root: ".", port: null, where: "either" },
    });
    assert.deepEqual(parseCommandLine(words("mcp --root x --alone --http")), {
      ok: true,
      value: { name: "mcp", root: "x", port: 0, where: "alone" },
    });
    assert.deepEqual(parseCommandLine(words("apply --file a.ts")), {
      ok: true,
      value: {
        name: "apply",
        root: ".",
        file: "a.ts",
        mode: "auto",
        chunk: Number.POSITIVE_INFINITY,
        write: false,
        json: false,
      },
    });
    assert.deepEqual(
      parseCommandLine([...words("run --root . --base-url http://x/v1/ --model m"), "two words"]),
      {
        ok: true,
        value: {
          name: "run",
          root: ".",
          baseUrl: "http://x/v1",
          model: "m",
          accept: "none",
          allowCommands: false,
          mcp: null,
          patch: null,
          maxSteps: 25,
          mode: "edit",
          json: false,
          prompt: "two words",
        },
      },
    );
    assert.deepEqual(
      parseCommandLine(
        words(
          "run --root . --base-url demo --accept all --max-steps 3 hi --allow-commands --mcp m.json",
        ),
      ),
      {
        ok: true,
        value: {
          name: "run",
          root: ".",
          baseUrl: "demo",
          model: "demo",
          accept: "all",
          allowCommands: true,
          mcp: "m.json",
          patch: null,
          maxSteps: 3,
          mode: "edit",
          json: false,
          prompt: "hi",
        },
      },
    );
  });

  it("accepts a prompt that starts with a dash after --", () => {
    const command = parseCommandLine([...words("run --root . --base-url demo --"), "--help me"]);
    assert.equal(command.ok && command.value.name === "run" && command.value.prompt, "--help me");
  });

  it("knows --help and --version", () => {
    for (const line of ["--help", "-h", "help", "apply --help"])
      assert.deepEqual(parseCommandLine(words(line)), { ok: true, value: { name: "help" } }, line);
    assert.deepEqual(parseCommandLine(["--version"]), { ok: true, value: { name: "version" } });
  });
});

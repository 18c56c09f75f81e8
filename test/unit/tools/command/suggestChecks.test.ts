import assert from "node:assert/strict";
import { suggestChecks } from "../../../../src/tools/command/suggestChecks.ts";

const packageOf = (scripts: object) => JSON.stringify({ name: "a", scripts });

describe("suggested checks", () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] =
    [
      [
        "scripts, tests first",
        { "package.json": packageOf({ lint: "x", test: "y", start: "z" }) },
        ["npm test", "npm run lint"],
      ],
      [
        "the package manager by its lock file",
        { "package.json": packageOf({ test: "x", lint: "y" }), "pnpm-lock.yaml": "" },
        ["pnpm test", "pnpm run lint"],
      ],
      [
        "bun's script, not its own runner",
        { "package.json": packageOf({ test: "x" }), "bun.lock": "" },
        ["bun run test"],
      ],
      [
        "no script that only fails",
        { "package.json": packageOf({ test: 'echo "Error: no test specified" && exit 1' }) },
        [],
      ],
      ["nothing of a damaged file", { "package.json": "{" }, []],
      [
        "targets, no variables",
        { Makefile: "test: build\n\tgo test\nlint:=x\nbuild:\n\tgo build\n" },
        ["make test", "make build"],
      ],
      ["a recipe", { justfile: "check:\n  cargo check\n" }, ["just check"]],
      [
        "what a language has",
        { "go.mod": "module a", "Cargo.toml": "" },
        ["go test ./...", "go vet ./...", "cargo test", "cargo check"],
      ],
      ["one command once", { "pyproject.toml": "", "pytest.ini": "" }, ["pytest"]],
    ];
  for (const [name, texts, commands] of cases)
    it(`are ${name}`, () =>
      assert.deepEqual(
        [...suggestChecks(texts).map(({ text }) => text)].sort(),
        [...commands].sort(),
      ));

  it("say where they come from, and run in their folder", () => {
    const texts = { "package.json": packageOf({ build: "b", test: "t" }) };
    assert.deepEqual(suggestChecks(texts, "web"), [
      { text: "npm test", folder: "web", from: "web/package.json" },
      { text: "npm run build", folder: "web", from: "web/package.json" },
    ]);
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { startGuest } from "../fakes/mcp/guestClient.ts";
import { startModelServer } from "../fakes/model/modelServer.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { npm } from "../harness/dependencies.mjs";

const run = promisify(execFile);
const APP = "export function a() {\n  return 1;\n}\n";
const FENCE = "```";

/** Needs `npm run build` before. */
describe("the npm package, installed into an empty folder", () => {
  let folder: TempFolder;
  const env = () => ({ ...process.env, npm_config_cache: path.join(folder.root, ".npm") });
  const graft = (...args: readonly string[]) =>
    run(npm, ["exec", "--offline", "--", "graft", ...args], { cwd: folder.root, env: env() });

  before(async () => {
    folder = await tempFolder({ "package.json": '{"private":true}', "src/app.ts": APP });
    const packed = path.resolve("dist/npm");
    await run(npm, ["pack", "--pack-destination", folder.root], { cwd: packed, env: env() });
    const [tarball = ""] = readdirSync(folder.root).filter((name) => name.endsWith(".tgz"));
    const flags = ["--offline", "--no-audit", "--no-fund"];
    await run(npm, ["install", ...flags, `./${tarball}`], { cwd: folder.root, env: env() });
  });
  after(() => folder.remove());

  it("holds the program, its grammars and licenses, and needs no other package", () => {
    const at = (name: string) => path.join(folder.root, "node_modules", name);
    assert.deepEqual(
      readdirSync(at(".")).filter((name) => !name.startsWith(".")),
      ["graft-edits"],
    );
    assert.deepEqual(readdirSync(at("graft-edits")).sort(), [
      "LICENSE",
      "README.md",
      "ThirdPartyNotices.txt",
      "dist",
      "package.json",
    ]);
    assert.deepEqual(readdirSync(at("graft-edits/dist")).sort(), ["cli.js", "grammars"]);
  });

  it("says how it is used, and its version", async () => {
    assert.match((await graft("--help")).stdout, /^Usage:/);
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    assert.equal((await graft("--version")).stdout, `${version}\n`);
  });

  it("outlines in the current folder", async () => {
    const { stdout } = await graft("outline", "--file", "src/app.ts", "--json");
    assert.deepEqual(JSON.parse(stdout), [
      { path: "a", kind: "function", startLine: 1, endLine: 3 },
    ]);
  });

  it("runs a turn of a model", async () => {
    const server = await startModelServer([
      {
        toolCalls: ["read_file", "edit_mode"].map((name) => ({
          name,
          args: { file_path: "src/app.ts" },
        })),
      },
      {
        text: `Changed:\n\n${FENCE}ts:ast-path:a\nexport function a() {\n  return 2;\n}\n${FENCE}\n`,
      },
      { text: "Done." },
    ]);
    const { stdout } = await graft(
      ...["run", "--base-url", server.url, "--model", "m", "--accept", "all", "Return 2"],
    );
    assert.match(stdout, /= src\/app\.ts \(ast-path:a\): applied/);
    assert.match(readFileSync(path.join(folder.root, "src/app.ts"), "utf8"), /return 2/);
    await server.close();
  });

  it("serves other agents", async () => {
    const program = path.join(folder.root, "node_modules/graft-edits/dist/cli.js");
    const guest = await startGuest(program, ["--root", folder.root, "--alone"], {
      HOME: folder.root,
    });
    const { text } = await guest.call("file_outline", { file_path: "src/app.ts" });
    assert.match(text, /function/);
    await guest.close();
  });
});

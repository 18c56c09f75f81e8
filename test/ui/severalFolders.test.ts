import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { buildCli, type CliBundle } from "../fakes/cliBundle.ts";
import { type GuestClient, startGuest } from "../fakes/mcp/guestClient.ts";
import { screenshotsOfFailures } from "./screenshot.ts";
import {
  openPanel,
  openWorkbench,
  PATIENCE,
  panel,
  runCommand,
  until,
  type Workbench,
} from "./workbench.ts";

const BEFORE = "export function price() {\n  return 1;\n}\n";
const AFTER = BEFORE.replace("1", "2");

describe("an agent outside, in a window with several folders", () => {
  let cli: CliBundle;
  let workbench: Workbench;
  let guest: GuestClient | null = null;

  const at = (file: string) => path.join(workbench.folder, file);
  const onDisk = (file: string) => fs.readFileSync(at(file), "utf8");
  const propose = async (file_path: string) => {
    const read = await guest?.read(file_path);
    const edits = [{ at: "ast-path:price", code: AFTER }];
    const answer = await guest?.call("edit_file", { file_path, edits });
    assert.equal(answer?.isError, read?.isError, read?.text);
    return answer?.edits[0]?.status ?? answer?.error;
  };

  before(async () => {
    cli = await buildCli();
    workbench = await openWorkbench({
      settings: { "graft.diff.inline": "never" },
      files: {
        "shop/src/a.js": BEFORE,
        "shop/shop/c.js": BEFORE,
        "lib/b.js": BEFORE,
        "lib/c.js": BEFORE,
      },
      folders: ["shop", "lib"],
    });
    await openPanel(workbench.page);
    const locks = path.join(workbench.home, ".graft/editors");
    await until("the window to listen", () => {
      const names = fs.existsSync(locks) ? fs.readdirSync(locks) : [];
      return names.filter((name) => name.endsWith(".json")).length === 2;
    });
    guest = await startGuest(
      cli.program,
      ["--root", at("shop")],
      { HOME: workbench.home },
      "Other Agent",
    );
  });
  after(async () => {
    await guest?.close();
    await workbench?.close();
    await cli?.remove();
  });
  screenshotsOfFailures(() => workbench.page);

  it("proposes in the folder that holds the path, and learns what is accepted", async () => {
    assert.equal(await propose("src/a.js"), "pending");
    assert.equal(await propose("lib/b.js"), "pending", "by the other folder's name");
    assert.equal(await propose("shop/c.js"), "validation", "a path with two meanings");
    assert.equal(await propose(at("shop/shop/c.js")), "pending", "by its absolute path");
    for (const file of ["shop/src/a.js", "shop/shop/c.js", "lib/b.js"])
      assert.equal(onDisk(file), BEFORE);
    const bar = panel(workbench.page).locator(".review-bar");
    await bar.locator(".review-files", { hasText: "3 files" }).waitFor({ timeout: PATIENCE });
    await bar.getByRole("button", { name: "Accept all" }).click();
    await bar.waitFor({ state: "hidden", timeout: PATIENCE });
    await until("all to be saved", async () => {
      await runCommand(workbench.page, "File: Save All");
      return ["shop/src/a.js", "shop/shop/c.js", "lib/b.js"].every(
        (file) => onDisk(file) === AFTER,
      );
    });
    assert.equal(onDisk("lib/c.js"), BEFORE);
    const decided: string[] = [];
    await until("the decisions", async () => {
      const next = await guest?.call("edit_decisions", {});
      for (const { path: file, status } of next?.decided ?? []) decided.push(`${file} ${status}`);
      return decided.length >= 3;
    });
    assert.deepEqual(decided.sort(), [
      "lib/b.js applied",
      "shop/shop/c.js applied",
      "shop/src/a.js applied",
    ]);
  });
});

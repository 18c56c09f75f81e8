import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { buildCli, type CliBundle } from "../fakes/cliBundle.ts";
import {
  assertFilesAfter,
  filesBefore,
  guestCalls,
  PLACED_EDITS,
} from "../fakes/edits/sameEdits.ts";
import { type GuestAnswer, type GuestClient, startGuest } from "../fakes/mcp/guestClient.ts";
import { notification } from "./notification.ts";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";
import {
  openPanel,
  openWorkbench,
  PATIENCE,
  panel,
  runCommand,
  soon,
  until,
  type Workbench,
} from "./workbench.ts";

const APP =
  "export function add(a, b) {\n  return a + b;\n}\n\nexport function zero() {\n  return 0;\n}\n";
/** What the user makes of it. */
const USERS = APP.replace("return 0", "return 5");
const ADD = "export function add(a, b) {\n  return b + a;\n}\n";

describe("agents of other makers, in a real VS Code", () => {
  let cli: CliBundle;
  let workbench: Workbench;
  let guest: GuestClient | null = null;
  let calls = 0;

  const onDisk = (file: string) => fs.readFileSync(path.join(workbench.folder, file), "utf8");
  const bar = () => panel(workbench.page).locator(".review-bar");
  const edit = (file_path: string, at: string, code: string): Promise<GuestAnswer> => {
    assert.ok(guest);
    return guest.call("edit_file", { file_path, edits: [{ at, code }] });
  };
  const isServed = () => {
    const locks = path.join(workbench.home, ".graft/editors");
    return fs.existsSync(locks) && fs.readdirSync(locks).some((name) => name.endsWith(".json"));
  };
  const read = async (file: string): Promise<GuestAnswer> => {
    assert.ok(guest);
    const answer = await guest.read(file);
    assert.equal(answer.error, null, answer.text);
    return answer;
  };

  /** What an agent inside VS Code gets. */
  async function inside(tool: string, input: object): Promise<{ offered: string[]; text: string }> {
    const { offered, texts } = await allInside([{ tool, input }]);
    return { offered, text: texts[0] ?? "" };
  }

  async function allInside(
    made: readonly { readonly tool: string; readonly input: object }[],
    patience = PATIENCE,
  ): Promise<{ offered: string[]; texts: string[] }> {
    const id = ++calls;
    const [call, answer] = [`call-${id}.json`, `answer-${id}.json`].map((name) =>
      path.join(workbench.folder, name),
    );
    assert.ok(call && answer);
    // At once as a whole, since it is read as soon as it is there.
    fs.writeFileSync(`${call}.new`, JSON.stringify(made));
    fs.renameSync(`${call}.new`, call);
    let text = "";
    const isAnswered = () => {
      text = fs.existsSync(answer) ? fs.readFileSync(answer, "utf8") : "";
      return text.endsWith("}");
    };
    await until("an answer", isAnswered, patience);
    return JSON.parse(text);
  }

  /** Until VS Code watches the folder, the agent inside hears of no call. */
  const untilInsideListens = () =>
    until("the agent inside listens", () =>
      allInside([], 10_000).then(
        () => true,
        () => false,
      ),
    );

  before(async () => {
    cli = await buildCli();
    workbench = await openWorkbench({
      settings: { "graft.diff.inline": "never", "chat.disableAIFeatures": false },
      files: { "one.js": APP, "two.js": APP, "three.js": APP, ...filesBefore() },
      extension: "otherAgent",
    });
    await openPanel(workbench.page);
    await until("the window to listen", isServed);
    await untilInsideListens();
  });
  after(async () => {
    await guest?.close();
    await workbench?.close();
    await cli?.remove();
  });
  screenshotsOfFailures(() => workbench.page);

  it("propose from outside, under their name, and learn what the user accepts", async () => {
    guest = await startGuest(
      cli.program,
      ["--root", workbench.folder],
      { HOME: workbench.home },
      "Other Agent",
    );
    await read("one.js");
    const answer = await edit("one.js", "ast-path:add", ADD);
    assert.deepEqual(
      answer.edits.map(({ status }) => status),
      ["pending"],
      answer.text,
    );
    assert.equal(onDisk("one.js"), APP);
    const told = await notification(workbench.page, "Other Agent proposes changes to one.js");
    const opened = workbench.page.locator(".tab", { hasText: "one.js" }).first();
    // A click may be reported as late although it was made, and then the button is gone.
    await until("its button opens the diff", async () => {
      if (await opened.isVisible()) return true;
      // On a busy machine VS Code may have put it away.
      if (!(await told.isVisible()))
        await runCommand(workbench.page, "Notifications: Show Notifications");
      const review = workbench.page
        .locator(".notification-list-item", { hasText: "one.js" })
        .getByRole("button", { name: "Review" });
      await review
        .first()
        .click({ timeout: 5_000 })
        .catch(() => undefined);
      return opened.isVisible();
    });
    await bar()
      .locator(".review-files", { hasText: /^1 file$/ })
      .waitFor({ timeout: PATIENCE });
    await bar().locator(".review-others", { hasText: "Other Agent" }).waitFor();
    await workbench.page
      .locator(".codelens-decoration", { hasText: "Other Agent" })
      .first()
      .waitFor({ timeout: PATIENCE });
    await screenshot(workbench.page, "guest-proposal");
    await bar().getByRole("button", { name: "Accept all" }).click();
    await bar().waitFor({ state: "hidden", timeout: PATIENCE });
    let decided: readonly string[] = [];
    await until("the decision", async () => {
      const next = await guest?.call("edit_decisions", {});
      decided = [
        ...decided,
        ...(next?.decided ?? []).map(({ target, status }) => `${target} ${status}`),
      ];
      return decided.length > 0;
    });
    assert.deepEqual(decided, ["ast-path:add applied"]);
  });

  it("have what was accepted of one turn taken back as one, and hear of it", async () => {
    const { page } = workbench;
    const files = ["one.js", "three.js"];
    const texts = () => files.map(onDisk);
    const untilSaved = async (what: string, isThere: () => boolean) =>
      until(what, async () => {
        await runCommand(page, "File: Save All");
        return isThere();
      });
    await untilSaved("the accepted change", () => onDisk("one.js").includes("b + a"));
    const before = texts();
    const zero = "export function zero() {\n  return 9;\n}";
    for (const file of files) {
      await read(file);
      const answer = await edit(file, "ast-path:zero", zero);
      assert.equal(answer.edits[0]?.status, "pending", answer.text);
    }
    await bar().locator(".review-files", { hasText: "2 files" }).waitFor({ timeout: PATIENCE });
    await bar().getByRole("button", { name: "Accept all" }).click();
    await bar().waitFor({ state: "hidden", timeout: PATIENCE });
    await untilSaved("both changes", () => texts().every((text) => text.includes("return 9")));
    const rows = page.locator(".quick-input-list .monaco-list-row");
    const turns = rows.filter({ hasText: "Other Agent" });
    // The list closes where something else takes the focus.
    await until("the files of the last turn are shown", async () => {
      await runCommand(page, "Graft: Undo a Turn's Changes");
      if (!(await soon(turns.nth(1)))) return false;
      assert.equal(await turns.count(), 2);
      await turns
        .filter({ hasText: "2 files" })
        .click({ timeout: 10_000 })
        .catch(() => undefined);
      return soon(rows.filter({ hasText: "three.js" }));
    });
    await page.locator(".quick-input-box input").press("Enter");
    await untilSaved("both changes to be gone", () =>
      texts().every((text, at) => text === before[at]),
    );
    const restored: string[] = [];
    await until("the guest to hear of it", async () => {
      restored.push(...((await guest?.call("edit_decisions", {}))?.restored ?? []));
      return restored.length >= 2;
    });
    assert.deepEqual(restored.sort(), files);
  });

  it("propose from inside VS Code by its tools", async () => {
    const outline = await inside("graft_outline", { file_path: "two.js" });
    const own = outline.offered.filter((name) => name.startsWith("graft_"));
    assert.deepEqual(own.sort(), ["graft_edit", "graft_outline", "graft_read"]);
    assert.match(outline.text, /zero/);
    await inside("graft_read", { file_path: "two.js" });
    const edits = [{ at: "ast-path:zero", code: "export function zero() {\n  return 1;\n}" }];
    const proposed = await inside("graft_edit", { file_path: "two.js", edits });
    assert.match(proposed.text, /proposed/);
    assert.equal(onDisk("two.js"), APP);
    await bar()
      .locator(".review-files", { hasText: /^1 file$/ })
      .waitFor({ timeout: PATIENCE });
  });

  it("learn that the user wrote into the lines that they propose to change", async () => {
    fs.writeFileSync(path.join(workbench.folder, "two.js"), USERS);
    await until("the conflict", async () =>
      /two\.js.*in conflict/.test((await inside("graft_outline", { file_path: "one.js" })).text),
    );
    assert.equal(onDisk("two.js"), USERS);
  });

  it("find graft mcp among the MCP servers of VS Code", async () => {
    const { page } = workbench;
    const pick = async (name: string | RegExp) => {
      const row = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name });
      await row.first().click({ timeout: 15_000 });
    };
    await until("the server's tools", async () => {
      const { offered } = await inside("graft_outline", { file_path: "two.js" });
      if (offered.some((name) => name.endsWith("edit_file"))) return true;
      // The lists close where something else takes the focus.
      await runCommand(page, "MCP: List Servers");
      await pick(/^Graft/)
        .then(() => pick("Start Server"))
        .catch(() => undefined);
      return false;
    });
  });

  it("find the window again after a reload, and learn what was decided meanwhile", async () => {
    await read("three.js");
    await edit("three.js", "ast-path:add", ADD);
    // Two agents on one file: the proposal holds both changes.
    const other = await startGuest(
      cli.program,
      ["--root", workbench.folder],
      { HOME: workbench.home },
      "Third Agent",
    );
    const seen = await other.read("three.js");
    assert.match(seen.text, /return b \+ a/);
    const zero = { at: "ast-path:zero", code: "export function zero() {\n  return 2;\n}" };
    const both = await other.call("edit_file", { file_path: "three.js", edits: [zero] });
    assert.equal(both.edits[0]?.status, "pending", both.text);
    assert.match((await read("three.js")).text, /return b \+ a[\s\S]*return 2/);
    await other.close();
    await workbench.reopen("reload");
    await openPanel(workbench.page);
    await bar().locator(".review-files", { hasText: "2 files" }).waitFor({ timeout: PATIENCE });
    await bar().getByRole("button", { name: "Reject all" }).click();
    await bar().waitFor({ state: "hidden", timeout: PATIENCE });
    await until("the window to listen", isServed);
    const decided: string[] = [];
    await until("the decision", async () => {
      const next = await guest?.call("edit_decisions", {});
      for (const { path: file, status } of next?.decided ?? []) decided.push(`${file} ${status}`);
      return decided.length > 0;
    });
    assert.deepEqual(decided, ["three.js rejected"]);
    assert.deepEqual([onDisk("two.js"), onDisk("three.js")], [USERS, APP]);
  });

  it("leave the files as every other host does, edit by edit", async () => {
    const isInside = ({ edits, outcomes }: (typeof PLACED_EDITS)[number]) =>
      edits.length > 0 && outcomes.every((outcome) => outcome === "done");
    const tools = new Map([
      ["read_file", "graft_read"],
      ["edit_file", "graft_edit"],
    ]);
    await untilInsideListens();
    const { texts } = await allInside(
      PLACED_EDITS.filter(isInside)
        .flatMap(guestCalls)
        .map(({ name, args }) => ({ tool: tools.get(name) ?? name, input: args })),
    );
    assert.deepEqual(
      texts.filter((text) => /not proposed|There was a problem/.test(text)),
      [],
    );
    const told: string[] = [];
    const outside = PLACED_EDITS.filter((each) => !isInside(each));
    for (const edit of outside)
      for (const { name, args } of guestCalls(edit))
        for (const made of (await guest?.call(name, args))?.edits ?? [])
          told.push(made.warnings[0] ?? made.reason ?? made.status);
    const wanted = outside.flatMap(({ edits, outcomes }) =>
      edits.length === 0 ? ["pending"] : outcomes,
    );
    assert.deepEqual(told, wanted);
    const refused = wanted.filter((outcome) => !["pending", "syntax"].includes(outcome));
    await bar()
      .locator(".review-files", { hasText: `${PLACED_EDITS.length - refused.length} files` })
      .waitFor({ timeout: PATIENCE });
    await bar().getByRole("button", { name: "Accept all" }).click();
    if (wanted.includes("syntax")) {
      // "11 files" is not what is to be left.
      await bar()
        .locator(".review-files", { hasText: /^1 file$/ })
        .waitFor({ timeout: PATIENCE });
      await bar().getByRole("button", { name: "Reject all" }).click();
    }
    await bar().waitFor({ state: "hidden", timeout: PATIENCE });
    let error: unknown = null;
    await until("all files are saved", async () => {
      await runCommand(workbench.page, "File: Save All");
      try {
        assertFilesAfter(workbench.folder);
        return true;
      } catch (failure) {
        error = failure;
        return false;
      }
    }).catch(() => {
      throw error;
    });
  });

  it("are let in only while the setting allows it", async () => {
    const propose = () => edit("three.js", "ast-path:add", ADD);
    // The window reads changed settings when it loads.
    workbench.set({ "graft.serveAgents": false });
    await workbench.reopen("reload");
    await openPanel(workbench.page);
    await until("the window to let no agent in", async () => {
      const { isError, edits } = await propose();
      return isError && edits.length === 0;
    });
    assert.equal(onDisk("three.js"), APP);
    workbench.set({});
    await workbench.reopen("reload");
    await until("the window to let agents in", async () => (await propose()).edits.length > 0);
    assert.equal(onDisk("three.js"), APP);
  });
});

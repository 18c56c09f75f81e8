import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { processGone } from "../unit/tools/processes.ts";
import { screenshot } from "./screenshot.ts";
import { ask, modelWorkbench, openPanel, panel, until } from "./workbench.ts";

const STUBBORN = 'trap "" TERM HUP INT; echo $$ >';
const ON = "while true; do sleep 0.1; done";

/**
 * Commands in the terminal, without one (several lines), and git with a hook. None of them ends
 * when asked.
 */
const calls = [
  {
    name: "run_command",
    args: { command: `bash -c '${STUBBORN} terminal.pid; ${ON}'`, background: true },
  },
  {
    name: "run_command",
    args: {
      command: `${STUBBORN} child.pid\nsetsid bash -c '${STUBBORN} session.pid; ${ON}' &\n${ON}`,
      background: true,
    },
  },
  { name: "git_commit", args: { message: "No", paths: ["a.txt"] } },
];

const SERVE = "touch served; sleep 3600";
const serving = { name: "run_command", args: { command: SERVE, background: true } };

describe("closing a window, in a real VS Code", () => {
  const suite = modelWorkbench(
    ({ body }) => {
      const last = body.messages.at(-1);
      if (last?.role !== "user") return { text: "Done." };
      const isServing = JSON.stringify(last.content).includes("Serve.");
      if (JSON.stringify(last.content).includes("Thanks.")) return { text: "Gladly." };
      return { toolCalls: isServing ? [serving] : calls };
    },
    { "a.txt": "a\n", ".git-hook": `#!/bin/bash\n${STUBBORN} hook.pid\n${ON}\n` },
    { "graft.permissions.rules": calls.map(({ name }) => ({ tool: name, allow: "always" })) },
  );
  const at = (name: string) => path.join(suite.workbench.folder, name);
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: suite.workbench.folder, encoding: "utf8" });

  before(async () => {
    git("init", "-q");
    git("config", "user.name", "Test");
    git("config", "user.email", "test@example.com");
    fs.cpSync(at(".git-hook"), at(".git/hooks/pre-commit"));
    fs.chmodSync(at(".git/hooks/pre-commit"), 0o755);
    await openPanel(suite.page);
  });

  it("leaves no process of commands and git, even stubborn ones, and nothing staged", async function () {
    const { page } = suite;
    const files = ["terminal.pid", "child.pid", "session.pid", "hook.pid"].map(at);
    await ask(page, "Go.");
    await until("all of it runs", () =>
      files.every((file) => fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("\n")),
    );
    const pids = files.map((file) => Number(fs.readFileSync(file, "utf8")));
    const started = Date.now();
    try {
      await Promise.all([page.reload(), ...pids.map(processGone)]);
    } finally {
      if (this.timedOut) await screenshot(page, "failed-window-end");
      for (const pid of pids) if (fs.existsSync(`/proc/${pid}`)) process.kill(pid, "SIGKILL");
    }
    console.log(`    all processes gone ${Date.now() - started} ms after the reload began`);
    // VS Code may end the extension before it has taken the new file out of the index again.
    await until("git can commit", () => !fs.existsSync(at(".git/index.lock")));
    assert.equal(git("diff", "--cached", "--name-only"), "");
    await openPanel(page);
  });

  it("names in the chat what ran on in the background, and tells the model", async () => {
    const { page, server } = suite;
    await ask(page, "Serve.");
    await panel(page).getByText("Done.", { exact: true }).waitFor();
    await until("it runs", () => fs.existsSync(at("served")));
    await page.reload();
    await openPanel(page);
    const said = `Ended with the window: ${SERVE}. Graft tells the model.`;
    await panel(page).locator(".note", { hasText: said }).waitFor();
    await panel(page).getByText("ended with the window", { exact: true }).last().waitFor();
    await ask(page, "Thanks.");
    await panel(page).getByText("Gladly.", { exact: true }).waitFor();
    const told = JSON.stringify(server.requests.at(-1)?.body.messages).split(SERVE);
    assert.match(told.at(-2) ?? "", /reloaded, which ended what still ran/);
  });
});

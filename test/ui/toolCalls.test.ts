import assert from "node:assert/strict";
import type { TurnEventBody } from "../../src/turns/turnEvent.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { resultOf, running } from "./runningCall.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

const busy = { ...readyStatus, busy: true };

describe("Tool calls in the panel", () => {
  const panel = withPanel();
  const press = (label: string) => panel.page.getByText(label, { exact: true }).click();

  it("shows the last lines of a command while it runs and once it failed, and its exit code", async () => {
    const script = running(
      "run_command",
      { command: "npm test" },
      { type: "tool-progress", callId: "c", text: "line 1\nline 2" },
    );
    await panel.snapshot(script.events, busy);
    const progress = panel.page.locator(".tool-progress");
    assert.equal(await progress.textContent(), "line 1\nline 2");
    const failed = { code: "exited", exitCode: 2, tail: "line 3" } as const;
    script.add({ ...resultOf("c"), retries: 2, command: failed });
    await panel.events(script.events.slice(-1));
    assert.equal(await progress.textContent(), "line 3");
    const row = panel.page.locator(".tool-row");
    assert.match(await words(row), /Ran npm test 2 retries exit code 2/);
    await panel.snapshot(running("run_command", {}).add(resultOf("c")).events, busy);
    assert.equal(await progress.count(), 0);
  });

  it("stops a command in the background from its row, and restarts one with rejected text", async () => {
    const input = { command: "npm run dev" };
    const command = { code: "running" } as const;
    const onProposals = { changed: 0 };
    const script = running("run_command", input).add({ ...resultOf("c"), command, onProposals });
    await panel.snapshot(script.end().events);
    const row = panel.page.locator(".tool-row");
    const [restart, stop] = [/^Restart/, /^Stop/].map((name) => row.getByRole("button", { name }));
    assert.deepEqual([await restart?.count(), await stop?.count()], [0, 1]);
    script.add({ type: "command-outdated", callId: "c", paths: ["src/a.ts"] });
    await panel.events(script.events.slice(-1));
    await restart?.press("Enter");
    const place = { turnId: "turn-2", callId: "c" };
    assert.deepEqual((await panel.sent()).at(-1), { type: "restart-command", ...place });
    script.add({ type: "command-restarted", callId: "c", onProposals });
    await panel.events(script.events.slice(-1));
    await stop?.press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), { type: "stop-command", ...place });
    script.add({ type: "command-ended", callId: "c", command: { code: "killed" } });
    await panel.events(script.events.slice(-1));
    assert.match(await words(row), /terminated/);
    assert.equal(await stop?.count(), 0);
  });

  it("shows why a call failed, but only that it was denied where it was", async () => {
    const error = { category: "permission", message: "Do not try again." };
    const failed = { ...resultOf("c"), status: "error", output: "Error", error } as const;
    await panel.snapshot(running("run_command", {}).add(failed).events, busy);
    const row = panel.page.locator(".tool-row");
    assert.match(await words(row), /failed.*Do not try again\./);
    const denied = running("run_command", {}).add(
      {
        type: "approval-request",
        callId: "c",
        tool: "run_command",
        effect: "execute",
        summary: "Run npm test",
      },
      { type: "approval-decision", callId: "c", allowed: false, by: "user" },
      failed,
    );
    await panel.snapshot(denied.events, busy);
    assert.match(await words(row), /denied\s*$/);
  });

  it("folds consecutive calls that only look, with the thinking between them, and unfolds to their results", async () => {
    const script = new TurnScript()
      .ask("Go on")
      .call("a", "read_file", { file_path: "src/a.ts", start_line: 2, end_line: 4 }, "text a", 5);
    await panel.snapshot(script.events, busy);
    assert.equal(await panel.page.locator(".explored").count(), 0, "one call stays as it is");
    const mark = script.events.length;
    script.add({ type: "reasoning-delta", text: "And b." }, { type: "text-delta", text: "\n" });
    script.call("b", "search_in_files", { pattern: "area" }, "a.ts:1\tarea", 1_700, {
      shown: 1,
      more: false,
    });
    await panel.events(script.since(mark));
    const row = panel.page.locator(".explored");
    assert.equal(
      ((await row.locator("> summary").textContent()) ?? "").trim(),
      "Explored 2 places",
    );
    assert.ok(await panel.page.getByText("Read a.ts 2–4").isHidden());
    await row.locator("> summary").click();
    await row.getByText("Searched “area” · 1 hit").click();
    await row.getByText("search_in_files · 1.7 s").waitFor();
    script
      .call("c", "run_command", { command: "make" }, "", 5)
      .call("d", "read_file", { file_path: "b.ts" }, "", 5);
    await panel.events(script.since(mark));
    assert.equal(await panel.page.locator(".explored .tool-row").count(), 2);
    assert.ok(await panel.page.getByText("Read b.ts").isVisible());
  });

  it("shows which of the folded calls ran at the same time, and says with which", async () => {
    const script = new TurnScript().ask("Go on");
    const read = (callId: string) => ({
      callId,
      name: "read_file",
      argsText: "{}",
      input: { file_path: `${callId}.ts` },
    });
    const start = (callId: string) =>
      script.add({ type: "tool-call", ...read(callId) }, { type: "tool-start", callId });
    const end = (callId: string, durationMs: number) =>
      script.add({
        type: "tool-result",
        callId,
        status: "success",
        output: "",
        error: null,
        durationMs,
      });
    start("a");
    start("b");
    end("a", 4);
    end("b", 8);
    await panel.snapshot(script.events, busy);
    const bars = panel.page.locator(".explored .tool-span");
    await panel.page.locator(".explored > summary").click();
    const together = panel.page.getByRole("img", { name: "Ran together with Read b.ts" });
    assert.ok(await together.isVisible());
    const widths = async () =>
      bars.evaluateAll((all) =>
        all.map((each) => each.firstElementChild?.getBoundingClientRect().width ?? 0),
      );
    const [first = 0, second = 0] = await widths();
    assert.ok(first > 0 && second > first, `${first} ${second}`);
    await panel.page.getByText("Read a.ts").click();
    await panel.page.getByText("read_file · 4 ms · Ran together with Read b.ts").waitFor();
    const mark = script.events.length;
    start("c");
    await panel.events(script.since(mark));
    assert.equal(await together.count(), 0, "not while one of them runs");
  });

  it("offers to retry or skip a failed call until the answer has gone on without it", async () => {
    const script = running("run_command", { command: "npm test" });
    const failed = {
      type: "tool-result",
      callId: "c",
      status: "error",
      output: "Error",
      durationMs: 5,
    } as const;
    script.add({
      ...failed,
      error: { category: "timeout", message: "Timed out: https://example.org/a." },
    });
    await panel.snapshot(script.events, busy);
    await panel.page.locator(".tool-error a.link").click();
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "open-link",
      url: "https://example.org/a",
    });
    const retry = panel.page.getByRole("button", { name: "Retry: Run npm test" });
    await panel.page.locator(".tool > summary").click();
    await retry.click();
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "send",
      text: "Try this again: Run npm test",
    });
    await panel.page.locator(".tool > summary").click();
    await panel.snapshot(script.end("cancelled").events);
    await panel.page.locator(".tool > summary").click();
    await panel.page.getByRole("button", { name: "Skip: Run npm test" }).click();
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "send",
      text: "Continue without this: Run npm test",
    });
    script.events.pop();
    await panel.page.locator(".tool > summary").click();
    await panel.snapshot(script.end().events);
    await panel.page.locator(".tool > summary").click();
    await panel.page.getByText("run_command · 5 ms").waitFor();
    assert.equal(await retry.count(), 0);
  });

  it("shows a folded call that asks the user", async () => {
    const script = new TurnScript()
      .ask("Go on")
      .call("a", "read_file", { file_path: "a.ts" }, "", 5)
      .call("b", "read_file", { file_path: "a.ts" }, "", 5);
    const asked = {
      kind: "confirm" as const,
      question: "",
      options: [],
      about: { code: "repeated-calls" as const, tool: "read_file", times: 3 },
    };
    script.add(
      { type: "tool-call-start", callId: "c", name: "read_file" },
      { type: "tool-call", callId: "c", name: "read_file", argsText: "{}", input: {} },
    );
    script.add({ type: "tool-start", callId: "c" }, { type: "question", callId: "c", ...asked });
    await panel.snapshot(script.events, busy);
    assert.ok(await panel.page.getByText("The model called read_file 3 times").isVisible());
  });

  it("shows the retries of a request as one line that counts, with Cancel and the whole error", async () => {
    const error = {
      code: "internal",
      kind: "internal",
      retryable: true,
      said: "Too many requests: https://status.example.org/limits",
    } as const;
    const retry = (attempt: number) => ({
      type: "retry" as const,
      attempt,
      maxAttempts: 3,
      waitMs: 60_000,
      error,
    });
    const script = new TurnScript()
      .ask("Go on")
      .add({ type: "retry", attempt: 1, maxAttempts: 3, waitMs: 60_000, error });
    script.add(retry(2));
    const shift = Date.now() - (script.events.at(-1)?.at ?? 0);
    await panel.snapshot(
      script.events.map((event) => ({ ...event, at: event.at + shift })),
      busy,
    );
    const line = panel.page.locator(".retry");
    assert.equal(await line.count(), 1);
    await line.getByText(/retrying in \d+ s \(2 of 3\)/).waitFor();
    await press("Cancel");
    assert.deepEqual((await panel.sent()).at(-1), { type: "stop" });
    await press("Details");
    assert.ok(await line.getByText("Too many requests").isVisible());
    await line.locator("a.link").click();
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "open-link",
      url: "https://status.example.org/limits",
    });
    await panel.events(script.text("Hello.").events.slice(-1));
    assert.ok(await line.getByText("retried (2 of 3)").isVisible());
    assert.ok(await line.getByText("Cancel").isHidden());
  });

  it("shows a tool's proposal below its call", async () => {
    const script = running("patch_source_file", { file_path: "a.ts" });
    script.edit({
      blockId: "c-1",
      callId: "c",
      path: "a.ts",
      target: "line 3",
      step: 0,
      textStart: 0,
      textEnd: 0,
      status: "pending",
    });
    await panel.snapshot(script.events, busy);
    const card = panel.page.locator(".tool-row .card");
    assert.match((await card.textContent()) ?? "", /a\.ts.*pending.*line 3/s);
    await panel.post({ type: "status", status: { ...busy, behind: ["a.ts"] } });
    assert.ok(await card.getByText("The diff is catching up").isVisible());
    await panel.post({ type: "status", status: { ...busy, behind: [] } });
    assert.ok(await card.getByText("The diff is catching up").isHidden());
    await panel.events(
      script
        .edit({
          blockId: "c-1",
          callId: "c",
          path: "a.ts",
          target: "line 3",
          step: 0,
          textStart: 0,
          textEnd: 0,
          status: "applied",
        })
        .events.slice(-1),
    );
    assert.match((await card.textContent()) ?? "", /applied/);
    assert.equal(await panel.page.locator(".card").count(), 1);
  });

  it("folds what a command changed in many files into one decision, and unfolds to each", async () => {
    const script = running("run_command", { command: "npm run format" });
    const edits = Array.from({ length: 5 }, (_, at): TurnEventBody => {
      const place = { addedLines: 2, removedLines: 1, step: 0, textStart: 0, textEnd: 0 };
      const what = { op: "replace" as const, target: "lines 1-2", status: "pending" as const };
      const edit = { blockId: `c-${at}`, callId: "c", path: `src/${at}.ts`, index: at + 1 };
      return {
        type: "edit-update",
        edit: { ...edit, ...what, ...place, reason: null, warnings: [] },
      };
    });
    script.add(resultOf("c"), ...edits);
    await panel.snapshot(script.events, busy);
    const group = panel.page.locator(".command-changes");
    const toggle = group.getByRole("button", { name: /^5 files .*· npm run format$/ });
    assert.equal(await toggle.getAttribute("aria-expanded"), "false");
    assert.equal(await group.locator(".card").filter({ visible: true }).count(), 0);
    await toggle.press("Enter");
    assert.equal(await group.locator(".card").filter({ visible: true }).count(), 5);
    await group
      .getByRole("button", { name: "Accept what npm run format changed", exact: true })
      .click();
    const decisions = (await panel.sent()).filter(({ type }) => type === "accept-call");
    const { turnId } = script.events.findLast(({ type }) => type === "edit-update") ?? {};
    assert.deepEqual(decisions, [{ type: "accept-call", turnId, callId: "c" }]);
  });

  it("shows the card of the only file that a command changed, without a head", async () => {
    const script = running("run_command", { command: "touch a" });
    script.add(resultOf("c"), {
      type: "edit-update",
      edit: {
        ...{ blockId: "c-1", callId: "c", path: "a", index: 1, op: "complete" },
        ...{ target: "complete file", status: "pending", reason: null, warnings: [] },
        ...{ addedLines: 1, removedLines: 0, step: 0, textStart: 0, textEnd: 0 },
      },
    });
    await panel.snapshot(script.events, busy);
    assert.equal(await panel.page.locator(".card").filter({ visible: true }).count(), 1);
    assert.equal(await panel.page.locator(".command-head").filter({ visible: true }).count(), 0);
  });
});

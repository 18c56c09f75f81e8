import assert from "node:assert/strict";
import { proposalParts } from "../../../../src/edits/review/proposalParts.ts";
import type { CommandLine } from "../../../../src/ports/approval.ts";
import { ProposalChecks } from "../../../../src/review/checks/proposalChecks.ts";
import type { CheckOutcome, ProposalCheck } from "../../../../src/tools/command/proposalCheck.ts";

const REAL = "one\ntwo\nthree\n";
const CHAT = "chat-1";

/** A run that the test ends, perhaps long after it was stopped. */
interface Run {
  readonly check: ProposalCheck;
  readonly signal: AbortSignal;
  end(code: "passed" | "failed", lacked?: boolean): void;
}

describe("the check of the workspace", () => {
  let checks: ProposalChecks;
  let chosen: CommandLine | null;
  let proposed: Record<string, string>;
  let isSandboxed: boolean;
  let runs: Run[];
  let marked: readonly string[];

  const partsOf = (chatId: string) =>
    proposalParts(
      Object.entries(chatId === CHAT ? proposed : {}).map(([path, text]) => ({
        file: { path, uri: `file:///w/${path}` },
        ...{ real: REAL, proposed: text },
      })),
      [],
    );

  beforeEach(() => {
    chosen = { text: "npm test", folder: "." };
    proposed = { "a.ts": "ONE\ntwo\nTHREE\n" };
    isSandboxed = true;
    runs = [];
    marked = [];
    checks = new ProposalChecks({
      machine: {
        check: (check, signal) =>
          new Promise<CheckOutcome>((resolve) => {
            const end = (code: "passed" | "failed", lacked = false) => {
              const exit = { code: code === "passed" ? 0 : 1, signal: null };
              resolve({ code, exit, ms: 5, lacked });
            };
            runs.push({ check, signal, end });
          }),
        runsOnProposals: async () => false,
      },
      chosen: () => chosen,
      read: async () => null,
      isSandboxed: async () => isSandboxed,
      save: async () => undefined,
      filesOf: (chatId) => partsOf(chatId).files(() => true),
      changesOf: (chatId) => partsOf(chatId).parts.length,
      partsOf,
      problemOf: () => null,
      written() {},
      marks: (found) => {
        marked = found.map(({ part, code }) => `${part.hunk} ${code}`);
      },
    });
  });

  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const status = () => checks.status(CHAT);
  async function ended(): Promise<Run | undefined> {
    const before = runs.length;
    void checks.turnEnded(CHAT);
    await settled();
    return runs.slice(before)[0];
  }

  it("runs after a turn on what it proposed, and tells the result", async () => {
    const run = await ended();
    assert.equal(status()?.state, "running");
    assert.deepEqual(
      run?.check.files.map(({ text }) => text),
      ["ONE\ntwo\nTHREE\n"],
    );
    run?.end("passed");
    await settled();
    assert.deepEqual(status(), {
      ...{ command: "npm test", state: "passed", stale: false },
      ...{ ms: 5, lacked: false, changes: 2 },
    });
  });

  it("does not run again on the same text, nor without a proposal or a choice", async () => {
    (await ended())?.end("passed");
    await settled();
    assert.equal(await ended(), undefined);
    proposed = {};
    assert.equal(await ended(), undefined);
    chosen = null;
    proposed = { "a.ts": "1\n" };
    assert.equal(await ended(), undefined);
    assert.deepEqual(status(), { command: null, state: "none", stale: false });
  });

  it("asks first where it has no sandbox, once in each chat and for each command", async () => {
    isSandboxed = false;
    assert.equal(await ended(), undefined);
    assert.equal(status()?.state, "asks");
    void checks.runByUser(CHAT, false);
    await settled();
    runs[0]?.end("passed");
    await settled();
    proposed = { "a.ts": "1\n" };
    const again = await ended();
    assert.equal(again?.check.isSandboxed, false);
    again?.end("passed");
    await settled();
    chosen = { text: "npm run other", folder: "." };
    assert.equal(await ended(), undefined);
    assert.equal(status()?.state, "asks");
  });

  it("runs in its sandbox where it has one, until the user gives it the network", async () => {
    const first = await ended();
    assert.equal(first?.check.isSandboxed, true);
    first?.end("failed", true);
    await settled();
    assert.deepEqual([status()?.state, status()?.lacked], ["failed", true]);
    void checks.runByUser(CHAT, false);
    await settled();
    assert.equal(runs.at(-1)?.check.isSandboxed, true);
    void checks.runByUser(CHAT, true);
    await settled();
    assert.equal(runs.at(-1)?.check.isSandboxed, false);
  });

  it("is out of date after any edit, and as it was where the proposal is", async () => {
    (await ended())?.end("failed");
    await settled();
    const before = proposed;
    proposed = { "a.ts": "ONE\ntwo\nthree\n" };
    assert.equal(status()?.stale, true);
    proposed = before;
    assert.equal(status()?.stale, false);
    checks.edited();
    assert.equal(status()?.stale, true);
  });

  it("takes no result of a run that was stopped or followed by another", async () => {
    const first = await ended();
    checks.turnBegan(CHAT);
    assert.equal(first?.signal.aborted, true);
    proposed = { "a.ts": "2\n" };
    const second = await ended();
    first?.end("failed");
    await settled();
    assert.equal(status()?.state, "running");
    second?.end("passed");
    await settled();
    assert.equal(status()?.state, "passed");
  });

  it("does not begin in a turn that began meanwhile", async () => {
    const ending = checks.turnEnded(CHAT);
    checks.turnBegan(CHAT);
    await ending;
    assert.equal(runs.length, 0);
  });

  it("shows a chat nothing of another one", async () => {
    (await ended())?.end("failed");
    await settled();
    assert.equal(checks.status("chat-2")?.state, "none");
  });

  it("finds the change that breaks it, in runs without some of the changes", async () => {
    (await ended())?.end("failed");
    await settled();
    const searching = checks.findBreaking(CHAT);
    await settled();
    for (let run = 1; runs.length > run; run++) {
      const text = runs[run]?.check.files[0]?.text ?? REAL;
      assert.equal(status()?.run, run);
      runs[run]?.end(text.includes("ONE") ? "failed" : "passed");
      await settled();
    }
    assert.equal(await searching, null);
    assert.deepEqual(status()?.breaking, { code: "found", path: "a.ts", line: 1, others: 0 });
    assert.deepEqual(marked, ["0 breaks"]);
  });

  it("finds the changes that it needs, one run a change", async () => {
    (await ended())?.end("passed");
    await settled();
    const searching = checks.findNeeded(CHAT);
    await settled();
    for (let run = 1; runs.length > run; run++) {
      runs[run]?.end(runs[run]?.check.files[0]?.text?.includes("THREE") ? "passed" : "failed");
      await settled();
    }
    assert.equal(await searching, null);
    assert.equal(runs.length, 3);
    assert.deepEqual([status()?.state, status()?.needed, status()?.changes], ["passed", 1, 2]);
    assert.deepEqual(marked, ["1 needed"]);
  });

  it("does not look for it where the check passed, or is out of date", async () => {
    (await ended())?.end("passed");
    await settled();
    assert.equal(await checks.findBreaking(CHAT), "out-of-date");
    proposed = { "a.ts": "3\n" };
    (await ended())?.end("failed");
    await settled();
    checks.edited();
    assert.equal(await checks.findBreaking(CHAT), "out-of-date");
  });

  it("tells the model of it during a turn, and shows that result", async () => {
    const signal = new AbortController().signal;
    const told = checks.report(CHAT, signal);
    await settled();
    runs[0]?.check.onOutput("1 failing\n");
    runs[0]?.end("failed");
    assert.deepEqual(await told, { command: "npm test", passed: false, output: "1 failing\n" });
    assert.equal(status()?.state, "failed");
    assert.equal(await ended(), undefined, "it is known");
    assert.equal(checks.output, "> npm test\n1 failing\n");
  });

  it("tells the model nothing where the user has to be asked first, or nothing is proposed", async () => {
    const signal = new AbortController().signal;
    isSandboxed = false;
    assert.equal(await checks.report(CHAT, signal), null);
    isSandboxed = true;
    proposed = {};
    assert.equal(await checks.report(CHAT, signal), null);
    [proposed, chosen] = [{ "a.ts": "ONE\n" }, null];
    assert.equal(await checks.report(CHAT, signal), null);
    assert.equal(runs.length, 0);
  });
});

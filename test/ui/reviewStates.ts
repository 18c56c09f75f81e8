import { modelError } from "../../src/model/modelFailure.ts";
import type { PanelStatus, PendingFile } from "../../src/protocol/messages.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import type { TestedPanel } from "./withPanel.ts";

type Check = NonNullable<PanelStatus["check"]>;

const one: PendingFile = {
  path: "src/cart.ts",
  added: 4,
  removed: 2,
  hunks: 2,
  conflicts: 0,
  warnings: 0,
  accepted: 0,
  streaming: false,
};
const block = { turnId: "turn-2", blockId: "block-1" };
/** One of each kind that the bar's rows tell apart. */
const seven: readonly PendingFile[] = [
  one,
  { ...one, path: "src/pricing/discounts/percentDiscount.ts", warnings: 2 },
  { ...one, path: "src/money.ts", conflicts: 1 },
  { ...one, path: ".github/workflows/release.yml", protected: true },
  {
    ...{ ...one, path: "src/legacy/coupon.ts", added: 0, removed: 38 },
    operation: { to: null, block },
  },
  {
    ...{ ...one, path: "src/tax.ts", added: 0, removed: 0, hunks: 0 },
    operation: { to: "src/tax/table.ts", block },
  },
  {
    ...{ ...one, path: "README.md", hunks: 3, agents: ["Claude Code"] },
    shares: [
      { chatId: "guest-1", kind: "guest", name: "Claude Code", hunks: 2 },
      { chatId: "chat-2", kind: "chat", name: "Write the release notes", hunks: 1 },
    ],
  },
];

const CHECKS: Readonly<Record<string, Partial<Check>>> = {
  "a check that is not chosen": { command: null },
  "a check that asks": { state: "asks" },
  "a check that runs": { state: "running" },
  "a check that passed": { state: "passed", ms: 4_200, changes: 3 },
  "a failed check": { state: "failed", ms: 4_200, lacked: true },
  "the change that breaks the check": {
    state: "failed",
    breaking: { code: "found", path: "src/cart.ts", line: 20, others: 2 },
  },
  "a check that is out of date": { state: "failed", ms: 4_200, stale: true },
  "a check that cannot run": { state: "problem", problem: "There is no room on the disk." },
};

/** States of the bar of changes, of its check, and of whole files, to be drawn one after the other. */
export function reviewStates(
  panel: Pick<TestedPanel, "page" | "snapshot">,
): Readonly<Record<string, () => Promise<unknown>>> {
  const show = async (pending: readonly PendingFile[], unfolded: boolean, more = {}) => {
    const status = { ...readyStatus, pending: [...pending], ...more };
    await panel.snapshot(done().events, status);
    const toggle = panel.page.locator(".review-toggle");
    if ((await toggle.getAttribute("aria-expanded")) !== String(unfolded)) await toggle.click();
  };
  const checks = Object.entries(CHECKS).map(
    ([name, more]) =>
      [
        name,
        () =>
          show([one], false, {
            check: { command: "npm test -- --reporter dot", state: "none", stale: false, ...more },
          }),
      ] as const,
  );
  return {
    "one file to review": () => show([one], false),
    "one file to review, with its row": () => show([one], true),
    "seven files to review": () => show(seven, true),
    "a file that another window reviews": () => show([{ ...one, elsewhere: true }], true),
    "a proposal that could not be stored": () =>
      show([{ ...one, unkept: "ENOSPC: no space left on device" }], false),
    ...Object.fromEntries(checks),
    "a deletion to review": async () => {
      const script = new TurnScript().ask("Remove the coupons").text("I delete it.\n\n");
      script.call("d", "delete_file", { path: "src/legacy/coupon.ts" }, "Proposed", 3);
      script.edit({
        ...{ textStart: 14, textEnd: 14, callId: "d", path: "src/legacy/coupon.ts" },
        ...{ op: "delete", status: "pending", removedLines: 38, target: "" },
      });
      const pending = seven.filter(({ operation }) => operation?.to === null);
      await panel.snapshot(script.end().events, { ...readyStatus, pending });
    },
    "an error with a link": () => {
      const said =
        "Incorrect API key provided: sk-proj-****abcd. You can find your API key at https://platform.openai.com/account/api-keys.";
      const error = modelError(
        { code: "key-rejected", said },
        { baseUrl: "api.openai.com", model: "m" },
      );
      return panel.snapshot(
        new TurnScript().ask("Hi").add({ type: "turn-end", reason: "error", error }).events,
      );
    },
  };
}

/** An answer whose changes wait. */
function done(): TurnScript {
  const script = new TurnScript().ask("Round to whole cents").text("`total` rounds half up:\n\n");
  const place = { textStart: 26, textEnd: 26, status: "pending" as const };
  script.edit({ ...place, path: "src/cart.ts", addedLines: 4, removedLines: 2 });
  return script.text("The change waits for you.").end();
}

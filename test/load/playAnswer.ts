import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { panel, type Workbench } from "../ui/workbench.ts";
import type { AnswerPlan, PlannedFile } from "./answerPlan.ts";
import { LENS, USER_CHANGED } from "./lensTexts.ts";
import type { Hunk } from "./lineModel.ts";
import { lastWords, type PacedModel } from "./pacedModel.ts";
import type { RandomChoices } from "./randomChoices.ts";
import {
  bringToFront,
  clickInto,
  decideByKey,
  decideByLens,
  diffTab,
  focusSide,
  openByName,
  pressFor,
  readDiff,
  send,
  typeAtLine,
  typeInDiff,
  typeInProposal,
  untilSeen,
  untilShown,
} from "./screen.ts";

/** What the user does while the answer is written. */
const WHILE_WRITING = [
  "type in file",
  "type in hunk of file",
  "type in unfinished proposal",
  "close and show",
  "type in own tab",
] as const;
/** What the user does with the complete proposal. */
const AFTERWARDS = [
  "type in file",
  "type in hunk of file",
  "type beside hunks",
  "type in hunk",
  "accept hunk",
  "reject hunk",
  "accept and undo",
  "close and show",
] as const;

type Action = (typeof WHILE_WRITING)[number] | (typeof AFTERWARDS)[number];

/** Actions that are left out: `GRAFT_LOAD_WITHOUT="close and show,type in hunk"`. */
const without = new Set((process.env.GRAFT_LOAD_WITHOUT ?? "").split(","));

/** What one answer is played with. */
export interface Play {
  readonly workbench: Workbench;
  readonly model: PacedModel;
  readonly random: RandomChoices;
  readonly plan: AnswerPlan;
  /** Takes down what the user does, for the message of a failure. */
  did(what: string): void;
}

/**
 * Has the model write an answer, acts as a user, and compares what is on the disk and what the
 * model was told with the line model.
 */
export async function playAnswer(play: Play): Promise<void> {
  const { workbench, model, random, plan, did } = play;
  const { page } = workbench;
  for (const file of plan.files)
    fs.writeFileSync(path.join(workbench.folder, file.path), file.text);
  model.plan(plan);
  const ownTab = random.chance(20) ? plan.files[0] : undefined;
  if (ownTab) await openByName(page, ownTab.path);
  await send(page, plan.prompt);
  for (const file of plan.files) {
    const actions = chosen(play, WHILE_WRITING, [0, 0, 1, 1, 2]).filter(
      // What is shown again is the proposal that waits longest.
      (action) =>
        (action !== "type in own tab" || file === ownTab) &&
        (action !== "close and show" || file === plan.files[0]),
    );
    if (actions.length > 0) {
      await bringToFront(page, file.path);
      await untilShown(page, `the diff of ${file.path} is written`, {
        original: file.model.real,
        lens: LENS.writing,
        file: file.path,
      });
    }
    for (const action of actions) {
      did(`${file.path}: ${action}, while it is written`);
      await actWhileWriting(play, file, action);
    }
    model.release(file.path);
  }
  const left = random.shuffled(plan.files);
  while (left.length > 0) {
    let next = -1;
    // A proposal may get its tab only when the one in front is decided.
    await untilSeen(`one of ${left.map((file) => file.path)} has a diff`, async () => {
      const open = await Promise.all(
        left.map(async (file) => (await diffTab(page, file.path).count()) > 0),
      );
      next = open.indexOf(true);
      return next >= 0;
    });
    for (const file of left.splice(next, 1)) await review({ ...play, random: file.random }, file);
  }
  await panel(page).getByText(lastWords(plan), { exact: true }).waitFor();
  await checkDisk(play);
  await send(page, `What became of number ${plan.number}?`);
  await untilSeen("the model was told", () => model.report() !== null);
  await page.locator(".tab.dirty").first().waitFor({ state: "detached" });
  checkReport(play);
}

function chosen<T extends Action>(
  { random }: Play,
  from: readonly T[],
  counts: readonly number[],
): T[] {
  const actions = Array.from({ length: random.pick(counts) }, () => random.pick(from));
  return actions.filter((action) => !without.has(action));
}

let lastMarker = 0;

/** A word that stands nowhere else. */
function marker(): string {
  return `~${++lastMarker}~`;
}

async function actWhileWriting(play: Play, file: PlannedFile, action: Action): Promise<void> {
  const { page } = play.workbench;
  switch (action) {
    case "type in file":
      return typeInFile(play, file, file.model.freeRealLines());
    case "type in hunk of file":
      return typeInFile(play, file, file.model.contestedRealLines());
    case "type in unfinished proposal": {
      const { modified } = await readDiff(page);
      return typeInDiff(
        page,
        "modified",
        play.random.int(0, Math.max(0, modified.length - 2)),
        marker(),
      );
    }
    case "type in own tab": {
      const lines = file.model.freeRealLines();
      if (lines.length === 0) return;
      const line = play.random.pick(lines);
      const word = marker();
      await page
        .locator(".tab", { hasText: file.path })
        .filter({ hasNotText: "Graft" })
        .click({ position: { x: 30, y: 15 } });
      const editor = page.locator(".editor-instance > .monaco-editor").filter({ visible: true });
      await clickInto(editor);
      await typeAtLine(page, line, word);
      file.model.typeInReal(line, word);
      await editor.locator(".view-line", { hasText: word }).waitFor();
      await bringToFront(page, file.path);
      return untilShown(page, "the diff shows what was typed in the file's own tab", {
        original: file.model.real,
      });
    }
    default:
      return closeAndShow(play, file);
  }
}

async function typeInFile(
  { workbench: { page }, random, did }: Play,
  { model }: PlannedFile,
  lines: readonly number[],
): Promise<void> {
  if (lines.length === 0) return;
  const line = random.pick(lines);
  const word = marker();
  did(`  ${word} in line ${line + 1} of the file`);
  await typeInDiff(page, "original", line, word);
  model.typeInReal(line, word);
  await untilShown(page, `the file shows ${word}`, { original: model.real });
}

async function closeAndShow({ workbench: { page } }: Play, file: PlannedFile): Promise<void> {
  await focusSide(page, "original");
  await pressFor(page, "closeTab");
  await untilClosed(page, file);
  await pressFor(page, "showProposal");
  await untilShown(page, `${file.path} is shown again`, {
    original: file.model.real,
    file: file.path,
  });
}

async function untilClosed(page: Page, file: PlannedFile): Promise<void> {
  await untilSeen("the proposal's tab is closed", async () => {
    // VS Code asks where the tab is closed before what was typed is saved.
    const save = page
      .locator(".monaco-dialog-box")
      .getByRole("button", { name: "Save", exact: true });
    if (await save.isVisible()) await save.click({ timeout: 5_000 }).catch(() => undefined);
    return (await diffTab(page, file.path).count()) === 0;
  });
}

/** Acts on the complete proposal of a file until everything in it is decided. */
async function review(play: Play, file: PlannedFile): Promise<void> {
  const { random, did } = play;
  const { page } = play.workbench;
  await bringToFront(page, file.path);
  await shownAsExpected(play, file, "the proposal is what the model wrote");
  const others = play.plan.files.some((other) => other !== file && other.model.pending.length > 0);
  for (const action of chosen(play, AFTERWARDS, [0, 1, 1, 2, 3])) {
    if (file.model.pending.length === 0 || (action === "close and show" && others)) continue;
    did(`${file.path}: ${action}`);
    await actAfterwards(play, file, action);
    if (file.model.pending.length > 0) await shownAsExpected(play, file, `“${action}” shows`);
  }
  if (file.model.pending.length > 0) await decideFile(play, file, random.chance(75));
  await untilClosed(page, file);
  // Graft goes on to the next file, unless that is still written, and takes the focus along.
  if (others)
    await page
      .locator(".monaco-diff-editor .editor.modified .monaco-editor.focused")
      .first()
      .waitFor({ timeout: 10_000 })
      .catch(() => undefined);
}

async function shownAsExpected(
  { workbench: { page } }: Play,
  { path: name, model }: PlannedFile,
  what: string,
): Promise<void> {
  await untilShown(page, `${what} in ${name}`, {
    original: model.real,
    modified: model.proposed,
    lens: LENS.decide,
    file: name,
  });
}

async function actAfterwards(play: Play, file: PlannedFile, action: Action): Promise<void> {
  const { random, did } = play;
  const { page } = play.workbench;
  const { model } = file;
  const undisputed = model.pending.filter(({ conflict }) => !conflict);
  const written = undisputed.filter(({ proposed }) => proposed.length > 0);
  switch (action) {
    case "type in file":
      return typeInFile(play, file, model.freeRealLines());
    case "type in hunk of file":
      return typeInFile(play, file, model.contestedRealLines());
    case "type beside hunks": {
      const lines = model.freeRealLines();
      if (lines.length === 0) return;
      const line = random.pick(lines);
      const word = marker();
      const shown = model.real.slice(0, line).length + shiftBefore(file, line);
      did(`  ${word} in line ${shown + 1} of the proposal`);
      await typeInProposal(page, shown, word);
      return model.typeBesideHunks(line, word);
    }
    case "type in hunk": {
      if (written.length === 0) return;
      const hunk = random.pick(written);
      const line = random.int(0, hunk.proposed.length - 1);
      const word = marker();
      const shown = model.proposedStart(hunk) + line;
      did(`  ${word} in line ${shown + 1} of the proposal`);
      await typeInProposal(page, shown, word);
      return model.typeInHunk(hunk, line, word);
    }
    case "accept hunk":
    case "reject hunk": {
      if (undisputed.length === 0) return;
      const hunk = random.pick(undisputed);
      await decideHunk(play, file, hunk, action === "accept hunk");
      return;
    }
    case "accept and undo": {
      if (undisputed.length === 0 || model.pending.length < 2) return;
      const hunk = random.pick(undisputed);
      const undo = await decideHunk(play, file, hunk, true);
      await untilShown(page, "the hunk is in the file", { original: model.real });
      await focusSide(page, "original");
      await page.keyboard.press("Control+Z");
      return undo?.();
    }
    default:
      return closeAndShow(play, file);
  }
}

/** How many lines the hunks above a line of the file add to the proposal. */
function shiftBefore({ model }: PlannedFile, realLine: number): number {
  const line = model.real[realLine] ?? "";
  return model.proposed.indexOf(line) - realLine;
}

async function decideHunk(
  play: Play,
  { model }: PlannedFile,
  hunk: Hunk,
  accepted: boolean,
): Promise<(() => void) | undefined> {
  const line = model.proposedStart(hunk);
  play.did(`  the hunk at line ${line + 1} of the proposal`);
  await decideByLens(play.workbench.page, accepted ? LENS.accept : LENS.reject, line);
  if (accepted) return model.accept([hunk]);
  model.reject([hunk]);
  return undefined;
}

/**
 * Decides on all that is left; what is in conflict is left out by Accept File and then rejected.
 */
async function decideFile(play: Play, file: PlannedFile, accepted: boolean): Promise<void> {
  const { page } = play.workbench;
  const { model } = file;
  const sound = model.pending.filter(({ conflict }) => !conflict);
  if (accepted && sound.length > 0) {
    play.did(`${file.path}: accept file`);
    await decideByKey(page, "acceptFile");
    model.accept(sound);
    if (model.pending.length === 0) return;
    await shownAsExpected(play, file, "all but the conflicts is accepted");
  }
  play.did(`${file.path}: reject file`);
  await decideByKey(page, "rejectFile");
  model.reject(model.pending);
}

async function checkDisk({ workbench, plan }: Play): Promise<void> {
  const onDisk = (file: PlannedFile) =>
    fs.readFileSync(path.join(workbench.folder, file.path), "utf8");
  const expected = (file: PlannedFile) => file.model.real.join(file.eol);
  await untilSeen(
    "the files on the disk are what they should be",
    async () => {
      await pressFor(workbench.page, "saveAll");
      return plan.files.every((file) => onDisk(file) === expected(file));
    },
    () =>
      plan.files
        .map(
          (file) =>
            `${file.path}:\n${JSON.stringify(onDisk(file))}\n--- instead of\n${JSON.stringify(expected(file))}`,
        )
        .join("\n"),
  );
}

/**
 * A change of the user's is told exactly when he typed in a proposal and took it, and only with the
 * lines he typed in.
 */
function checkReport({ model, plan }: Play): void {
  const report = model.report() ?? "";
  const typed = plan.files
    .flatMap((file) => file.model.hunks)
    .filter(({ typedInProposal }) => typedInProposal);
  if (typed.length === 0)
    assert.doesNotMatch(
      report,
      USER_CHANGED,
      `nothing was typed into a proposal, but the model was told:\n${report}`,
    );
  if (typed.some(({ state }) => state === "accepted"))
    assert.match(report, USER_CHANGED, `the model was not told of the user's change:\n${report}`);
  const [, diff = ""] = report.split(USER_CHANGED);
  for (const line of diff.split("\n")) {
    if (/^\+(?!\+\+ )/.test(line))
      assert.match(
        line,
        /~\d+~/,
        `the model was told of a change that the user did not make:\n${report}`,
      );
  }
}

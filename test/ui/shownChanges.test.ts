import assert from "node:assert/strict";
import { type HunkDetail, hunkDetails } from "../../src/edits/review/hunkDetails.ts";
import { drawnHunks } from "../../src/edits/review/hunkLocations.ts";
import type { Hunk } from "../../src/edits/review/reviewPlan.ts";
import { lineDiff } from "../../src/edits/text/lineDiff.ts";
import type { ModelStep } from "../fakes/model/modelServer.ts";
import { type DrawnEditor, readEditor } from "./drawnDiff.ts";
import { lenses } from "./editorInFront.ts";
import { gallery } from "./gallery.ts";
import { screenshot } from "./screenshot.ts";
import { ask, modelWorkbench, openFile, openPanel, panel, runCommand, until } from "./workbench.ts";

/** Lines of a file, numbered. */
const rows = (count: number, name = "row") =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);
const steps = (indent: string) => rows(4, "step").map((step) => indent + step);
const text = (...lines: readonly (string | readonly string[])[]) => `${lines.flat().join("\n")}\n`;
const long = "word ".repeat(200);

/** What a model may propose, by the file's name: the file's text before and after. */
const EDITS: Readonly<Record<string, readonly [string, string]>> = {
  "trailing.txt": [
    text("one  ", "two", "three\t", rows(5)),
    text("one", "two  ", "three", rows(5)),
  ],
  "indent.txt": [
    text("call", steps("    "), "end", rows(5)),
    text("call", steps("  "), "end", rows(5)),
  ],
  "tabs.txt": [text("call", steps("    "), "end"), text("call", steps("\t"), "end")],
  "blank-lines.txt": [text("a", "b", "", "c", rows(3)), text("a", "", "b", "c", rows(3), "")],
  "blanks-in-blank-line.txt": [text("a", "    ", "b"), text("a", "", "b")],
  "mixed.txt": [
    text("a", steps("  "), "b", rows(4)),
    text("A", steps("    "), "b", rows(2), "new", "row 2", "row 3"),
  ],
  "visible-and-hidden.txt": [text("x", "  y", "z"), text("x!", "y", "z!")],
  "adjacent.txt": [text("a", "b", "c", "d"), text("A", "b", "C", "  d")],
  "top.txt": [text("first", "second", rows(4)), text("second", rows(4))],
  "end.txt": [text(rows(4), "last"), text(rows(4))],
  "empty.txt": [text("one", "two"), "\n"],
  "no-final-newline.txt": ["one\n  two", "one\ntwo"],
  "crlf.txt": [text(" a", "b", rows(3)).replaceAll("\n", "\r\n"), text("a", "b", rows(3))],
  "mixed-line-ends.txt": ["a\r\n b\nc\r\nd\r\n", text("a", "b", "c", "d")],
  "bom.txt": [`\ufeff${text("a", " b")}`, text("a", "b")],
  "moved.txt": [
    text("f {", "  one", "}", "g {", "  two", "}", rows(3)),
    text("g {", "  two", "}", "f {", "  one", "}", rows(3)),
  ],
  "unwrapped.txt": [
    text("if (a) {", "  if (b) {", "    x", "  }", "}", rows(3)),
    text("if (a) {", "  x", "}", rows(3)),
  ],
  "repeated.txt": [
    text("if (a) {", "  if (b) {", "    x", "    }", "  }", "}", "if (c) {", "  }", "}"),
    text("if (a) {", "    x", "}", "if (c) {", "  if (b) {", "  }", "  }", "}"),
  ],
  "long.txt": [text(`  ${long}`, "b"), text(long, "b")],
  "folded-middle.txt": [
    text("a", rows(12), steps("    "), rows(12, "tail"), "z"),
    text("A", rows(12), steps("\t"), rows(12, "tail"), "Z"),
  ],
  "folded-top.txt": [text(steps("  "), rows(25), "z"), text(steps("    "), rows(25), "Z")],
  "folded-end.txt": [text("a", rows(25), steps("  ")), text("A", rows(25), steps("    "))],
};
const NAMES = Object.keys(EDITS);

/** The settings under which VS Code shows least, and those that it comes with. */
const SETTINGS: Readonly<Record<string, Record<string, unknown>>> = {
  "side by side, with VS Code's own settings": { "diffEditor.renderSideBySide": true },
  "inline, with the settings that hide most": {
    "diffEditor.renderSideBySide": false,
    "diffEditor.ignoreTrimWhitespace": true,
    "diffEditor.diffAlgorithm": "legacy",
    "diffEditor.hideUnchangedRegions.enabled": true,
  },
};

/** The document's text: VS Code keeps the byte order mark to itself. */
const shownText = (name: string, at: 0 | 1) =>
  (EDITS[name]?.[at] ?? "").replace("\ufeff", "").replaceAll("\r\n", "\n");

interface Expected {
  readonly hunks: readonly Hunk[];
  readonly details: ReadonlyMap<string, HunkDetail>;
  readonly real: readonly string[];
  readonly proposed: readonly string[];
}

function expected(name: string): Expected {
  const [realText, proposedText] = [shownText(name, 0), shownText(name, 1)];
  const plain = lineDiff(realText, proposedText).map(({ beforeLines, afterLines }, index) => ({
    ...{
      id: `${index}`,
      real: beforeLines,
      proposed: afterLines,
      blockIds: [],
      warnings: [],
      conflict: false,
    },
  }));
  const hunks = drawnHunks(plain, realText, proposedText);
  const details = hunkDetails({ realText, proposedText, hunks: () => hunks });
  return { hunks, details, real: realText.split("\n"), proposed: proposedText.split("\n") };
}

/** What is drawn of a proposal in some lines, as one can compare it: a letter for each mark. */
function marksOf(drawn: DrawnEditor): string[] {
  return drawn.lines.flatMap(({ line, bar, cut }) =>
    bar || cut ? [`${line}${bar ? " bar" : ""}${cut ? ` cut ${cut}` : ""}`] : [],
  );
}

/**
 * The marks that a proposal's side must have: a bar along each hunk's lines, or the place where
 * lines are removed.
 */
function expectedMarks(
  { hunks, proposed }: Expected,
  isDrawn: (line: number) => boolean,
): string[] {
  const marks = new Map<number, string>();
  for (const { proposed: range } of hunks) {
    for (let line = range.start; line < range.end; line++) marks.set(line, `${line} bar`);
  }
  for (const { proposed: range } of hunks) {
    if (range.start < range.end) continue;
    const line = Math.min(range.start, proposed.length - 1);
    marks.set(
      line,
      `${marks.get(line) ?? line} cut ${range.start >= proposed.length ? "below" : "above"}`,
    );
  }
  return [...marks.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([line, mark]) => (isDrawn(line) ? [mark] : []));
}

/** Compares the proposal's side of a diff with its hunks; null when they agree. */
function problemOf(drawn: DrawnEditor, name: string, isWhole: boolean): string | null {
  const want = expected(name);
  const isDrawn = (line: number) => drawn.lines.some((one) => one.line === line);
  const problems: string[] = [];
  const same = (what: string, actual: unknown, wanted: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(wanted))
      problems.push(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`);
  };
  same("marks", marksOf(drawn), expectedMarks(want, isWhole ? () => true : isDrawn));
  if (name === "mixed-line-ends.txt" && isDrawn(0))
    same(
      "said of line ends",
      drawn.lenses.filter(({ text: lens }) => lens === "⚠ Saving makes all line ends CRLF").length,
      1,
    );
  const starts = want.hunks
    .map(({ proposed }) => Math.min(proposed.start, want.proposed.length - 1))
    .filter(isDrawn);
  // Where only a part is drawn, the line below its last lens may be the next one to be drawn.
  const accepts = drawn.lenses
    .filter(({ text, line }) => text === "✓ Accept" && (isWhole || line !== null))
    .map(({ line }) => line);
  same("lenses", accepts, starts);
  for (const line of accepts) {
    const at = drawn.lines.find((one) => one.line === line);
    if (!at || !(at.bar || at.cut)) problems.push(`the lens above line ${line} stands on nothing`);
  }
  for (const hunk of want.hunks) {
    const detail = want.details.get(hunk.id);
    const noted = drawn.lines
      .filter(({ line }) => line >= hunk.proposed.start && line <= hunk.proposed.end)
      .map(({ note }) => note);
    for (const change of detail?.whitespace ?? []) {
      const at = drawn.lines.find(({ line }) => line === change.proposed);
      const boxes = [change.leading, change.trailing].flatMap((one) =>
        one && one.after !== "" ? [one.after] : [],
      );
      if (at) same(`boxes in line ${change.proposed}`, at.blanks.length, boxes.length);
    }
    if (
      detail?.whitespace[0] &&
      isDrawn(hunk.proposed.start) &&
      !noted.some((note) => /: .+ → /.test(note))
    )
      problems.push(`no note on the whitespace of the hunk at line ${hunk.proposed.start}`);
    if (
      detail?.maybeHidden &&
      detail.removed.length > 0 &&
      isDrawn(starts[0] ?? 0) &&
      !noted.some((note) => note.includes("removed: "))
    )
      problems.push(`no note on the removed lines of the hunk at line ${hunk.proposed.start}`);
  }
  return problems.length > 0 ? problems.join("; ") : null;
}

/** Compares the file's side. */
function problemOfFile(drawn: DrawnEditor, name: string): string | null {
  const { hunks } = expected(name);
  const wanted = drawn.lines.flatMap(({ line }) =>
    hunks.some(({ real }) => line >= real.start && line < real.end) ? [`${line} bar`] : [],
  );
  const [actual, want] = [JSON.stringify(marksOf(drawn)), JSON.stringify(wanted)];
  return actual === want ? null : `the file's side: ${actual}, not ${want}`;
}

describe("what a diff shows is what Accept takes, in a real VS Code", () => {
  const replies: ModelStep[] = NAMES.flatMap((name) => [
    { toolCalls: [{ name: "edit_mode", args: { file_path: name, complete_file: true } }] },
    { text: `\`\`\`txt\n${shownText(name, 1).replace(/\n?$/, "\n")}\`\`\`\n`, chunkSize: 4_000 },
  ]);
  const files = Object.fromEntries(NAMES.map((name) => [name, EDITS[name]?.[0] ?? ""]));
  const suite = modelWorkbench(
    [...replies, { text: "All is proposed." }],
    files,
    { "graft.maxSteps": replies.length + 1 },
    "themeSwitch",
  );

  /** Waits until what is drawn has no problem, and fails with the last one. */
  async function agrees(what: string, look: () => Promise<string | null>): Promise<void> {
    let last: string | null = "nothing";
    await until(what, async () => {
      last = await look();
      return last === null;
    }).catch((error: unknown) => {
      throw new Error(`${what}: ${last}`, { cause: error });
    });
  }

  async function openDiff(name: string): Promise<void> {
    const show = panel(suite.page)
      .locator(".card .file")
      .filter({ has: suite.page.getByText(name, { exact: true }) })
      .last();
    const tab = suite.page.locator(".tab.active", { hasText: `${name} (Graft proposal)` });
    // The first diff of the answer opens by itself, perhaps over this one.
    await until(`the diff of ${name} is in front`, async () => {
      await show.click({ timeout: 10_000 }).catch(() => undefined);
      return tab.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    });
  }

  before("all edits are proposed", async () => {
    await openPanel(suite.page);
    await ask(suite.page, "Change them all");
    await panel(suite.page).getByText("All is proposed.", { exact: true }).waitFor();
  });

  for (const [settings, values] of Object.entries(SETTINGS)) {
    describe(settings, () => {
      before(() => suite.workbench.set(values));

      for (const name of NAMES) {
        it(`marks every change of ${name}, and every lens stands on one`, async () => {
          const { page } = suite;
          await openDiff(name);
          const side = (which: string) =>
            page.locator(`.editor-instance .monaco-diff-editor .editor.${which}`);
          await agrees(name, async () => {
            const proposal = await readEditor(side("modified"));
            if (!proposal) return "no diff";
            const file =
              values["diffEditor.renderSideBySide"] === true
                ? await readEditor(side("original"))
                : null;
            return problemOf(proposal, name, true) ?? (file ? problemOfFile(file, name) : null);
          });
        });
      }
    });
  }

  it("marks them all in the editor of all proposals, where VS Code folds what it takes for unchanged", async () => {
    const { page } = suite;
    suite.workbench.set({ "diffEditor.ignoreTrimWhitespace": true });
    await runCommand(page, "Graft: Review All Proposed Changes");
    const entries = page.locator(".multiDiffEntry");
    // Beside the files: a wide one would take the wheel.
    const area = await entries.first().boundingBox();
    await page.mouse.move((area?.x ?? 0) + 4, (area?.y ?? 0) + 300);
    /** The lenses that were seen, as `name line`. */
    const seen = new Set<string>();
    const look = async () => {
      const problems: string[] = [];
      for (const entry of await entries.all()) {
        const label = entry.locator(".title.modified .label-name");
        // VS Code draws only those that are near: one may go meanwhile.
        if (!(await label.isVisible())) continue;
        const name = (await label.allTextContents()).join("").trim();
        assert.equal(await entry.locator(".status.renamed").count(), 0, `${name} is not renamed`);
        const drawn = await readEditor(entry.locator(".editor.modified"));
        if (!drawn || !NAMES.includes(name)) continue;
        for (const { text: lens, line } of drawn.lenses)
          if (lens === "✓ Accept") seen.add(`${name} ${line}`);
        const problem = problemOf(drawn, name, false);
        if (problem) problems.push(`${name}: ${problem}`);
      }
      return problems.length > 0 ? problems.join("\n") : null;
    };
    const wanted = NAMES.flatMap((name) => {
      const { hunks, proposed } = expected(name);
      return hunks.map((hunk) => `${name} ${Math.min(hunk.proposed.start, proposed.length - 1)}`);
    });
    // A fold that opens late moves what is below it: what was passed over is seen on the way back.
    for (const [way, pixels] of [
      ["down", 100],
      ["up", -100],
    ] as const)
      for (let turn = 0; turn < 60 && wanted.some((lens) => !seen.has(lens)); turn++) {
        await agrees(`all proposals, scrolled ${way} ${turn} times`, look);
        // VS Code takes 50 pixels from each, however many there are.
        for (let step = 0; step < 6; step++) await page.mouse.wheel(0, pixels);
      }
    assert.deepEqual(
      wanted.filter((lens) => !seen.has(lens)),
      [],
      "the lenses that were nowhere",
    );
  });

  for (const name of ["tabs.txt", "mixed.txt", "repeated.txt", "end.txt"]) {
    it(`marks every change in the own editor of ${name}`, async () => {
      const { page } = suite;
      await openFile(page, name);
      const { hunks, real } = expected(name);
      await agrees(name, async () => {
        const drawn = await readEditor(
          page.locator(
            ".editor-instance .monaco-editor:not(.monaco-diff-editor .monaco-editor):visible",
          ),
        );
        if (!drawn) return "no editor";
        const accepts = drawn.lenses
          .filter(({ text: lens }) => lens === "✓ Accept")
          .map(({ line }) => line);
        const starts = hunks.map((hunk) => Math.min(hunk.real.start, real.length - 1));
        if (JSON.stringify(accepts) !== JSON.stringify(starts))
          return `lenses at ${accepts}, not ${starts}`;
        return problemOfFile(drawn, name);
      });
    });
  }

  it("can be looked at in four themes and in a narrow window", async function () {
    if (!process.env.GRAFT_SCREENSHOTS) this.skip();
    const { page, workbench } = suite;
    const look = async (name: string) => {
      await until("the lenses are there", async () => (await lenses(page, "✓ Accept")).length > 0);
      await gallery(workbench, name);
    };
    await openFile(page, "mixed.txt");
    await look("changes in the own editor");
    await openDiff("mixed.txt");
    await look("changes of whitespace");
    await openDiff("repeated.txt");
    await look("changes of repeated lines");
    await page.setViewportSize({ width: 800, height: 700 });
    await screenshot(page, "changes of repeated lines, narrow");
    await openDiff("mixed-line-ends.txt");
    await screenshot(page, "changes of line ends, narrow");
  });
});

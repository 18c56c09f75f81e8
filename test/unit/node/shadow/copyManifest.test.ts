import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {
  type CopyStep,
  copyStep,
  type Mark,
  markOf,
} from "../../../../src/node/shadow/copyManifest.ts";
import { tempFolder } from "../../../fakes/workspace/tempFolder.ts";

/** The user's file and the copy's as they are now, and as they were: `-` for nothing. */
type Row = readonly [source: Mark, copy: Mark, was: Mark, copyWas: Mark, step: CopyStep];

const ROWS: readonly Row[] = [
  ["-", "-", "-", "-", "none"],
  ["file 1", "-", "-", "-", "make"],
  ["file 1", "file 2", "file 1", "file 2", "none"],
  ["file 3", "file 2", "file 1", "file 2", "make"],
  ["-", "file 2", "file 1", "file 2", "remove"],
  ["-", "-", "file 1", "-", "none"],
  // A command wrote, deleted or made it.
  ["file 1", "file 3", "file 1", "file 2", "make"],
  ["file 1", "-", "file 1", "file 2", "make"],
  ["-", "file 3", "-", "-", "remove"],
  ["-", "other 3", "-", "-", "remove"],
  ["file 1", "folder 3", "file 1", "file 2", "make"],
  // What cannot be read, and what changed while it was copied.
  ["file 1", "-", "file 1", "-", "none"],
  ["file 1", "file 2", "-", "file 2", "make"],
  ["-", "file 2", "-", "file 2", "remove"],
  // Pipes and sockets are left out.
  ["other 1", "-", "-", "-", "none"],
  ["other 1", "file 2", "file 1", "file 2", "remove"],
];

/** The same where what commands change is kept. */
const KEPT: readonly Row[] = [
  ["file 1", "file 2", "file 1", "file 2", "none"],
  ["file 3", "file 2", "file 1", "file 2", "make"],
  ["-", "file 2", "file 1", "file 2", "remove"],
  ["file 1", "file 3", "file 1", "file 2", "leave"],
  ["file 4", "file 3", "file 1", "file 2", "leave"],
  ["-", "file 3", "-", "-", "leave"],
  ["file 1", "-", "file 1", "file 2", "leave"],
  ["file 1", "-", "-", "-", "make"],
];

describe("what makes a copy like the folder", () => {
  const mark = (text: string) => (text === "-" ? "" : text);
  for (const [rows, isKept] of [
    [ROWS, false],
    [KEPT, true],
  ] as const)
    for (const [source, copy, was, copyWas, step] of rows)
      it(`${step}: now ${source} | ${copy}, was ${was} | ${copyWas}${isKept ? ", kept" : ""}`, () => {
        const now = { source: mark(source), copy: mark(copy) };
        assert.equal(copyStep(now, { source: mark(was), copy: mark(copyWas) }, isKept), step);
      });

  it("sees a change that keeps the size and sets the time back", async () => {
    const folder = await tempFolder();
    await folder.write("a.txt", "one\n");
    const place = path.join(folder.root, "a.txt");
    const before = fs.lstatSync(place);
    const mark = markOf(before);
    assert.equal(markOf(fs.lstatSync(place)), mark);
    // The clock of a file system counts in some milliseconds.
    for (let now = mark; now === mark; now = markOf(fs.lstatSync(place))) {
      fs.writeFileSync(place, "two\n");
      fs.utimesSync(place, before.atime, before.mtime);
    }
    assert.equal(fs.lstatSync(place).size, before.size);
    await folder.remove();
  });
});

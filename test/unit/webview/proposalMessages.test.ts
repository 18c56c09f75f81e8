import assert from "node:assert/strict";
import type { PendingFile } from "../../../src/protocol/messages.ts";
import { operationsText, ranOnProposals, unkeptText } from "../../../webview/proposalMessages.ts";

describe("what is said of a command's changes", () => {
  it("counts apart what it created, changed, deleted, renamed and made a program", () => {
    const all = { changed: 1, created: 2, deleted: 105, renamed: 1, modes: 3 };
    assert.equal(
      ranOnProposals({ ...all, backend: "overlay" }),
      "ran on the proposals, created 2 files, changed 1 file, deleted 105 files, renamed 1 file, changed the mode of 3 files",
    );
    // As earlier versions recorded it.
    assert.equal(
      ranOnProposals({ changed: 105, backend: "copy", sandbox: { wantedNetwork: false } }),
      "ran on a copy with the proposals, changed 105 files · without network",
    );
    assert.equal(ranOnProposals({ changed: 0 }), "ran on the proposals");
    assert.equal(
      ranOnProposals({ changed: 0, unproposed: ["/w/link", "/w/src/a.bin"] }),
      "ran on the proposals · not proposed: link, a.bin",
    );
  });

  it("names the files of which a running command has rejected text, and no longer once it ended", () => {
    const [ran, files] = [{ changed: 0 }, ["a.ts", "b.ts"]];
    assert.match(ranOnProposals(ran, { code: "running" }, files), /rejected text of a\.ts, b\.ts$/);
    assert.match(ranOnProposals(ran, { code: "running" }), /^runs on the proposals /);
    assert.match(
      ranOnProposals({ ...ran, backend: "copy" }, { code: "running" }),
      /^runs on a copy /,
    );
    assert.doesNotMatch(ranOnProposals(ran, { code: "exited", exitCode: 0 }, files), /rejected/);
  });

  it("names in the bar what happens to whole files", () => {
    const operation = (to: string | null, executable?: boolean) =>
      ({ operation: { to, ...(executable !== undefined && { executable }) } }) as PendingFile;
    const files = [operation(null), operation(null), operation("b"), operation("a", true)];
    assert.equal(
      operationsText(files),
      "deletes 2 files, renames 1 file, changes the mode of 1 file",
    );
    assert.equal(operationsText([{} as PendingFile]), "");
  });

  it("names in the bar what could not be stored, once a file, with the system's words", () => {
    const file = (path: string, unkept?: string) =>
      ({ path, ...(unkept !== undefined && { unkept }) }) as PendingFile;
    const said = unkeptText([file("a.ts", "ENOSPC"), file("a.ts", "ENOSPC"), file("b.ts")]);
    assert.match(said, /: a\.ts\. ENOSPC\./);
    assert.equal(unkeptText([file("b.ts")]), "");
  });
});

import assert from "node:assert/strict";
import { DocumentSaver } from "../../../../src/review/documents/documentSaver.ts";

/**
 * A document whose saves last until they are let go. VS Code calls it clean after each of them,
 * whatever came meanwhile.
 */
function saved() {
  const document = { version: 1, isDirty: true, getText: () => "text" };
  let letGo: (done: boolean) => void = () => undefined;
  const saver = new DocumentSaver<typeof document>({
    document: () => document,
    save: () =>
      new Promise((resolve) => {
        letGo = (done) => {
          document.isDirty = false;
          resolve(done);
        };
      }),
    mustWait: () => true,
    begins() {},
    ended() {},
  });
  return { document, saver, letGo: (done: boolean) => letGo(done) };
}

describe("a document that is being saved", () => {
  it("is saved when nothing came meanwhile", async () => {
    const { document, saver, letGo } = saved();
    const saving = saver.save(document);
    letGo(true);
    assert.equal(await saving, true);
    assert.equal(saver.unsaved, null);
  });

  it("counts as unsaved where something came during the save, although VS Code calls it clean", async () => {
    const { document, saver, letGo } = saved();
    const saving = saver.save(document);
    saver.textChanged();
    letGo(true);
    await saving;
    assert.equal(saver.unsaved, document);
  });

  it("counts as unsaved where VS Code refused, or where a save ended that nobody announced", async () => {
    const { document, saver, letGo } = saved();
    const saving = saver.save(document);
    letGo(false);
    await saving;
    assert.equal(saver.unsaved, document);
    const other = saved();
    other.document.isDirty = false;
    other.saver.saved();
    assert.equal(other.saver.unsaved, other.document);
  });

  it("counts as unsaved where a change may be under way, until a save has met it", async () => {
    const { document, saver, letGo } = saved();
    document.isDirty = false;
    assert.equal(saver.unsaved, null);
    saver.doubt();
    assert.equal(saver.unsaved, document);
    const saving = saver.save(document);
    letGo(true);
    await saving;
    assert.equal(saver.unsaved, null);
  });

  it("counts as saved once another document has taken its place, whatever was unsure before", () => {
    const { document, saver } = saved();
    document.isDirty = false;
    saver.willSave();
    saver.textChanged();
    assert.deepEqual([saver.saving, saver.unsaved], [true, document]);
    saver.reset();
    assert.deepEqual([saver.saving, saver.unsaved], [false, null]);
  });
});

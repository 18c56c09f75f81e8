import assert from "node:assert/strict";
import path from "node:path";
import { copyLayout } from "../../../../src/node/shadow/copyLayout.ts";

const { win32, posix } = path;

describe("the layout of a copy", () => {
  const onWindows = (...folders: readonly string[]) => copyLayout(folders, "T:\\own", win32);

  it("has a folder by its name, also on Windows", () => {
    const layout = onWindows("C:\\work\\app");
    assert.equal(layout.copyOf("C:\\work\\app\\src\\a.ts"), "T:\\own\\app\\src\\a.ts");
    assert.equal(layout.sourceOf("T:\\own\\app\\src\\a.ts"), "C:\\work\\app\\src\\a.ts");
    assert.equal(layout.copyOf("C:\\work\\application\\a.ts"), null);
    assert.equal(layout.sourceOf("T:\\own"), null);
  });

  it("knows a path in another case on Windows, and with slashes, but not elsewhere", () => {
    const layout = onWindows("C:\\Work\\App");
    assert.equal(layout.copyOf("c:\\work\\app\\A.ts"), "T:\\own\\App\\A.ts");
    assert.equal(layout.copyOf("c:/Work/App/src/a.ts"), "T:\\own\\App\\src\\a.ts");
    assert.equal(copyLayout(["/w/App"], "/own", posix).copyOf("/w/app/a.ts"), null);
  });

  it("keeps folders of one drive beside each other", () => {
    const layout = onWindows("C:\\work\\app", "C:\\work\\libs\\b");
    const copies = layout.folders.map(({ copy }) => copy);
    assert.deepEqual(copies, ["T:\\own\\app", "T:\\own\\libs\\b"]);
  });

  it("has folders of several drives and machines apart, each with its way back", () => {
    const folders = ["C:\\work\\app", "D:\\work\\app", "\\\\server\\share\\app"];
    const layout = onWindows(...folders);
    const copies = layout.folders.map(({ copy }) => copy);
    assert.equal(new Set(copies.map((copy) => copy.toLowerCase())).size, folders.length);
    for (const [at, copy] of copies.entries()) {
      assert.ok(copy.startsWith("T:\\own\\"), copy);
      assert.equal(layout.sourceOf(`${copy}\\a.ts`), `${folders[at]}\\a.ts`);
    }
  });

  it("has a whole drive or file system in a folder, too", () => {
    assert.equal(onWindows("D:\\").copyOf("D:\\a.ts"), "T:\\own\\root\\a.ts");
    assert.equal(copyLayout(["/"], "/own", posix).copyOf("/a.ts"), "/own/root/a.ts");
  });

  it("has no path of another drive", () => {
    assert.equal(onWindows("C:\\work").copyOf("D:\\work\\a.ts"), null);
    assert.equal(onWindows("C:\\work").copyOf("C:\\workshop"), null);
    assert.equal(onWindows("C:\\work").copyOf("C:\\work\\..\\other"), null);
  });
});

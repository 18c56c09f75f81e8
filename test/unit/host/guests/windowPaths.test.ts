import assert from "node:assert/strict";
import { windowArguments } from "../../../../src/host/guests/windowPaths.ts";

const NAMES = ["shop", "lib"];

describe("paths of a guest in a window with several folders", () => {
  /** The guest is in `shop`, which has a folder of that name. */
  const placed = (args: unknown, entries: readonly string[] = ["shop", "src"]) =>
    windowArguments(
      args,
      { at: (path) => `/home/me/shop/${path}`, has: async (name) => entries.includes(name) },
      NAMES,
    );

  it("are below its own folder, unless they name another one", async () => {
    const cases = [
      ["src/a.ts", "/home/me/shop/src/a.ts"],
      ["new/a.ts", "/home/me/shop/new/a.ts"],
      ["../lib/a.ts", "/home/me/shop/../lib/a.ts"],
      ["lib/a.ts", "lib/a.ts"],
      ["./lib/a.ts", "./lib/a.ts"],
      ["library/a.ts", "/home/me/shop/library/a.ts"],
      ["/elsewhere/a.ts", "/elsewhere/a.ts"],
      ["C:\\elsewhere\\a.ts", "C:\\elsewhere\\a.ts"],
    ] as const;
    for (const [path, wanted] of cases)
      assert.deepEqual(await placed({ file_path: path }), {
        ok: true,
        value: { file_path: wanted },
      });
    assert.deepEqual(await placed({ from: "a.ts", to: "lib/b.ts", edits: [{ at: "1:1" }] }), {
      ok: true,
      value: { from: "/home/me/shop/a.ts", to: "lib/b.ts", edits: [{ at: "1:1" }] },
    });
  });

  it("are refused where they can be in either of two", async () => {
    assert.deepEqual(await placed({ file_path: "shop/a.ts" }), { ok: false, error: "shop/a.ts" });
    assert.deepEqual(await placed({ from: "src/a.ts", to: "./shop/b.ts" }), {
      ok: false,
      error: "./shop/b.ts",
    });
    const own = { at: (path: string) => path, has: async () => false };
    const twins = ["lib", "shop", "lib"];
    assert.equal((await windowArguments({ path: "lib/a.ts" }, own, twins)).ok, false);
    assert.deepEqual(await placed({ path: "shop/a.ts" }, []), {
      ok: true,
      value: { path: "shop/a.ts" },
    });
  });

  it("stay as they are where they are none", async () => {
    for (const args of [null, "text", 1, {}, { file_path: 3 }, { path: "" }])
      assert.deepEqual(await placed(args), { ok: true, value: args });
  });
});

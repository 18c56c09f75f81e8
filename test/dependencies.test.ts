import assert from "node:assert/strict";
import { isInstalled, type Packages } from "./harness/dependencies.mjs";

const one = { version: "1.0.0", integrity: "sha512-one" };
const lock: Packages = {
  "": { version: "1.0.0" },
  "node_modules/one": one,
  "node_modules/for-macos": { ...one, optional: true },
};

describe("the packages of the lock", () => {
  const rows: readonly (readonly [what: string, installed: Packages, isEnough: boolean])[] = [
    ["all of them", { "node_modules/one": one, "node_modules/for-macos": one }, true],
    ["all but one for another platform", { "node_modules/one": one }, true],
    ["none", {}, false],
    ["only an optional one", { "node_modules/for-macos": one }, false],
    ["another version", { "node_modules/one": { ...one, version: "1.0.1" } }, false],
    ["other contents", { "node_modules/one": { ...one, integrity: "sha512-other" } }, false],
    ["one more", { "node_modules/one": one, "node_modules/two": one }, false],
  ];
  for (const [what, installed, isEnough] of rows)
    it(`are ${isEnough ? "kept" : "installed"} where npm has installed ${what}`, () =>
      assert.equal(isInstalled(lock, installed), isEnough));
});

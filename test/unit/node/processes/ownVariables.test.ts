import assert from "node:assert/strict";
import * as path from "node:path";
import { ownVariables } from "../../../../src/node/processes/childEnvironment.ts";

describe("the environment of programs that Graft starts for itself", () => {
  const own = path.resolve("/usr/bin");

  it("names no folder for libraries, and no relative one for programs", () => {
    const given = {
      ...{ LD_LIBRARY_PATH: ":/opt", LD_PRELOAD: "x.so", GCONV_PATH: ".", LOCPATH: "." },
      ...{ DYLD_LIBRARY_PATH: ".", GLIBC_TUNABLES: "x", HOME: "/home/a" },
      PATH: ["./node_modules/.bin", "", own, "."].join(path.delimiter),
    };
    assert.deepEqual(ownVariables(given), { HOME: "/home/a", PATH: own });
  });
});

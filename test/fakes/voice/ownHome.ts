import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** Gives the tests of this suite a home of their own: one window of a user listens at a time. */
export function withOwnHome(): void {
  const names = ["HOME", "USERPROFILE"] as const;
  const before = names.map((name) => process.env[name]);
  let home = "";
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), "graft-home-"));
    for (const name of names) process.env[name] = home;
  });
  afterEach(() => {
    for (const [index, name] of names.entries()) {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    fs.rmSync(home, { recursive: true, force: true });
  });
}

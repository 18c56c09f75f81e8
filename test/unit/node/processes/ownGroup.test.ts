import assert from "node:assert/strict";
import { hasOnly } from "../../../../src/node/processes/ownGroup.ts";

const users = [
  "root:x:0:0:root:/root:/bin/bash",
  "ada:x:1000:1000:Ada:/home/ada:/bin/bash",
  "bob:x:1001:100::/home/bob:/bin/bash",
  "",
].join("\n");
const groups = [
  "root:x:0:",
  "staff:x:50:",
  "users:x:100:",
  "team:x:500:ada,bob",
  "nvm:x:998:ada",
  "admins:x:999:root,ada",
  "lost:x:997:ada,gone",
  "ada:x:1000:",
].join("\n");

describe("a group", () => {
  const rows = [
    ["of the user's own", 1000, true],
    ["with the user as its only member, as in a dev container", 998, true],
    ["with the user and the superuser", 999, true],
    ["with nobody, such as staff", 50, true],
    ["of another user's own", 100, false],
    ["that the user shares", 500, false],
    ["with a member that no file knows", 997, false],
    ["that no file knows", 12345, null],
  ] as const;
  for (const [name, gid, expected] of rows)
    it(`${name} ${expected ? "is trusted" : "is not"}`, () =>
      assert.equal(hasOnly(1000, gid, { users, groups }), expected));
});

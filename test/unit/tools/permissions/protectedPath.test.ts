import assert from "node:assert/strict";
import {
  isProtectedPath,
  isSecretPath,
  isVersionControlPath,
} from "../../../../src/tools/permissions/protectedPath.ts";

const protectedPaths = [
  ".vscode/tasks.json",
  ".vscode",
  "web/.VSCode/settings.json",
  ".vscode\\mcp.json",
  ".vscode./tasks.json",
  ".vscode::$INDEX_ALLOCATION/tasks.json",
  ".vs\u200dcode/tasks.json",
  ".vſcode/tasks.json",
  "VSCODE~1/tasks.json",
  "a/.devcontainer/Dockerfile",
  ".devcontainer.json",
  "all.code-workspace",
  ".github/workflows/ci.yml",
  ".github",
  ".husky/pre-commit",
  "tools/hooks/post-checkout",
  "AGENTS.md",
  "lib/Claude.md",
  "mcp.json",
  ".mcp.json",
  ".gitlab-ci.yml",
  "dotfiles/.bashrc",
  ".envrc",
  ".npmrc",
  ".git/hooks/pre-push",
];
const secretPaths = [
  ".env",
  "web/.ENV",
  ".env.local",
  ".env.production",
  "prod.env",
  ".git/config",
  "deploy/id_rsa",
  "id_ed25519_work",
  "certs/server.key",
  "a.pem",
  ".netrc",
  ".pgpass",
  ".aws/credentials",
  ".docker/config.json",
  "config/credentials.json",
  "client_secret_123.json",
  "secrets.yml",
  "secrets/db.txt",
  "ENV~1",
];
const others = [
  "src/vscode/a.ts",
  ".vscode-test/a.js",
  "my.vscode/x",
  "devcontainer.json",
  "code-workspace",
  "a.code-workspaces",
  "src/agents.ts",
  "hooks/useCart.ts",
  "update.ts",
  "package.json",
  ".env.example",
  ".env.production.sample",
  ".environment/readme.txt",
  "env.ts",
  "id_rsa.pub",
  "src/secrets.ts",
  "src/secrets/vault.ts",
  "keyboard.json",
  "docs/credentials.md",
  "Makefile",
  "gitconfig.md",
];

describe("a path", () => {
  for (const path of protectedPaths)
    it(`is protected: ${path}`, () => assert.equal(isProtectedPath(path), true));
  for (const path of secretPaths)
    it(`may hold keys: ${path}`, () => assert.equal(isSecretPath(path), true));
  for (const path of others)
    it(`is like any other: ${path}`, () =>
      assert.deepEqual([isProtectedPath(path), isSecretPath(path)], [false, false]));
  for (const path of [
    ".git/config",
    "a/.GIT/HEAD",
    "git~1/config",
    ".git./x",
    ".g\u200cit/hooks",
    ".hg",
  ])
    it(`belongs to version control: ${path}`, () => assert.equal(isVersionControlPath(path), true));
  for (const path of [".gitignore", ".github/a", "git/x"])
    it(`does not belong to version control: ${path}`, () =>
      assert.equal(isVersionControlPath(path), false));

  it("is judged in a time that grows with its length alone", () => {
    for (const part of ["-a", ".env_", "secret-", "~1.", "/", ". ", ":"])
      isSecretPath(`${part.repeat(100_000)}x`);
  });
});

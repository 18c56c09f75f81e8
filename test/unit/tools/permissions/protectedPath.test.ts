import assert from "node:assert/strict";
import { isEditorConfigPath } from "../../../../src/tools/permissions/protectedPath.ts";

describe("a path that VS Code acts on", () => {
  for (const path of [
    ".vscode/tasks.json",
    ".vscode",
    "web/.VSCode/settings.json",
    ".vscode\\mcp.json",
    ".vscode./tasks.json",
    "a/.devcontainer/Dockerfile",
    ".devcontainer.json",
    "all.code-workspace",
  ])
    it(`is ${path}`, () => assert.equal(isEditorConfigPath(path), true));

  for (const path of ["src/vscode/a.ts", ".vscode-test/a.js", "my.vscode/x", "devcontainer.json", "code-workspace", "a.code-workspaces"])
    it(`is not ${path}`, () => assert.equal(isEditorConfigPath(path), false));
});

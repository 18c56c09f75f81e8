import assert from "node:assert/strict";
import manifest from "../../../../package.json" with { type: "json" };
import { openGuest } from "../../../../src/agent/guests/openGuest.ts";
import { noLanguageServices } from "../../../../src/cli/nonInteractive.ts";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import { testSyntax } from "../../../fakes/editor/testSyntax.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const NAMES: Readonly<Record<string, string>> = {
  graft_outline: "file_outline",
  graft_read: "read_file",
  graft_edit: "edit_file",
};

describe("the tools that VS Code's agents see", () => {
  it("take the arguments of the tools that they are", async () => {
    const folder = await tempFolder();
    const logger = new RecordingLogger();
    const { specs } = openGuest({
      ...{ chatId: "guest-1", writes: false, logger, reviewer: createPendingReviewer() },
      workspace: await createNodeWorkspace(folder.root),
      files: await createNodeWorkspaceFiles(folder.root),
      syntax: testSyntax,
      services: noLanguageServices,
    });
    const schemas = new Map(specs.map(({ name, parameters }) => [name, parameters]));
    const tools = manifest.contributes.languageModelTools;
    assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(NAMES).sort());
    for (const { name, inputSchema } of tools)
      assert.deepEqual(inputSchema, schemas.get(NAMES[name] ?? ""), name);
    await folder.remove();
  });
});

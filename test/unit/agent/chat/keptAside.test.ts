import assert from "node:assert/strict";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import { chat, chatsIn, folder, open } from "./chatHarness.ts";

describe("A file that is written anew and kept aside", () => {
  chatsIn({});

  for (const [what, old, expected] of [
    ["CR alone", "a\rb\r", "n\rm\r"],
    ["CRLF", "a\r\nb\r\n", "n\r\nm\r\n"],
    ["LF", "a\nb\n", "n\nm\n"],
    ["none", "a", "n\nm\n"],
  ] as const)
    it(`keeps its line ends: ${what}`, async () => {
      await folder.write("x.txt", old);
      const files = await createNodeWorkspaceFiles(folder.root);
      const reviewer = createPendingReviewer();
      const args = { file_path: "x.txt", content: "n\nm\n", overwrite: true };
      await open([{ toolCalls: [{ name: "create_file", args }] }, { text: "ok" }], {
        files,
        reviewer,
      });
      await chat.send("Go");
      assert.deepEqual(
        reviewer.allPending().map(({ text }) => text),
        [expected],
      );
    });
});

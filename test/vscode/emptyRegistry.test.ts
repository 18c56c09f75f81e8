import * as vscode from "vscode";
import type { GraftApi } from "../../src/host/activate.ts";
import { expectEqual } from "./expect.ts";

// After every test of every suite: a turn that is over has left nobody who receives the stream.
teardown(async () => {
  const extension = vscode.extensions.getExtension<GraftApi>("graft-edits.graft");
  if (!extension?.isActive) return;
  const chat = await extension.exports.chat();
  if (!chat.busy) expectEqual(chat.activeRequests, 0, "requests that still receive the stream");
});

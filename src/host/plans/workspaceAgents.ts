import * as vscode from "vscode";
import { findAgentFiles } from "../../agent/request/agentFiles.ts";
import { Emitter } from "../../base/emitter.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { Host } from "../host.ts";

/** The agents that files of the workspace describe, as they are now. */
export interface WorkspaceAgents {
  /** By the paths of their files; none before they were read. */
  readonly all: readonly { readonly id: string; readonly name: string }[];
  onChange(listener: () => void): { dispose(): void };
}

/** Reads the agents' files, and again whenever one of them, the folders or their trust change. */
export function watchAgents({ run, stack }: Host, workspace: Workspace): WorkspaceAgents {
  const changes = new Emitter<void>();
  const closing = new AbortController();
  stack.add({ dispose: () => closing.abort() });
  let all: WorkspaceAgents["all"] = [];
  let reads = 0;
  const read = () => run("Reading the agents", readAll());
  async function readAll(): Promise<void> {
    const number = ++reads;
    const found = await findAgentFiles(workspace, closing.signal);
    // A later read says what there is now.
    if (number !== reads) return;
    all = found.flatMap(({ path, agent }) => (agent ? [{ id: path, name: agent.name }] : []));
    changes.fire();
  }
  for (const folder of [".github", ".claude"]) {
    const watcher = stack.add(vscode.workspace.createFileSystemWatcher(`**/${folder}/agents/*.md`));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      stack.add(event(read));
  }
  stack.add(vscode.workspace.onDidGrantWorkspaceTrust(read));
  stack.add(vscode.workspace.onDidChangeWorkspaceFolders(read));
  read();
  return {
    get all() {
      return all;
    },
    onChange: (listener) => changes.on(listener),
  };
}

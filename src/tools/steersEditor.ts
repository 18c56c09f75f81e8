/** Whether the editor acts upon what is at a path of the workspace: settings, tasks, servers, containers, and the folders that hold them. */
export function steersEditor(path: string): boolean {
  return /(^|[\\/])\.(vscode|devcontainer)[ .]*([\\/:]|$)|\.code-workspace[ .]*(:|$)|(^|[\\/])\.devcontainer\.json[ .]*(:|$)/i.test(path);
}

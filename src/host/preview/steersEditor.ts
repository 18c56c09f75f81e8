/** Whether the editor acts upon what is in a file, `/` between the segments of its path: settings, tasks, servers, containers. */
export function steersEditor(path: string): boolean {
  return /(^|\/)\.(vscode|devcontainer)\/|\.code-workspace$|(^|\/)\.devcontainer\.json$/i.test(path);
}

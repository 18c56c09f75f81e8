/** Compares a file's name as a model writes it with a workspace-relative path. */
export function sameFile(name: string, path: string): boolean {
  return name.replaceAll("\\", "/").replace(/^(\.\/)+/, "") === path;
}

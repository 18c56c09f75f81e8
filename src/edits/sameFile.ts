import type { FileRef } from "../ports/workspace.ts";

/** True when `name`, as a model writes it, is the file: its workspace-relative path, or its absolute one. */
export function sameFile(name: string, file: FileRef): boolean {
  const plain = name.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
  return plain === file.path || (/^(\/|[a-z]:\/)/i.test(plain) && plain.replace(/^\//, "") === absolutePath(file.uri));
}

/** The path of a URI without its first slash. */
function absolutePath(uri: string): string | null {
  try {
    return decodeURIComponent(uri.replace(/^[\w+.-]+:\/\/[^/]*\//, ""));
  } catch {
    return null;
  }
}

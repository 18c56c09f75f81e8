import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";

/** A folder that exists for one test. */
export interface TempFolder {
  readonly root: string;
  /** Writes a file, with its folders, and returns its absolute path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  remove(): Promise<void>;
}

/** Makes a folder with `files` (path to content), by default in the system's temporary folder. */
export async function tempFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  place = tmpdir(),
): Promise<TempFolder> {
  const root = await mkdtemp(path.join(place, "graft-test-"));
  const folder: TempFolder = {
    root,
    async write(name, content) {
      const file = path.join(root, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
  for (const [name, content] of Object.entries(files)) await folder.write(name, content);
  return folder;
}

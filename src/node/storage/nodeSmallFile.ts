import { randomUUID } from "node:crypto";
import { constants, copyFile, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import type { SmallFile } from "../../ports/eventLog.ts";
import { errorCode } from "../files/systemError.ts";

/** A small file on disk. Readers never see a partial text. */
export function createNodeSmallFile(file: string): SmallFile {
  /** Writes the text to a temporary file, which `use` moves into place. */
  const written = async <T>(text: string, use: (temporary: string) => Promise<T>): Promise<T> => {
    const temporary = `${file}.${randomUUID().slice(0, 8)}.tmp`;
    await mkdir(path.dirname(file), { recursive: true });
    try {
      await writeFile(temporary, text, "utf8");
      return await use(temporary);
    } finally {
      await rm(temporary, { force: true });
    }
  };
  return {
    read: () =>
      readFile(file, "utf8").catch((error: unknown) => {
        if (errorCode(error) === "ENOENT") return null;
        throw error;
      }),
    create: (text) =>
      written(text, async (temporary) => {
        try {
          await link(temporary, file).catch((error: unknown) => {
            if (errorCode(error) === "EEXIST") throw error;
            // Some file systems have no hard links.
            return copyFile(temporary, file, constants.COPYFILE_EXCL);
          });
          return true;
        } catch (error) {
          if (errorCode(error) === "EEXIST") return false;
          throw error;
        }
      }),
    write: (text) => written(text, (temporary) => rename(temporary, file)),
    remove: () => rm(file, { force: true }),
  };
}

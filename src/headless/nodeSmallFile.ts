import { randomUUID } from "node:crypto";
import { constants, copyFile, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import type { SmallFile } from "../ports/eventLog.ts";
import { errorCode } from "./errorCode.ts";

/** A small file on the machine's own disk; whoever reads it sees a whole text. */
export function createNodeSmallFile(file: string): SmallFile {
  /** Writes the text to a file of its own, which `use` moves to its place. */
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
            // Some file systems have no links.
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

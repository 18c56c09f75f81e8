import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import type { SmallFile } from "../../ports/eventLog.ts";
import { errorCode } from "../files/systemError.ts";

/** A small file on disk. Readers never see a partial text of `write`. */
export function createNodeSmallFile(file: string): SmallFile {
  return {
    read: () =>
      readFile(file, "utf8").catch((error: unknown) => {
        if (errorCode(error) === "ENOENT") return null;
        throw error;
      }),
    async create(text) {
      await mkdir(path.dirname(file), { recursive: true });
      try {
        await writeFile(file, text, { encoding: "utf8", flag: "wx" });
        return true;
      } catch (error) {
        if (errorCode(error) === "EEXIST") return false;
        throw error;
      }
    },
    async write(text) {
      const temporary = `${file}.${randomUUID().slice(0, 8)}.tmp`;
      await mkdir(path.dirname(file), { recursive: true });
      try {
        await writeFile(temporary, text, "utf8");
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    remove: () => rm(file, { force: true }),
  };
}

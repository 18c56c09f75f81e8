import { readFileSync, renameSync, writeFileSync } from "node:fs";
import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";
import type { Memory } from "../../ports/memory.ts";

const valuesSchema = z.record(z.string(), z.unknown());

/**
 * Keeps values in a JSON file, which other processes may change too; its folder exists. A file that
 * cannot be read holds nothing. `update` rejects where the file cannot be written.
 */
export function fileMemory(file: string): Memory {
  const values = () => valuesSchema.safeParse(parseJson(fileContent(file))).data ?? {};
  return {
    get: (key) => values()[key],
    // In one go, so that what another process wrote since a `get` just before is seldom lost.
    async update(key, value) {
      const temporary = `${file}.${process.pid}.tmp`;
      writeFileSync(temporary, JSON.stringify({ ...values(), [key]: value }), { mode: 0o600 });
      renameSync(temporary, file);
    },
  };
}

function fileContent(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

import { access, constants, stat, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { err, ok, type Result } from "../base/result.ts";

/** Whether `--patch` can be written, before a turn is paid for. The error is a sentence. */
export async function checkPatchFile(file: string): Promise<Result<null, string>> {
  try {
    const folder = path.dirname(path.resolve(file));
    const found = await stat(file).catch(() => null);
    await access(found ? file : folder, constants.W_OK);
    const fits = found ? !found.isDirectory() : (await stat(folder)).isDirectory();
    return fits ? ok(null) : err(unwritable(file));
  } catch {
    return err(unwritable(file));
  }
}

/** Writes the patch. The error is a sentence. */
export async function writePatchFile(file: string, text: string): Promise<Result<null, string>> {
  try {
    await writeFile(file, text);
    return ok(null);
  } catch {
    return err(unwritable(file));
  }
}

function unwritable(file: string): string {
  return `--patch must be a file that can be written. ${file} is not one.`;
}

import { constants } from "node:fs";
import { copyFile, lstat, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ProposedFile } from "../../ports/commands/shadow.ts";
import { changeExecutable, isExecutable } from "../files/fileMode.ts";
import { readPlain } from "../processes/readPlain.ts";
import { bytesOf, hashOf, textOf } from "./fileContent.ts";

/** What a shadow is known to have at a path where it differs from the user's file. */
export interface ShadowFile {
  /** The hash of its bytes; null where there is nothing. */
  readonly hash: string | null;
  /** Its text, where it is one. */
  readonly text: string | null;
  /** True for what cannot be proposed: it stays. */
  readonly stays: boolean;
  readonly isExecutable: boolean;
}

/** What is known of a path where nothing is. */
export const NO_FILE: ShadowFile = { hash: null, text: null, stays: false, isExecutable: false };

/** Puts a proposed file in place; gives what is there then. */
export async function putProposed(
  place: string,
  own: string,
  { text, movedFrom, executable }: ProposedFile,
): Promise<ShadowFile> {
  if (text === null && !movedFrom) {
    await rm(own, { force: true });
    return NO_FILE;
  }
  const like = await readPlain(movedFrom ? fileURLToPath(movedFrom.uri) : place);
  if (text === null && like === null && executable !== undefined) {
    await rm(own, { force: true });
    return NO_FILE;
  }
  const bytes = text === null ? (like ?? Buffer.alloc(0)) : bytesOf(text, like);
  const now = await readPlain(own, true);
  if (now === null || !now.equals(bytes)) {
    await writeOwn(own, bytes).catch(async (error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EOVERFLOW")) throw error;
      // The kernel cannot copy a file whose owner or group is not mapped; a new one can stand for it.
      const { mode } = await lstat(own);
      await rm(own);
      await writeFile(own, bytes, { flag: "wx", mode });
    });
  }
  if (executable !== undefined) await changeExecutable(own, executable);
  const { mode } = await lstat(own);
  const shown = text ?? textOf(bytes, like);
  return { hash: hashOf(bytes), text: shown, stays: false, isExecutable: isExecutable(mode) };
}

/** Writes over a file, or a new one; never through a link. */
async function writeOwn(own: string, bytes: Buffer): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  await writeFile(own, bytes, { flag: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW });
}

/** Makes a path as it is in the user's folders, where `below` are its bytes, as a copy. */
export async function restoreOwn(place: string, below: Buffer | null, own: string): Promise<void> {
  await rm(own, { force: true });
  if (below !== null) await copyFile(place, own, constants.COPYFILE_EXCL);
}

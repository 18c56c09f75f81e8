import { thrownText } from "../../base/text/sentence.ts";
import type { SmallFile, SmallFiles, StorageFault } from "../../ports/eventLog.ts";
import { unfitReason } from "../../ports/eventLog.ts";

/** Small files that set aside what Graft cannot have written, as {@link watchedFile} does. */
export function watchedFiles(
  files: SmallFiles,
  what: StorageFault["what"],
  tell: (fault: StorageFault) => void,
): SmallFiles {
  return {
    place: files.place,
    list: () => files.list(),
    version: (name) => files.version(name),
    open: (name) => watchedFile(files.open(name), `${files.place}/${name}`, what, tell),
  };
}

/**
 * A small file that reads as missing where something else is in its place, which is set aside and
 * told of, so that the file can be written again.
 */
export function watchedFile(
  file: SmallFile,
  place: string,
  what: StorageFault["what"],
  tell: (fault: StorageFault) => void,
): SmallFile {
  return {
    async read() {
      try {
        return await file.read();
      } catch (error) {
        const unfit = unfitReason(error);
        if (!unfit || !file.setAside) throw error;
        let aside: string;
        try {
          aside = await file.setAside();
        } catch {
          // Another window may have been faster.
          return await file.read();
        }
        tell({ code: unfit, what, place: aside || place, detail: thrownText(error) });
        return null;
      }
    },
    create: (text) => file.create(text),
    write: (text) => file.write(text),
    remove: () => file.remove(),
    ...(file.setAside && { setAside: file.setAside.bind(file) }),
  };
}

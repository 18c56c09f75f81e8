import type { Localize } from "../../base/localize.ts";
import { sentence } from "../../base/text/sentence.ts";
import type { StorageFault } from "../../ports/eventLog.ts";

/**
 * What a fault of the storage takes, what is kept, and where it lies; in this order, since VS Code
 * shows the first words only.
 */
export function storageFaultMessage(
  t: Localize,
  { code, what, place, detail }: StorageFault,
): string {
  switch (code) {
    case "damaged":
      return damagedMessage(t, what, place);
    case "unreadable":
      return t(
        "Graft cannot read {place}, so something it stored is missing here. The file stays as it is. {reason}",
        {
          place,
          reason: sentence(detail),
        },
      );
    case "unwritable":
      return t(
        "Graft cannot write {place}. New messages and proposals are lost when this window closes; everything stored so far is kept. {reason}",
        {
          place,
          reason: sentence(detail),
        },
      );
    case "not-a-file":
      return t(
        "Something in Graft's storage is not a file of Graft's. Graft did not read it and set it aside: {place}.",
        { place },
      );
    case "too-large":
      return t("A file in Graft's storage is too large to read. Graft set it aside: {place}.", {
        place,
      });
    case "not-own":
      return t(
        "A file in Graft's storage belongs to another user. Graft did not read it and set it aside: {place}.",
        { place },
      );
    case "no-access":
      return t("Graft may not read a file in its storage, so it set the file aside: {place}.", {
        place,
      });
  }
}

/** Where more is set aside than the user is told of one by one. */
export function moreSetAsideMessage(t: Localize): string {
  return t("Graft set aside more of its stored files. The Graft output lists them all.");
}

function damagedMessage(t: Localize, what: StorageFault["what"], place: string): string {
  switch (what) {
    case "chat":
      return t(
        "Part of this chat was damaged and is missing. The rest is kept. The damaged file is {place}.",
        { place },
      );
    case "changes":
      return t(
        "A record of file changes was damaged, so Graft cannot undo some of them. The damaged file is {place}.",
        {
          place,
        },
      );
    case "proposal":
      return t(
        "A proposal was damaged and is missing. The others are kept. The damaged file is {place}.",
        { place },
      );
  }
}

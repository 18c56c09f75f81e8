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
        "Something that Graft stored is missing here: it cannot read {place}, which stays as it is. {reason}",
        {
          place,
          reason: sentence(detail),
        },
      );
    case "unwritable":
      return t(
        "New messages and proposals are lost when this window closes: Graft cannot write {place}. What is stored stays. {reason}",
        {
          place,
          reason: sentence(detail),
        },
      );
  }
}

function damagedMessage(t: Localize, what: StorageFault["what"], place: string): string {
  switch (what) {
    case "chat":
      return t(
        "A part of this chat was damaged and is missing; the rest is kept, and the damaged file is {place}.",
        { place },
      );
    case "changes":
      return t(
        "A record of file changes was damaged, so Graft cannot undo some; the rest is kept, and the damaged file is {place}.",
        {
          place,
        },
      );
    case "proposal":
      return t(
        "A proposal was damaged and is missing; the others are kept, and the damaged file is {place}.",
        { place },
      );
  }
}

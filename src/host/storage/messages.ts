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
        "Graft cannot write {place}. New messages and proposals are lost when this window closes. {reason}",
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

import type { Localize } from "../../base/localize.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import type { ShareProblem } from "./openShare.ts";
import { MAX_SHARED_BYTES, SHARED_VERSION, type ShareFault } from "./share.ts";

const MEGABYTE = 1024 * 1024;

/** Why the file `name` is not read as a shared review. */
export function shareFaultText(t: Localize, name: string, fault: ShareFault): string {
  switch (fault.code) {
    case "not-json":
      return t("{name} is not JSON. Choose a file that Graft: Export Proposals wrote.", { name });
    case "not-a-review":
      return t("{name} has no proposals. Choose a file that Graft: Export Proposals wrote.", {
        name,
      });
    case "too-large":
      return t("{name} has {size} MB; shared proposals have at most {limit} MB.", {
        name,
        size: Math.ceil(fault.bytes / MEGABYTE),
        limit: MAX_SHARED_BYTES / MEGABYTE,
      });
    case "other-version":
      return t(
        "{name} is of version {version}, and this Graft reads version {known}. Update the older of the two.",
        { name, version: fault.version, known: SHARED_VERSION },
      );
    case "malformed":
      return t("{name} is damaged at {part}. Nothing was imported. Ask for it again.", {
        name,
        part: fault.part || "{}",
      });
  }
}

/** Why a part of a shared review is left out. */
export function shareProblemText(t: Localize, problem: ShareProblem): string {
  switch (problem.code) {
    case "file":
      return fileErrorMessage(problem.error, t);
    case "damaged":
      return t("{path} is left out: its text was altered after the export.", problem);
    case "gone":
      return t("{path} is left out: the file is not here.", problem);
    case "changed":
      return t(
        "{path} is left out: it would be deleted or renamed, but its text here is different.",
        {
          path: problem.path,
        },
      );
    case "twice":
      return t("{path} is left out: the review has the file twice.", problem);
  }
}

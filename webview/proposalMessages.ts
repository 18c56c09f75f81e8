import { sentence } from "../src/base/text/sentence.ts";
import { visibleLine } from "../src/base/text/visibleText.ts";
import type { PendingFile } from "../src/protocol/messages.ts";
import type { ToolCallState } from "../src/turns/turn.ts";
import { t } from "./l10n.ts";

/**
 * Where a command ran, and how many files it changed there; of which files it has rejected text.
 */
export function ranOnProposals(
  ran: NonNullable<ToolCallState["onProposals"]>,
  command: ToolCallState["command"] = null,
  outdated: readonly string[] = [],
): string {
  const { sandbox } = ran;
  const isRunning = command?.code === "running";
  const changes = placeAndChanges(ran, isRunning);
  const names = (ran.unproposed ?? []).map((each) => visibleLine(each.split(/[\\/]/).at(-1) ?? ""));
  const place =
    names.length > 0
      ? t("{changes} · not proposed: {names}", { changes, names: names.join(", ") })
      : changes;
  if (isRunning)
    return outdated.length > 0
      ? t("{place} · still uses the rejected text of {files}", {
          place,
          files: outdated.join(", "),
        })
      : t("{place} · sees later changes to the proposals only when another command runs", {
          place,
        });
  if (!sandbox) return place;
  const network = sandbox.wantedNetwork
    ? t("wanted the network and had none")
    : t("without network");
  return `${place} · ${network}`;
}

function placeText(backend: string | undefined, isRunning: boolean): string {
  if (backend === "copy")
    return isRunning
      ? t("runs on a copy with the proposals")
      : t("ran on a copy with the proposals");
  return isRunning ? t("runs on the proposals") : t("ran on the proposals");
}

function placeAndChanges(
  ran: NonNullable<ToolCallState["onProposals"]>,
  isRunning: boolean,
): string {
  const { backend, changed, created = 0, deleted = 0, renamed = 0, modes = 0 } = ran;
  const counts = [
    ...(created > 0
      ? [created === 1 ? t("created 1 file") : t("created {count} files", { count: created })]
      : []),
    ...(changed > 0
      ? [changed === 1 ? t("changed 1 file") : t("changed {count} files", { count: changed })]
      : []),
    ...(deleted > 0
      ? [deleted === 1 ? t("deleted 1 file") : t("deleted {count} files", { count: deleted })]
      : []),
    ...(renamed > 0
      ? [renamed === 1 ? t("renamed 1 file") : t("renamed {count} files", { count: renamed })]
      : []),
    ...(modes > 0
      ? [
          modes === 1
            ? t("changed the mode of 1 file")
            : t("changed the mode of {count} files", { count: modes }),
        ]
      : []),
  ];
  return [placeText(backend, isRunning), ...counts].join(", ");
}

/** What the bar says of proposals that could not be stored, and what to do; "" for none. */
export function unkeptText(files: readonly PendingFile[]): string {
  const unkept = files.filter((file) => file.unkept !== undefined);
  const [first] = unkept;
  if (first?.unkept === undefined) return "";
  return t(
    "Not stored: {files}. {reason} Closing this window would lose this. Fix the cause, or decide before you close it; Graft keeps trying.",
    {
      files: [...new Set(unkept.map(({ path }) => path))].join(", "),
      reason: sentence(first.unkept),
    },
  );
}

/** What the bar says of whole files to delete, rename or make executable; "" for none. */
export function operationsText(files: readonly PendingFile[]): string {
  const operations = files.flatMap(({ operation }) => operation ?? []);
  const modes = operations.filter(({ executable }) => executable !== undefined).length;
  const deleted = operations.filter(
    ({ to, executable }) => to === null && executable === undefined,
  ).length;
  const renamed = operations.length - modes - deleted;
  const counts = [
    ...(deleted > 0
      ? [deleted === 1 ? t("deletes 1 file") : t("deletes {count} files", { count: deleted })]
      : []),
    ...(renamed > 0
      ? [renamed === 1 ? t("renames 1 file") : t("renames {count} files", { count: renamed })]
      : []),
    ...(modes > 0
      ? [
          modes === 1
            ? t("changes the mode of 1 file")
            : t("changes the mode of {count} files", { count: modes }),
        ]
      : []),
  ];
  return counts.join(", ");
}

import type { GuestEdit } from "../ports/guest.ts";
import type { EditBlock } from "../turns/editBlock.ts";

/** An edit as programs of other makers read it: codes, without words. */
export function editFacts({ path, target, op, status, reason, warnings }: EditBlock): GuestEdit {
  const codes = warnings.map(({ code }) => code);
  return { path, target, op, status, reason: reason?.code ?? null, warnings: codes };
}

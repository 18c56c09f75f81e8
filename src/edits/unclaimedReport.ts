import { FenceScanner } from "../base/text/fenceScanner.ts";
import { type CapturedBlock, openedBlock } from "./blocks/capturedBlock.ts";
import { parseOpener, targetOf } from "./blocks/parseOpener.ts";
import { blockBullets } from "./editReport.ts";

/**
 * Reports to the model on the blocks of a message that came while no file was in edit mode; null where none has an address. `knowsFile`
 * tells a file's name from the rest of an AST path; `turnsOn` says who can turn edit mode on.
 */
export function unclaimedReport(message: string, knowsFile: (name: string) => boolean, turnsOn: "model" | "user"): string | null {
  const scanner = new FenceScanner();
  const blocks: CapturedBlock[] = [];
  for (const event of [...scanner.push(message), ...scanner.flush()]) {
    const block = blocks.at(-1);
    if (event.type === "close" && block) block.closed = true;
    if (event.type !== "open") continue;
    const opener = parseOpener(event.info, { isOpenFile: knowsFile, namesElement: () => false });
    if (opener.kind !== "address") continue;
    const { address, file, op, written } = opener;
    const index = blocks.length + 1;
    const opened = openedBlock({ blockId: `${index}`, index, step: 0, target: targetOf(address), written, op, textStart: event.start });
    blocks.push({ ...opened, status: "refused", reason: { code: "no-edit-mode", file, turnsOn } });
  }
  return blocks.length === 0 ? null : `Nothing was proposed.\n\n${blockBullets(blocks)}`;
}

import { countTextLines, splitLines } from "../../base/text/lines.ts";
import { type AddressedLines, linesOf } from "../drafts/address.ts";
import { checksFit } from "../text/lineChecks.ts";
import type { CaptureOptions } from "./captureOptions.ts";
import type { EditedFile } from "./editedFile.ts";
import type { AddressOpener } from "./parseOpener.ts";

type ValidOpener = AddressOpener & { readonly kind: "address" };

/**
 * Whether a file has the lines and the element that an opener names, and its checks fit there as
 * named, before any block changed it.
 */
export function holdsAddress(
  file: EditedFile,
  { address, checks }: ValidOpener,
  looks: CaptureOptions["looks"],
): boolean {
  const lines = linesOf(address);
  const elements = address.kind === "ast" ? file.elementsAt(address.path) : null;
  if (elements?.length === 0) return false;
  if (lines) {
    const seen = (looks?.(lines.start, lines.end).texts ?? []).filter((text) => text !== null);
    const texts = new Set(seen.length > 0 ? seen : [file.text]);
    return [...texts].some(
      (text) => lines.end <= countTextLines(text) + 1 && checksFitAt(text, lines, checks),
    );
  }
  return (
    checks.length === 0 ||
    (elements ?? []).some((element) => checksFitAt(file.text, element, checks))
  );
}

function checksFitAt(
  text: string,
  { start, end }: AddressedLines,
  checks: readonly string[],
): boolean {
  const split = splitLines(text);
  return checksFit(split[start - 1]?.text, split[end - 1]?.text, checks);
}

import { type AppliedMessage, applyMessage } from "../../../src/edits/propose/applyMessage.ts";
import type { ApplyMode } from "../../../src/edits/propose/applyMode.ts";
import { testSyntax as syntax } from "../editor/testSyntax.ts";
import { fileSnapshot } from "../workspace/fileSnapshot.ts";

/**
 * Applies a message to a file that is nowhere, with every grammar there is; `text` null for a new
 * file.
 */
export function applyTo(
  path: string,
  text: string | null,
  message: string,
  mode: ApplyMode = "auto",
  chunk = 5,
): Promise<AppliedMessage> {
  return applyMessage(
    fileSnapshot(path, text),
    message,
    { mode, chunk },
    syntax,
    new AbortController().signal,
  );
}

/**
 * An edit block; `address` as behind the language, the body without a final line break, "" for an
 * empty one.
 */
export function editBlock(address: string, body = "", fence = "```"): string {
  return `${fence}x:${address}\n${body === "" ? "" : `${body}\n`}${fence}\n`;
}

/** The state of each block. */
export function statuses({
  blocks,
}: {
  readonly blocks: readonly { readonly status: string }[];
}): readonly string[] {
  return blocks.map(({ status }) => status);
}

/** The code of each block's reason or warning. */
export function codes({ blocks }: AppliedMessage): readonly (string | undefined)[] {
  return blocks.map(({ code }) => code);
}

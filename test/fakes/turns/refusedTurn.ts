import assert from "node:assert/strict";
import type { MessageEnd } from "../../../src/turns/streamRegistry.ts";
import { EditTurn } from "./editTurn.ts";

/** How edit mode is turned on. */
export type Door = "lines" | "ast" | "free" | "complete";

/** Something a model writes that must not simply be applied. */
export interface RefusedMessage {
  readonly path: string;
  /** Null for a file that is not there. */
  readonly text: string | null;
  readonly door: Door;
  readonly message: string;
  readonly end: MessageEnd["reason"];
  /** Each block's state, with the code of its warning, or else of its reason. */
  readonly blocks: string;
  /** What the user is asked to decide on; null for nothing. */
  readonly proposed: string | null;
}

/**
 * Runs the message through edit mode, cut in several ways, and checks what the user sees, and that
 * nothing else is proposed.
 */
export async function checkRefused({
  path,
  text,
  door,
  message,
  end,
  blocks,
  proposed,
}: RefusedMessage): Promise<void> {
  for (const chunk of [1, 4, 1000]) {
    const turn = new EditTurn(text === null ? {} : { [path]: text });
    try {
      const lines =
        door === "lines"
          ? { use_line_numbers: true }
          : door === "ast"
            ? { use_line_numbers: false }
            : {};
      if (text !== null) await turn.read(path);
      await turn.edit({
        file_path: path,
        ...lines,
        ...(door === "complete" ? { complete_file: true } : {}),
      });
      const reports = await turn.say(message, { reason: end, moreCalls: false }, chunk);
      const seen = turn.blocks.map(({ status, reason, warnings }) =>
        `${status} ${warnings[0]?.code ?? reason?.code ?? ""}`.trim(),
      );
      assert.equal(seen.join(", "), blocks);
      assert.equal(turn.proposed, proposed);
      const applied = blocks.includes("applied");
      assert.equal(
        /has been updated/.test(reports.join("\n")),
        applied,
        "the report claims what is not so",
      );
      assert.equal(turn.files.get(path) ?? null, text, "the file was written");
    } finally {
      turn.hub.turnEnd();
    }
  }
}

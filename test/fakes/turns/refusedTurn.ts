import assert from "node:assert/strict";
import type { MessageEnd } from "../../../src/turns/streamRegistry.ts";
import type { EditStatus } from "../../../src/turns/turnEvent.ts";
import { EditTurn } from "./editTurn.ts";

/** How edit mode is turned on. */
export type Door = "lines" | "ast" | "free" | "complete";

/** A block's state and the code of its warning, or else of its reason. */
export type Said = readonly [status: EditStatus, code: string | null];

/** Something a model writes that must not simply be applied. */
export interface RefusedMessage {
  readonly path: string;
  /** Null for a file that is not there. */
  readonly text: string | null;
  readonly door: Door;
  readonly message: string;
  readonly end?: MessageEnd["reason"];
  readonly blocks: readonly Said[];
  /** What the user is asked to decide on; left out where that is nothing. */
  readonly proposed?: string;
}

/** Runs the message through edit mode, cut in several ways, and checks what the user sees, and that nothing else is proposed. */
export async function checkRefused({ path, text, door, message, end, blocks, proposed }: RefusedMessage): Promise<void> {
  for (const chunk of [1, 4, 1000]) {
    const turn = new EditTurn(text === null ? {} : { [path]: text });
    try {
      const lines = door === "lines" ? { use_line_numbers: true } : door === "ast" ? { use_line_numbers: false } : {};
      if (text !== null) await turn.read(path);
      await turn.edit({ file_path: path, ...lines, ...(door === "complete" ? { complete_file: true } : {}) });
      const reports = await turn.say(message, { reason: end ?? "stop", moreCalls: false }, chunk);
      const seen = turn.blocks.map(({ status, reason, warnings }): Said => [status, warnings[0]?.code ?? reason?.code ?? null]);
      assert.deepEqual(seen, blocks);
      assert.equal(turn.proposed, proposed ?? null);
      const applied = blocks.some(([status]) => status === "applied");
      assert.equal(/has been updated/.test(reports.join("\n")), applied, "the report claims what is not so");
      assert.equal(turn.files.get(path) ?? null, text, "the file was written");
    } finally {
      turn.hub.turnEnd();
    }
  }
}

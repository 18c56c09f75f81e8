import assert from "node:assert/strict";
import type { GuestDecision } from "../../../src/agent/guests/guestDecisions.ts";
import { openGuest } from "../../../src/agent/guests/openGuest.ts";
import type { Disposable } from "../../../src/base/disposable.ts";
import { noLanguageServices } from "../../../src/cli/nonInteractive.ts";
import { decidePending, type PendingChange } from "../../../src/edits/review/decidePending.ts";
import { createPendingReviewer } from "../../../src/edits/review/pendingReviewer.ts";
import { createFileApplier } from "../../../src/node/files/fileApplier.ts";
import { createNodeWorkspace } from "../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../src/node/files/nodeWorkspaceFiles.ts";
import { serveGuests } from "../../../src/node/guests/serveGuests.ts";
import { type GuestTools, guestName } from "../../../src/ports/guest.ts";
import type { GuestHello } from "../../../src/protocol/guestMessages.ts";
import type { EditBlock } from "../../../src/turns/editBlock.ts";
import { testSyntax as syntax } from "../editor/testSyntax.ts";
import { RecordingLogger } from "../recordingLogger.ts";

/** A window that lets guests in and keeps what they propose, as an editor does. */
export interface TestEditor extends Disposable {
  readonly reviewer: ReturnType<typeof createPendingReviewer>;
  readonly hellos: readonly GuestHello[];
  /** What a guest is told next, by its chat. */
  decisions(chatId: string): GuestDecision[];
  /** Decides on all that waits, and tells the guests; an accepted change is in the file then. */
  decide(isAccepted: (change: PendingChange) => boolean): Promise<void>;
}

/** How such a window differs from one that just has the folder open. */
interface Differences {
  /** False where another window has the proposals. */
  readonly holds?: boolean;
  /** Answers every call. */
  readonly calls?: GuestTools["call"];
  /** Until this settles, nobody is welcome. */
  readonly answers?: Promise<unknown>;
}

/** Opens the folder in such a window, whose lock is in the home folder of this process. */
export async function openTestEditor(
  root: string,
  { holds = true, calls, answers }: Differences = {},
): Promise<TestEditor> {
  const workspace = await createNodeWorkspace(root);
  const files = await createNodeWorkspaceFiles(root);
  const logger = new RecordingLogger();
  const reviewer = createPendingReviewer();
  const hellos: GuestHello[] = [];
  const untold = new Map<string, GuestDecision[]>();
  const decisions = (chatId: string) => {
    const own = untold.get(chatId) ?? [];
    untold.set(chatId, own);
    return own;
  };
  const records = new Map<string, readonly EditBlock[]>();
  const door = await serveGuests({
    folder: root,
    async welcome(hello) {
      hellos.push(hello);
      await answers;
      const { guest: chatId } = hello;
      const tools = openGuest({
        ...{ chatId, agent: guestName(hello.name), workspace, files, syntax, reviewer, logger },
        ...{ services: noLanguageServices, writes: false },
        record: {
          takeDecisions: async () => decisions(chatId).splice(0),
          edits: async () => records.get(chatId) ?? [],
          keep: async (edits) => void records.set(chatId, edits),
        },
      });
      return { holds, tools: calls ? { call: calls } : tools, left() {} };
    },
    failed: (error) => logger.error(String(error)),
  });
  return {
    ...{ reviewer, hellos, decisions },
    dispose: () => door.dispose(),
    decide: (isAccepted) =>
      decidePending(
        reviewer,
        {
          ...{ workspace, files, write: createFileApplier(workspace) },
          ask: async (change) => isAccepted(change),
          settled: (_, __, error) => assert.equal(error, null),
          decided: ({ chatId }, path, blocks) =>
            void decisions(chatId).push({ path, blocks, userDiff: null }),
        },
        new AbortController().signal,
      ),
  };
}

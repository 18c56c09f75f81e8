import { newId } from "../../base/ids.ts";
import { ok } from "../../base/result.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import { editFacts, isApplied, isPending } from "../../edits/block.ts";
import { decisionReport } from "../../edits/messages.ts";
import { linesNow } from "../../edits/propose/linesNow.ts";
import { proposedWorkspace } from "../../edits/propose/proposedWorkspace.ts";
import type { Approval } from "../../ports/approval.ts";
import { type GuestResult, type GuestTools, MAX_GUEST_ARGUMENTS } from "../../ports/guest.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { failed } from "../../tools/messages.ts";
import type { ToolResult } from "../../tools/tool.ts";
import { toolResultText } from "../../tools/toolResultText.ts";
import { createToolRouter } from "../../tools/toolRouter.ts";
import { withUnderstoodPaths } from "../../tools/understoodPaths.ts";
import type { EditBlock } from "../../turns/editBlock.ts";
import type { StreamRegistry } from "../../turns/streamRegistry.ts";
import { type GuestDecision, settleEdits } from "./guestDecisions.ts";
import { guestReviewer } from "./guestReviewer.ts";
import { createGuestToolList, type GuestSurroundings } from "./guestToolList.ts";
import { NOTHING_DECIDED, takenBackText } from "./messages.ts";

/** What a guest works with, and how it learns what the user decides. */
export interface GuestOptions extends GuestSurroundings {
  /** False where what cannot be proposed is refused. */
  readonly writes: boolean;
  /** What its proposals have as their author, see `guestName`; absent where nobody reviews them. */
  readonly agent?: string;
  /** Absent where the user decides nothing. */
  readonly record?: GuestRecord;
}

/** What outlasts the window of a guest's edits. */
export interface GuestRecord {
  /** Takes the decisions and restores that the guest was not told of yet. */
  takeDecisions(): Promise<readonly GuestDecision[]>;
  /** The edits that were kept last. */
  edits(): Promise<readonly EditBlock[]>;
  keep(edits: readonly EditBlock[]): Promise<void>;
}

/** The most edits that are remembered. */
const MAX_EDITS = 500;

/** Nothing streams to a guest's tools. */
const noStreams: StreamRegistry = { register: () => ({ dispose() {} }) };

/**
 * Graft's tools for one guest, whose calls run one at a time. Its edits are of turns of the chat
 * `chatId`, which no panel shows: once all that it proposed is decided, the next one begins.
 */
export function openGuest(options: GuestOptions): GuestTools {
  const { agent, chatId, record } = options;
  const queue = new SerialQueue();
  const edits = new Map<string, EditBlock>();
  let loaded: Promise<void> | null = null;
  let turnId = newId("turn");
  const reviewer =
    agent === undefined ? options.reviewer : guestReviewer(options.reviewer, agent, () => turnId);
  const tools = createGuestToolList({ ...options, reviewer }, () => [...edits.values()]);
  const seen = {
    workspace: proposedWorkspace(options.workspace, options.reviewer),
    proposed: () => options.reviewer.allPending().map(({ file }) => file.path),
  };
  const understood = tools.map((tool) => withUnderstoodPaths(tool, seen));
  const router = createToolRouter(understood, guestApproval(options.writes));
  const effects = new Map(tools.map(({ name, effect }) => [name, effect]));

  const load = async () => {
    for (const edit of (await record?.edits()) ?? []) edits.set(edit.blockId, edit);
  };

  /** What the user did since the guest was told last. */
  async function learn() {
    const decisions = (await record?.takeDecisions()) ?? [];
    const restored = decisions.flatMap((each) => (each.restored ? [each.path] : []));
    return { decided: settleEdits(edits, decisions), restored };
  }

  async function run(name: string, args: unknown, signal: AbortSignal): Promise<GuestResult> {
    loaded ??= load();
    await loaded;
    const before = await learn();
    if (![...edits.values()].some(waits)) turnId = newId("turn");
    const changed = new Map<string, EditBlock>();
    const callId = newId("call");
    const call = { callId, name, argsText: "", input: ok(args) };
    const result: ToolResult = isTooLarge(args)
      ? failed("too-large-arguments", { tool: name, limit: MAX_GUEST_ARGUMENTS })
      : await router.prepare(call).run({
          turnId: chatId,
          callId,
          signal,
          streams: noStreams,
          emit(event) {
            if (event.type === "edit-update") changed.set(event.edit.blockId, event.edit);
          },
        });
    for (const [blockId, edit] of changed) edits.set(blockId, edit);
    for (const [oldest] of edits) if (edits.size > MAX_EDITS) edits.delete(oldest);
    const after = await learn();
    const decided = latest([...before.decided, ...after.decided]);
    const restored = [...new Set([...before.restored, ...after.restored])];
    if (changed.size + decided.length > 0) await record?.keep([...edits.values()]);
    const seen = proposedWorkspace(options.workspace, options.reviewer);
    const report = decided.length === 0 ? [] : [await reportOn(decided, seen, signal)];
    return guestResult(result, [...changed.values()], decided, restored, report);
  }

  return {
    specs: router.specs.map((spec) => ({
      ...spec,
      readOnly: (effects.get(spec.name) ?? "read") === "read",
    })),
    call: (name, args, signal) => queue.run(() => run(name, args, signal)),
  };
}

async function reportOn(
  decided: readonly EditBlock[],
  seen: Workspace,
  signal: AbortSignal,
): Promise<string> {
  return decisionReport(decided, await linesNow(decided, seen, signal));
}

function guestResult(
  result: ToolResult,
  own: readonly EditBlock[],
  decided: readonly EditBlock[],
  restored: readonly string[],
  report: readonly string[],
): GuestResult {
  const hasNoEffect = own.length > 0 && !own.some((edit) => isApplied(edit) || waits(edit));
  const told = [...report, ...(restored.length === 0 ? [] : [takenBackText(restored)])];
  return {
    text: [toolResultText(result), ...told].filter(Boolean).join("\n\n") || NOTHING_DECIDED,
    isError: !result.ok || hasNoEffect,
    error: result.ok ? null : result.error.category,
    edits: own.map(editFacts),
    decided: decided.map(editFacts),
    ...(restored.length > 0 && { restored: [...restored] }),
  };
}

/** Each edit once, as it is now. */
function latest(edits: readonly EditBlock[]): readonly EditBlock[] {
  return [...new Map(edits.map((edit) => [edit.blockId, edit])).values()];
}

function waits({ status, undecided = false }: EditBlock): boolean {
  return isPending({ status, undecided });
}

function isTooLarge(args: unknown): boolean {
  try {
    return (JSON.stringify(args) ?? "").length > MAX_GUEST_ARGUMENTS;
  } catch {
    return true;
  }
}

/** Allows what is reviewed, and with `writes` the rest; never what needs the user each time. */
function guestApproval(writes: boolean): Approval {
  return {
    async request({ effect, reviewed, eachTime }) {
      const allowed = !eachTime && (effect === "read" || reviewed || writes);
      const rule = allowed || eachTime ? {} : { rule: "a review before anything is written" };
      return { allowed, by: "flags", ...rule };
    },
  };
}

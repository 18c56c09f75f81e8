import { text as readText } from "node:stream/consumers";
import { pluralize } from "../base/text/sentence.ts";
import { createAutoReviewer } from "../edits/review/autoReviewer.ts";
import { createPendingReviewer } from "../edits/review/pendingReviewer.ts";
import { createFileApplier } from "../node/files/fileApplier.ts";
import type { Approval } from "../ports/approval.ts";
import type { EditBlock, EditStatus } from "../turns/editBlock.ts";
import { turnErrorMessage } from "../turns/messages.ts";
import { outerEvents } from "../turns/plan/outerEvents.ts";
import type { TurnEvent } from "../turns/turnEvent.ts";
import { type CommandIo, complain, fail, print } from "./commandIo.ts";
import type { CliCommand } from "./commandLine.ts";
import { commandLineWords, patchCaution } from "./messages.ts";
import { openChat } from "./openChat.ts";
import { openRoot } from "./openRoot.ts";
import { checkPatchFile, writePatchFile } from "./patchFile.ts";
import { pendingPatch } from "./pendingPatch.ts";
import { readableEvents } from "./readableEvents.ts";

type RunArguments = Extract<CliCommand, { name: "run" }>;

/** `graft run`: runs one turn and prints what happens. Returns the exit status. */
export async function runCommand(command: RunArguments, io: CommandIo): Promise<number> {
  const prompt = command.prompt ?? (await readText(io.stdin));
  if (prompt.trim() === "") return fail(io, "The prompt on stdin is empty.", 2);
  const workspace = await openRoot(command.root);
  if (!workspace.ok) return fail(io, workspace.error, 2);
  const writable = command.patch === null ? null : await checkPatchFile(command.patch);
  if (writable && !writable.ok) return fail(io, writable.error, 2);
  const reviewer =
    command.accept === "all"
      ? createAutoReviewer("all", createFileApplier(workspace.value))
      : createPendingReviewer();
  const opened = await openChat(command, command.root, workspace.value, io, {
    reviewer,
    approval: flagApproval(command),
  });
  if (!opened.ok) return fail(io, opened.error, 2);
  const { chat } = opened.value;
  const stop = () => chat.stop();
  // The reader of the trace is gone.
  io.stdout.once("error", stop);
  let last: TurnEvent | null = null;
  const edits = new Map<string, EditBlock>();
  const show = command.json
    ? (event: TurnEvent) => void io.stdout.write(`${JSON.stringify(event)}\n`)
    : outerEvents(readableEvents((text) => void io.stdout.write(text)));
  chat.onEvent((event) => {
    last = event;
    if (event.type === "edit-update") edits.set(event.edit.blockId, event.edit);
    show(event);
  });
  io.interrupted.addEventListener("abort", stop);
  try {
    const turn = chat.send(prompt);
    if (io.interrupted.aborted) stop();
    const reason = await turn;
    await print(io.stdout, "");
    const { text, files, marked } = await pendingPatch(reviewer);
    if (command.patch !== null) {
      const written = await writePatchFile(command.patch, text);
      if (!written.ok) return fail(io, written.error, 1);
      for (const file of marked) await complain(io, patchCaution(file));
    } else if (files > 0)
      await complain(
        io,
        "Edits were proposed but not written. Use --accept all to write them, or --patch FILE to get them.",
      );
    const left = [...edits.values()].filter(({ status }) => LEFT_OUT.has(status));
    if (reason === "done") return left.length === 0 ? 0 : fail(io, leftSentence(left), 1);
    if (reason === "cancelled" && io.interrupted.aborted) return 130;
    return fail(io, endSentence(last, reason, command.maxSteps), 1);
  } finally {
    io.interrupted.removeEventListener("abort", stop);
    await opened.value.dispose();
  }
}

/** What an edit has become that is neither in its file nor proposed. */
const LEFT_OUT: ReadonlySet<EditStatus> = new Set([
  ...(["refused", "held", "incomplete", "rejected", "conflict"] as const),
]);

function leftSentence(left: readonly EditBlock[]): string {
  const hint = "What was printed says why.";
  const each = left.map(({ path: file, target, status }) => `${file} (${target}): ${status}`);
  return `${pluralize(left.length, "edit")} had no effect: ${each.join("; ")}. ${hint}`;
}

/**
 * Allows reviewed changes, which `--accept` decides during review. `--accept` and
 * `--allow-commands` decide the rest. Denies actions that always need a prompt.
 */
function flagApproval({ accept, allowCommands }: RunArguments): Approval {
  return {
    async request({ effect, reviewed, eachTime }) {
      if (eachTime) return { allowed: false, by: "flags" };
      const allowed =
        reviewed || effect === "read" || (effect === "write" ? accept === "all" : allowCommands);
      return {
        allowed,
        by: "flags",
        ...(allowed ? {} : { rule: effect === "write" ? "--accept all" : "--allow-commands" }),
      };
    },
  };
}

function endSentence(last: TurnEvent | null, reason: string, maxSteps: number): string {
  if (last?.type === "turn-end" && last.error)
    return turnErrorMessage(last.error, commandLineWords);
  if (reason === "step-limit")
    return `The turn stopped at its limit of ${pluralize(maxSteps, "step")}. Raise it with --max-steps.`;
  return reason === "length"
    ? "The model's answer reached its output limit."
    : `The turn ended early: ${reason}.`;
}

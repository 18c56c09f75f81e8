import { newId } from "../../base/ids.ts";
import { ok } from "../../base/result.ts";
import { FenceScanner } from "../../base/text/fenceScanner.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { parseOpener, provenFile } from "../../edits/answer/parseOpener.ts";
import { createEditMode } from "../../edits/editMode.ts";
import type { EditModeDeps } from "../../edits/editModeDeps.ts";
import type { Approval } from "../../ports/approval.ts";
import { toolResultText } from "../../tools/toolResultText.ts";
import { createToolRouter, type ToolRouter } from "../../tools/toolRouter.ts";
import { withUnderstoodPaths } from "../../tools/understoodPaths.ts";
import type { EmitTurnEvent, MessageEnd, StreamRegistry } from "../../turns/streamRegistry.ts";
import type { TurnEventBody } from "../../turns/turnEvent.ts";
import type { StreamHub } from "../loop/streamHub.ts";
import { blocksRefused, blockUnproven, tooManyFiles } from "../messages.ts";
import { linesShown } from "./linesShown.ts";

/** The most files whose blocks are taken from one message. */
const MOST_FILES = 50;

/** What a path may be in an opener; whether it is one, the workspace tells. */
const PATH = /^(?=.*[./])[^\s"]+$/;

/** What concerns the blocks; the rest would be of a call that the agent never made. */
const TOLD: ReadonlySet<TurnEventBody["type"]> = new Set([
  ...(["edit-session-start", "edit-session-end", "edit-update", "change-done"] as const),
]);

/** Nothing is asked: what is reviewed goes on, and what needs the user's word each time does not. */
const unasked: Approval = {
  request: async ({ reviewed, eachTime = false }) => ({
    allowed: reviewed && !eachTime,
    by: "flags",
    rule: "a review before anything is written",
  }),
};

/** The edit blocks in the text of another maker's agent, in one turn. */
export class AgentBlocks {
  private readonly edits: EditModeDeps;
  private readonly turnId: string;
  private readonly hub: StreamHub;
  private readonly emit: EmitTurnEvent;
  private readonly signal: AbortSignal;
  private readonly router: ToolRouter;
  private scanner = new FenceScanner();
  /** The message so far, for a session that its first block begins. */
  private said = "";
  private step = 0;
  /** The files of the message's blocks, by the calls that opened them. */
  private readonly opened = new Map<string, string>();
  private readonly refused: string[] = [];
  /** A session hears the message from its beginning, as if it had been open then. */
  private readonly streams: StreamRegistry = {
    register: (callId, listener) => {
      listener.messageStart(this.step);
      listener.text(this.said);
      return this.hub.register(callId, listener);
    },
  };

  constructor(
    edits: EditModeDeps,
    {
      turnId,
      hub,
      emit,
      signal,
    }: {
      readonly turnId: string;
      readonly hub: StreamHub;
      readonly emit: EmitTurnEvent;
      readonly signal: AbortSignal;
    },
  ) {
    this.edits = edits;
    this.turnId = turnId;
    this.hub = hub;
    this.emit = emit;
    this.signal = signal;
    const { workspace, reviewer } = edits;
    const proposed = () => reviewer.allPending().map(({ file }) => file.path);
    const tool = withUnderstoodPaths(createEditMode(edits, true).tool, { workspace, proposed });
    this.router = createToolRouter([tool], unasked);
  }

  /**
   * Takes a piece of the agent's text in step `step`, and emits it. Settles when its blocks are on
   * record.
   */
  async text(step: number, text: string): Promise<void> {
    this.step = step;
    for (const event of this.scanner.push(text))
      if (event.type === "open") await this.openFor(event.info);
    this.said += text;
    this.emit({ type: "text-delta", text });
    const kept = this.hub.kept();
    if (kept) await untilAborted(kept, this.signal);
  }

  /** The message is over: proposes its blocks, and reports on them. */
  async end(reason: MessageEnd["reason"]): Promise<void> {
    const { hub, signal, emit, opened, refused } = this;
    const end = { reason, moreCalls: false };
    const reports = [...(await hub.messageEnd(end, signal)), ...refused.splice(0)];
    hub.releaseRequests();
    const callIds = [...opened.values()];
    opened.clear();
    this.scanner = new FenceScanner();
    this.said = "";
    if (reports.length > 0) emit({ type: "edit-report", text: reports.join("\n\n"), callIds });
  }

  /** The agent got this text when it read the file at `path`. */
  async saw(path: string, output: string): Promise<void> {
    const { edits, signal, turnId } = this;
    const file = await edits.workspace.resolve(path);
    const now = file.ok ? await edits.workspace.read(file.value, signal) : file;
    if (!now.ok) return;
    const { text, version } = now.value;
    const plain = text.replace(/^\uFEFF/, "");
    for (const lines of linesShown(plain, output))
      edits.shown.add({ turnId, path: now.value.file.path, text: plain, version, ...lines });
  }

  private async openFor(info: string): Promise<void> {
    const opener = parseOpener(info, {
      isOpenFile: (name) => PATH.test(name),
      namesElement: () => false,
    });
    if (opener.kind !== "address" || opener.file === null) return;
    const file = opener.file.replace(/^(?:\.\/)+/, "");
    if (provenFile(opener) === null) this.refuse(blockUnproven(opener.written, file));
    else if (!this.opened.has(file)) await this.openFile(file);
  }

  private async openFile(file: string): Promise<void> {
    const { emit, opened, router, signal, streams, turnId } = this;
    if (opened.size >= MOST_FILES) return this.refuse(tooManyFiles(MOST_FILES));
    const callId = newId("call");
    opened.set(file, callId);
    const input = { file_path: file };
    const call = { callId, name: "edit_mode", argsText: "", input: ok(input) };
    const result = await router.prepare(call).run({
      ...{ turnId, callId, signal, streams },
      emit(event) {
        if (TOLD.has(event.type)) emit(event);
      },
    });
    if (!result.ok) this.refuse(blocksRefused(file, toolResultText(result)));
  }

  private refuse(text: string): void {
    if (!this.refused.includes(text)) this.refused.push(text);
  }
}

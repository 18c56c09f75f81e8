import { StreamHub } from "../../../src/agent/loop/streamHub.ts";
import { createEditMode, type EditModeParameters } from "../../../src/edits/editMode.ts";
import type { EditModeDeps } from "../../../src/edits/editModeDeps.ts";
import type { CodePlace } from "../../../src/edits/propose/codePlaces.ts";
import { HeldBlocks, type HeldFailure } from "../../../src/edits/propose/heldBlocks.ts";
import { type AnswerCode, proposeCode } from "../../../src/edits/propose/proposeCode.ts";
import { proposedWorkspace } from "../../../src/edits/propose/proposedWorkspace.ts";
import { proposeHeld } from "../../../src/edits/propose/proposeHeld.ts";
import type { FileError } from "../../../src/ports/workspace.ts";
import { createReadFile } from "../../../src/tools/files/readFile.ts";
import { ViewedFiles } from "../../../src/tools/files/viewedFiles.ts";
import type { Tool, ToolContext, ToolResult } from "../../../src/tools/tool.ts";
import { toolResultText } from "../../../src/tools/toolResultText.ts";
import type { EditBlock } from "../../../src/turns/editBlock.ts";
import type { MessageEnd } from "../../../src/turns/streamRegistry.ts";
import type { TurnEvent } from "../../../src/turns/turnEvent.ts";
import { testSyntax as syntax } from "../editor/testSyntax.ts";
import { RecordingLogger } from "../recordingLogger.ts";
import { memoryWorkspace } from "../workspace/memoryWorkspace.ts";
import { RecordingReviewer } from "./recordingReviewer.ts";

/**
 * Turns of a model that reads and edits files in memory, without the model: the test says what it
 * calls and writes.
 */
export class EditTurn {
  readonly files: Map<string, string>;
  readonly reviewer: RecordingReviewer;
  readonly events: TurnEvent[] = [];
  readonly hub: StreamHub;
  /** The turn that runs; the turns that lead to each are in `branches`. */
  turnId = "turn-1";
  readonly branches = new Map<string, readonly string[]>();
  /** What the model has seen. */
  readonly shown = new ViewedFiles((turnId) => this.branches.get(turnId) ?? [turnId]);
  readonly deps: EditModeDeps;
  private readonly editMode: Tool;
  private readonly patchTool: Tool;
  private readonly readFile: Tool;
  private readonly forUser: (
    parameters: EditModeParameters,
    context: ToolContext,
  ) => Promise<ToolResult>;
  private calls = 0;
  private step = 0;

  /** `locked` says why no file can be written; the turn is the first of its chat. */
  constructor(
    files: Readonly<Record<string, string>>,
    reviewer = new RecordingReviewer(),
    locked: FileError | null = null,
    chatId = "chat-1",
  ) {
    if (chatId !== "chat-1") this.turnId = `turn-1 of ${chatId}`;
    this.files = new Map(Object.entries(files));
    this.reviewer = reviewer;
    this.hub = new StreamHub(0, (event) => this.events.push(event), new RecordingLogger());
    const workspace = proposedWorkspace(memoryWorkspace(this.files, locked), reviewer);
    const { shown } = this;
    this.deps = { chatId, workspace, syntax, reviewer, shown, held: new HeldBlocks() };
    const editMode = createEditMode(this.deps);
    this.editMode = editMode.tool;
    this.patchTool = editMode.patchTool;
    this.forUser = editMode.activate;
    this.readFile = createReadFile(workspace, syntax, shown);
    this.hub.turnStart();
  }

  /** The turn is over and another begins; `branch` are the turns before it that the model knows. */
  next(turnId: string, branch: readonly string[]): void {
    this.hub.turnEnd();
    this.turnId = turnId;
    this.branches.set(turnId, [...branch, turnId]);
    this.hub.turnStart();
  }

  /** `edit_mode`; gives what the model is told. */
  edit(parameters: EditModeParameters): Promise<string> {
    return this.call(this.editMode, parameters);
  }

  /** `patch_source_file`; gives what the model is told. */
  patch(file_path: string, search: string, replace: string): Promise<string> {
    return this.call(this.patchTool, { file_path, edits: [{ search, replace }] });
  }

  /** Start Edit Mode on File; gives what the model is told. */
  async editForUser(parameters: EditModeParameters): Promise<string> {
    return toolResultText(await this.forUser(parameters, this.context()));
  }

  /** `read_file`; gives what the model is told. */
  read(file_path: string, start_line?: number, end_line?: number): Promise<string> {
    return this.call(this.readFile, {
      file_path,
      start_line: start_line ?? null,
      end_line: end_line ?? null,
    });
  }

  /** A message of the model; gives what it is told at the end of it. */
  say(
    text: string,
    end: MessageEnd = { reason: "stop", moreCalls: false },
    chunk = 7,
  ): Promise<readonly string[]> {
    this.hub.messageStart(++this.step);
    for (let at = 0; at < text.length; at += chunk)
      this.hub.emit(this.turnId, { type: "text-delta", text: text.slice(at, at + chunk) });
    return this.hub.messageEnd(end, new AbortController().signal);
  }

  /** The user asks to see a held block; gives why it cannot be proposed. */
  async proposeAnyway({ blockId }: EditBlock, turnId = this.turnId): Promise<HeldFailure | null> {
    const held = this.deps.held.find(turnId, blockId);
    if (!held) return { code: "forgotten" };
    return proposeHeld(held, this.deps, this.hub.emitter(turnId), new AbortController().signal);
  }

  /**
   * The user applies a code block of the answer to a file; `chosen` is the place that they pick
   * where they are asked.
   */
  async applyCode(
    path: string,
    code: string,
    {
      info = "ts",
      editor = null,
      chosen = null,
    }: Partial<Pick<AnswerCode, "info" | "editor">> & { readonly chosen?: CodePlace | null } = {},
  ): Promise<{ readonly failure: HeldFailure | null; readonly asked: readonly CodePlace[] }> {
    const file = await this.deps.workspace.resolve(path);
    if (!file.ok) throw new Error(file.error.code);
    let asked: readonly CodePlace[] = [];
    const choose = async (places: readonly CodePlace[]) => {
      asked = places;
      return chosen;
    };
    const { turnId } = this;
    const turn = {
      turnId,
      callId: `apply-${++this.calls}`,
      step: 1,
      index: this.blocks.length + 1,
      emit: this.hub.emitter(turnId),
    };
    const answer = { file: file.value, code, info, editor, choose };
    const { signal } = new AbortController();
    return { failure: await proposeCode(answer, this.deps, turn, signal), asked };
  }

  /** The last state of every block. */
  get blocks(): readonly EditBlock[] {
    const last = new Map<string, EditBlock>();
    for (const event of this.events)
      if (event.type === "edit-update") last.set(event.edit.blockId, event.edit);
    return [...last.values()];
  }

  /** What the user was asked to decide last. */
  get proposed(): string | null {
    return (
      this.reviewer.reviews.findLast(({ proposed }) => proposed !== null)?.proposed?.text ?? null
    );
  }

  private async call(tool: Tool, input: unknown): Promise<string> {
    const prepared = tool.prepare(input);
    return toolResultText(
      prepared.ok ? await prepared.value.run(this.context()) : { ok: false, error: prepared.error },
    );
  }

  private context(): ToolContext {
    const { hub, turnId } = this;
    return {
      turnId,
      callId: `call-${++this.calls}`,
      signal: new AbortController().signal,
      emit: hub.emitter(turnId),
      streams: hub,
    };
  }
}

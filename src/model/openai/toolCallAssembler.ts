import { newId } from "../../base/ids.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { offeredName } from "../offeredName.ts";
import type { StreamPart } from "../streamPart.ts";
import type { ToolCallDelta } from "./openaiChunk.ts";

interface OpenCall {
  /** Null until the call has a name and is announced. */
  callId: string | null;
  readonly choice: number;
  readonly index: number | null;
  wireId: string;
  name: string;
  args: string;
  extra: Record<string, unknown>;
  ended: boolean;
}

/**
 * Joins tool calls from their pieces, which providers mark by index, by id, by position, or not at
 * all, within each choice of an answer. A call with complete arguments ends when the next one begins or at {@link settle}; later
 * pieces of it are dropped. `{}` counts as complete only at the end, since some providers begin
 * with it. A name may come in pieces too: the call is announced once its name is certain.
 */
export class ToolCallAssembler {
  private readonly takenIds: Set<string>;
  private readonly offered: ReadonlySet<string>;
  private readonly calls: OpenCall[] = [];
  /** The calls of the last chunk, by choice. */
  private readonly lastBatches = new Map<number, readonly OpenCall[]>();
  /**
   * Calls that nothing has followed yet. Each is checked once, so arguments are not parsed again
   * and again.
   */
  private latest: OpenCall[] = [];

  /**
   * `takenIds` are the call ids of the conversation: some providers count from 0 in each answer.
   * `offered` are the names of the tools.
   */
  constructor(takenIds: Iterable<string>, offered: Iterable<string> = []) {
    this.takenIds = new Set(takenIds);
    this.offered = new Set(offered);
  }

  /** True if the answer has a call. */
  get hasCalls(): boolean {
    return this.calls.length > 0;
  }

  /** Takes the call pieces of one chunk. */
  push(deltas: readonly ToolCallDelta[]): StreamPart[] {
    const parts: StreamPart[] = [];
    for (const choice of new Set(deltas.map((delta) => delta.choice)))
      this.pushTo(
        choice,
        deltas.filter((delta) => delta.choice === choice),
        parts,
      );
    return parts;
  }

  private pushTo(choice: number, deltas: readonly ToolCallDelta[], parts: StreamPart[]): void {
    const batch: OpenCall[] = [];
    const last = this.lastBatches.get(choice) ?? [];
    for (const [position, delta] of deltas.entries()) {
      // Some providers send an empty call with every chunk.
      if (this.calls.length === 0 && delta.id === "" && delta.name === "" && delta.args === "")
        continue;
      const beside = deltas.length > 1 ? last[position] : undefined;
      const isBare = delta.name === "" && delta.id === "";
      const latest =
        this.calls.findLast((call) => call.choice === choice) ??
        (isBare ? this.calls.at(-1) : undefined);
      const near = beside ?? (deltas.length > 1 && delta.name !== "" ? undefined : latest);
      const call = this.find(delta, near) ?? this.openCall(delta, parts);
      batch.push(call);
      this.extend(call, delta, parts);
    }
    if (batch.length > 0) this.lastBatches.set(choice, batch);
  }

  /** Something other than a call follows: ends the complete calls before it. */
  settle(): StreamPart[] {
    const parts: StreamPart[] = [];
    for (const call of this.latest) {
      const hasArguments = isComplete(call.args) && /^\s*\{\s*"/.test(call.args);
      if (call.callId !== null && hasArguments) parts.push(callEnd(call, call.callId));
    }
    this.latest = [];
    return parts;
  }

  /**
   * Ends every open call of a complete answer, in the order they began. Blank arguments become
   * `{}`.
   */
  end(): StreamPart[] {
    const parts: StreamPart[] = [];
    for (const call of this.calls)
      if (!call.ended) parts.push(callEnd(call, call.callId ?? this.announce(call, parts)));
    return parts;
  }

  /** What the provider wants back with its calls, by call id. */
  extras(): Record<string, Record<string, unknown>> {
    return Object.fromEntries(
      this.calls.flatMap(({ callId, extra }) =>
        callId && Object.keys(extra).length > 0 ? [[callId, extra]] : [],
      ),
    );
  }

  /** The call that `delta` continues; `near` is the likely one by position. */
  private find(delta: ToolCallDelta, near: OpenCall | undefined): OpenCall | undefined {
    const calls = this.calls.filter(({ choice }) => choice === delta.choice);
    const atIndex =
      delta.index === null ? undefined : calls.findLast(({ index }) => index === delta.index);
    if (delta.id !== "") {
      const known = calls.findLast(({ wireId }) => wireId === delta.id);
      if (known) {
        const elsewhere =
          delta.index !== null && known.index !== null && delta.index !== known.index;
        // The same call once more, or another one with its id.
        const isOther = elsewhere || this.differs(known, delta);
        return isOther && beginsAnew(known, delta) ? undefined : known;
      }
      // An unknown id with a name is a new call, even at a used index; without a name it continues
      // one.
      if (atIndex?.wireId === "" && !beginsAnew(atIndex, delta)) return atIndex;
      return delta.name === "" ? (atIndex ?? (delta.index === null ? near : undefined)) : undefined;
    }
    if (atIndex) return beginsAnew(atIndex, delta) ? undefined : atIndex;
    if (delta.name === "") return near;
    const isSame =
      near?.name === offeredName(delta.name, this.offered) || (near && this.continues(near, delta));
    return delta.index === null && near && isSame && !isComplete(near.args) ? near : undefined;
  }

  /** The name of `delta` is the next piece of this call's, rather than its name once more. */
  private continues({ name, args, callId }: OpenCall, delta: ToolCallDelta): boolean {
    if (callId !== null || name === "" || delta.name === "" || delta.name === name) return false;
    const longer = name + delta.name;
    if (!this.offered.has(name)) return !isComplete(args);
    return args === "" && (this.offered.has(longer) || this.begins(longer));
  }

  /** No piece of the call's name is still to come. */
  private isWhole({ name, args }: OpenCall): boolean {
    if (name === "") return false;
    if (this.offered.has(name)) return args !== "" || !this.begins(name);
    return this.offered.size === 0 || !(this.begins(name) || /(?:\W|_)$/.test(name));
  }

  /** A tool's name begins with this, and goes on. */
  private begins(name: string): boolean {
    return [...this.offered].some((each) => each !== name && each.startsWith(name));
  }

  private differs({ name, args }: OpenCall, delta: ToolCallDelta): boolean {
    if (!/^\s*\{\s*"/.test(args)) return false;
    return offeredName(delta.name, this.offered) !== name || delta.args.trim() !== args.trim();
  }

  private openCall(delta: ToolCallDelta, parts: StreamPart[]): OpenCall {
    parts.push(...this.settle());
    const call: OpenCall = {
      callId: null,
      choice: delta.choice,
      index: delta.index,
      wireId: "",
      name: "",
      args: "",
      extra: {},
      ended: false,
    };
    this.calls.push(call);
    this.latest.push(call);
    return call;
  }

  private extend(call: OpenCall, delta: ToolCallDelta, parts: StreamPart[]): void {
    call.wireId ||= delta.id;
    const name = this.continues(call, delta) ? call.name + delta.name : call.name || delta.name;
    if (call.callId === null) call.name = offeredName(name, this.offered);
    Object.assign(call.extra, delta.extra);
    if (call.ended) return;
    // Some providers repeat the whole arguments with the finish reason.
    const added = delta.args === call.args && isComplete(call.args) ? "" : delta.args;
    call.args += added;
    if (call.callId === null && this.isWhole(call)) this.announce(call, parts);
    else if (call.callId !== null && added !== "")
      parts.push({ type: "tool-call-delta", callId: call.callId, argsText: added });
  }

  private announce(call: OpenCall, parts: StreamPart[]): string {
    const callId =
      call.wireId === "" || this.takenIds.has(call.wireId) ? newId("call") : call.wireId;
    this.takenIds.add(callId);
    call.callId = callId;
    parts.push({ type: "tool-call-start", callId, name: call.name });
    if (call.args !== "") parts.push({ type: "tool-call-delta", callId, argsText: call.args });
    return callId;
  }
}

function callEnd(call: OpenCall, callId: string): StreamPart & { type: "tool-call-end" } {
  call.ended = true;
  return {
    type: "tool-call-end",
    callId,
    name: call.name,
    argsText: meantArguments(call.args),
  };
}

/**
 * Arguments without the empty object that a server sends before or after them, and once where it
 * sends them twice.
 */
function meantArguments(args: string): string {
  if (args.trim() === "") return "{}";
  if (parseJson(args) !== undefined) return args;
  const bare = args
    .replace(/^(?:\s*(?:\{\s*\}|null|""))+\s*(?=\{)/, "")
    .replace(/\}(?:\s*\{\s*\})+\s*$/, "}");
  if (parseJson(bare) !== undefined) return bare;
  const half = bare.slice(0, bare.length / 2).trim();
  const isTwice = half !== "" && bare.slice(bare.length / 2).trim() === half;
  return isTwice && parseJson(half) !== undefined ? half : args;
}

/** True if `delta` has its own name and arguments while those of `call` are complete. */
function beginsAnew(call: OpenCall, delta: ToolCallDelta): boolean {
  // Some providers begin with an empty object, and repeat the name with each piece.
  if (delta.name === call.name && /^\s*\{\s*\}\s*$/.test(call.args)) return false;
  return delta.name !== "" && delta.args.trimStart().startsWith("{") && isComplete(call.args);
}

function isComplete(args: string): boolean {
  return args.trimEnd().endsWith("}") && parseJson(args) !== undefined;
}

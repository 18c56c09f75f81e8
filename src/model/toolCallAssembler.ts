import { newId } from "../base/ids.ts";
import type { ToolCallDelta } from "./openaiChunk.ts";
import type { StreamPart } from "./streamPart.ts";

interface OpenCall {
  /** Given when the call is announced, which waits for its name. */
  callId: string | null;
  readonly index: number | null;
  wireId: string;
  name: string;
  args: string;
  extra: Record<string, unknown>;
  /** Its end has been given out. */
  ended: boolean;
}

/**
 * Puts tool calls together from their pieces, which providers mark by index, by id, by position, or not at all. A call whose arguments
 * are complete ends when the next one begins, or at {@link settle}; what comes for it later is left out. `{}` counts as complete at the
 * end only, since some providers begin with it.
 */
export class ToolCallAssembler {
  private readonly takenIds: Set<string>;
  private readonly calls: OpenCall[] = [];
  private readonly byIndex = new Map<number, OpenCall>();
  private readonly byWireId = new Map<string, OpenCall>();
  private lastBatch: readonly OpenCall[] = [];
  /** Calls that nothing has followed yet: each is looked at once, so that arguments are not read again and again. */
  private latest: OpenCall[] = [];

  /** `takenIds` are the call ids of the conversation so far: some providers count from 0 in each answer, and a call id names one call only. */
  constructor(takenIds: Iterable<string>) {
    this.takenIds = new Set(takenIds);
  }

  /** True when the answer holds a call. */
  get hasCalls(): boolean {
    return this.calls.length > 0;
  }

  /** Takes the call pieces of one chunk. */
  push(deltas: readonly ToolCallDelta[]): StreamPart[] {
    const parts: StreamPart[] = [];
    const batch: OpenCall[] = [];
    for (const [position, delta] of deltas.entries()) {
      // Announces nothing: some send it with every chunk.
      if (this.calls.length === 0 && delta.id === "" && delta.name === "" && delta.args === "") continue;
      const beside = deltas.length > 1 ? this.lastBatch[position] : undefined;
      const near = beside ?? (deltas.length > 1 && delta.name !== "" ? undefined : this.calls.at(-1));
      const call = this.find(delta, near) ?? this.open(delta, parts);
      batch.push(call);
      this.extend(call, delta, parts);
    }
    if (batch.length > 0) this.lastBatch = batch;
    return parts;
  }

  /** Something else than a call follows: ends the calls before it that are complete. */
  settle(): StreamPart[] {
    const parts: StreamPart[] = [];
    for (const call of this.latest)
      if (call.callId !== null && hasArguments(call.args)) parts.push({ ...callEnd(call, call.callId), more: true });
    this.latest = [];
    return parts;
  }

  /** The answer is complete: ends every call that has not ended, in the order they began. Blank arguments become `{}`. */
  end(): StreamPart[] {
    const parts: StreamPart[] = [];
    for (const call of this.calls) if (!call.ended) parts.push(callEnd(call, call.callId ?? this.announce(call, parts)));
    return parts;
  }

  /** What the provider wants back with each call that brought such a thing, by call id. */
  extras(): Record<string, Record<string, unknown>> {
    const withExtras = this.calls.filter(({ callId, extra }) => callId !== null && Object.keys(extra).length > 0);
    return Object.fromEntries(withExtras.map(({ callId, extra }) => [callId ?? "", extra]));
  }

  /** The call that `delta` continues; `near` is the one its position speaks for. */
  private find(delta: ToolCallDelta, near: OpenCall | undefined): OpenCall | undefined {
    const atIndex = delta.index === null ? undefined : this.byIndex.get(delta.index);
    if (delta.id !== "") {
      const known = this.byWireId.get(delta.id);
      if (known) {
        const elsewhere = delta.index !== null && known.index !== null && delta.index !== known.index;
        return elsewhere && beginsAnew(known, delta) ? undefined : known;
      }
      // An unknown id with a name is another call, even at an index in use; without a name it continues one.
      if (atIndex?.wireId === "" && !beginsAnew(atIndex, delta)) return atIndex;
      return delta.name === "" ? (atIndex ?? (delta.index === null ? near : undefined)) : undefined;
    }
    if (atIndex) return beginsAnew(atIndex, delta) ? undefined : atIndex;
    if (delta.name === "") return near;
    return delta.index === null && near?.name === delta.name && !isComplete(near.args) ? near : undefined;
  }

  private open(delta: ToolCallDelta, parts: StreamPart[]): OpenCall {
    parts.push(...this.settle());
    const call: OpenCall = { callId: null, index: delta.index, wireId: "", name: "", args: "", extra: {}, ended: false };
    this.calls.push(call);
    this.latest.push(call);
    if (delta.index !== null) this.byIndex.set(delta.index, call);
    return call;
  }

  private extend(call: OpenCall, delta: ToolCallDelta, parts: StreamPart[]): void {
    if (call.wireId === "" && delta.id !== "") {
      call.wireId = delta.id;
      this.byWireId.set(delta.id, call);
    }
    if (call.name === "") call.name = delta.name;
    Object.assign(call.extra, delta.extra);
    if (call.ended) return;
    // The whole arguments once more, as some providers send them with the finish reason.
    const repeated = delta.args === call.args && isComplete(call.args);
    const added = repeated ? "" : delta.args;
    call.args += added;
    if (call.callId !== null) {
      if (added !== "") parts.push({ type: "tool-call-delta", callId: call.callId, argsText: added });
    } else if (call.name !== "") {
      this.announce(call, parts);
    }
  }

  private announce(call: OpenCall, parts: StreamPart[]): string {
    const callId = call.wireId === "" || this.takenIds.has(call.wireId) ? newId("call") : call.wireId;
    this.takenIds.add(callId);
    call.callId = callId;
    parts.push({ type: "tool-call-start", callId, name: call.name });
    if (call.args !== "") parts.push({ type: "tool-call-delta", callId, argsText: call.args });
    return callId;
  }
}

function callEnd(call: OpenCall, callId: string): StreamPart & { type: "tool-call-end" } {
  call.ended = true;
  return { type: "tool-call-end", callId, name: call.name, argsText: call.args.trim() === "" ? "{}" : call.args };
}

/** True for a complete object that is not empty. */
function hasArguments(args: string): boolean {
  return isComplete(args) && /^\s*\{\s*"/.test(args);
}

/** True when `delta` cannot belong to `call`, whose arguments are complete, because it brings a name and arguments of its own. */
function beginsAnew(call: OpenCall, delta: ToolCallDelta): boolean {
  return delta.name !== "" && delta.args.trimStart().startsWith("{") && isComplete(call.args);
}

function isComplete(args: string): boolean {
  if (!args.endsWith("}") && !args.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(args);
    return true;
  } catch {
    return false;
  }
}

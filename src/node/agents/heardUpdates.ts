import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentListener, AgentUpdate } from "../../ports/commands/chatAgent.ts";
import { type AcpCalls, updatesOf } from "./acpUpdates.ts";

/** The most that an agent may say in one answer, in UTF-16 units, and what each call counts besides. */
const MOST_SAID = 32_000_000;
const EACH_CALL = 3_000;
const EACH_UPDATE = 100;
/** The most updates that reach the listener before it may look at what they changed. */
const MOST_AT_ONCE = 50;
/** The most updates that wait for it. More stay with the agent, which then has to wait, too. */
const MOST_WAITING = 200;

/** What an agent says in an answer: in order, and no faster than its listener takes it. */
export class HeardUpdates {
  private readonly calls: AcpCalls;
  private readonly tooMuch: () => void;
  private readonly waiting: AgentUpdate[] = [];
  private listening: AgentListener | null = null;
  private said = 0;
  private delivering: Promise<void> = Promise.resolve();

  /** `tooMuch` is called once an answer has more than Graft takes. */
  constructor(calls: AcpCalls, tooMuch: () => void) {
    this.calls = calls;
    this.tooMuch = tooMuch;
  }

  get listener(): AgentListener | null {
    return this.listening;
  }

  /** An answer begins, or with null is over: what comes then is lost. */
  listen(listener: AgentListener | null): void {
    this.listening = listener;
    this.said = 0;
    this.waiting.length = 0;
    this.delivering = Promise.resolve();
  }

  /** Tells the listener of a call that the agent asks about, after all that it said before. */
  async tellOfQuestion(update: AgentUpdate, listener: AgentListener): Promise<void> {
    this.said += EACH_CALL;
    if (this.said > MOST_SAID) this.tooMuch();
    await this.delivering;
    await listener.update(update);
  }

  hear(update: SessionUpdate): void {
    const { listening: listener } = this;
    if (!listener || this.said > MOST_SAID) return;
    for (const told of updatesOf(update, this.calls)) this.add(told);
    if (this.said > MOST_SAID) this.tooMuch();
    this.delivering = this.delivering.then(() => this.deliver(listener));
  }

  /** Settles when all that was heard by now has reached the listener. */
  async delivered(): Promise<void> {
    await this.delivering;
  }

  /** What a process writes, read as it is heard. */
  async *paced(output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of output) {
      while (this.waiting.length > MOST_WAITING) await this.delivering;
      yield piece;
    }
  }

  private add(told: AgentUpdate): void {
    this.said += EACH_UPDATE;
    if (told.type === "text" || told.type === "thought") {
      this.said += told.text.length;
      const last = this.waiting.at(-1);
      // A flood of pieces is one piece.
      if (last?.type === told.type) {
        this.waiting[this.waiting.length - 1] = { ...last, text: last.text + told.text };
        return;
      }
    }
    if (told.type === "call-end") this.said += EACH_CALL + told.output.length;
    if (told.type === "call") this.said += told.isNew ? EACH_CALL : told.call.title.length;
    this.waiting.push(told);
  }

  /** A flood of calls that end is looked at as one. */
  private async deliver(listener: AgentListener): Promise<void> {
    const some = this.waiting.splice(0, MOST_AT_ONCE);
    for (const told of some) await listener.update(told);
    if (some.length > 0) await listener.heard();
  }
}

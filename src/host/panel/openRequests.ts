import { Emitter } from "../../base/emitter.ts";
import { untilAborted } from "../../base/untilAborted.ts";

/** Requests that await the user's answer in the panel, oldest first. */
export class OpenRequests<Request, Answer> {
  private readonly waiting = new Map<Request, (answer: Answer) => void>();
  private readonly changes = new Emitter<readonly Request[]>();
  /** Fires with all open requests when they change. */
  readonly onChange = this.changes.on.bind(this.changes);

  get all(): readonly Request[] {
    return [...this.waiting.keys()];
  }

  /** Settles with the answer, or with null if `signal` aborts first. */
  async ask(request: Request, signal: AbortSignal): Promise<Answer | null> {
    if (signal.aborted) return null;
    const answer = new Promise<Answer>((settle) => this.waiting.set(request, settle));
    this.changes.fire(this.all);
    const answered = await untilAborted(answer, signal);
    this.waiting.delete(request);
    this.changes.fire(this.all);
    return answered.ok ? answered.value : null;
  }

  /** Answers a request. Ignored if it is closed. */
  answer(request: Request | undefined, answer: Answer): void {
    if (request !== undefined) this.waiting.get(request)?.(answer);
  }
}

/** A chat whose turns may ask. */
export interface AskingChat {
  readonly tree: { readonly turns: Pick<ReadonlyMap<string, unknown>, "has"> };
}

/** What the turns of a chat ask. Calls of several chats may have the same id. */
export function askedIn<Request extends { readonly turnId: string }>(
  open: Pick<OpenRequests<Request, never>, "all">,
  { tree }: AskingChat,
): readonly Request[] {
  return open.all.filter(({ turnId }) => tree.turns.has(turnId));
}

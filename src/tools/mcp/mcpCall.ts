import { Deadline } from "../../base/deadline.ts";
import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { McpElicitation, McpServer } from "../../ports/mcp.ts";
import type { Question, QuestionAnswer } from "../../ports/question.ts";
import { createToolProgress, type ToolProgress } from "../results/toolProgress.ts";
import type { ToolContext } from "../tool.ts";
import { askElicitation } from "./askElicitation.ts";
import { hideSecrets } from "./secrets.ts";

const WITHDRAWN: QuestionAnswer = { answered: false, why: "withdrawn" };

/** A running call of a server's tool: its time limit, its progress and the server's questions. */
export class McpCall implements Disposable {
  private readonly server: McpServer;
  private readonly context: ToolContext;
  private readonly limit: Deadline;
  private readonly limitMs: number;
  private readonly progress: ToolProgress;
  private readonly questions = new SerialQueue();
  private asking = 0;

  constructor(server: McpServer, context: ToolContext, limitMs: number) {
    this.server = server;
    this.context = context;
    this.limitMs = limitMs;
    this.progress = createToolProgress(context);
    this.limit = new Deadline(context.signal);
    this.limit.restart(limitMs);
  }

  /** Aborts when the turn is stopped or the call times out. */
  get signal(): AbortSignal {
    return this.limit.signal;
  }

  /** True when the call timed out. */
  get expired(): boolean {
    return this.limit.expired;
  }

  /** Shows progress and restarts the time limit. */
  progressed(text: string): void {
    this.progress.push(hideSecrets(text, this.server.secrets));
    if (this.asking === 0) this.limit.restart(this.limitMs);
  }

  /** Asks the user on behalf of the server, one form at a time. The time limit pauses meanwhile. `signal` withdraws the question. */
  elicit(request: unknown, question: Question, signal: AbortSignal): Promise<Result<McpElicitation, string>> {
    this.asking += 1;
    this.limit.pause();
    const both = AbortSignal.any([this.limit.signal, signal]);
    return this.questions
      .run(() => this.ask(request, question, both))
      .finally(() => {
        this.asking -= 1;
        if (this.asking === 0) this.limit.restart(this.limitMs);
      });
  }

  dispose(): void {
    this.limit.dispose();
    this.progress.dispose();
  }

  private ask(request: unknown, question: Question, signal: AbortSignal): Promise<Result<McpElicitation, string>> {
    const { turnId, callId, emit } = this.context;
    return askElicitation(
      this.server.name,
      request,
      async ({ kind, options, question: text }) => {
        if (signal.aborted) return WITHDRAWN;
        const asked = { kind, options, question: hideSecrets(text, this.server.secrets) };
        emit({ type: "question", callId, ...asked, options: [...options] });
        const answer = await question.ask({ turnId, callId, ...asked }, signal);
        emit({ type: "question-end", callId });
        return answer;
      },
      signal,
    );
  }
}

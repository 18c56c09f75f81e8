import { err, ok, type Result } from "../../base/result.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import { firstLineOf } from "../../edits/review/hunkLocations.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { editsBetween } from "../../edits/text/changeSet.ts";
import type { EditorDocument } from "../documents/documentSync.ts";
import type { ProposalDocument } from "../documents/proposalDocument.ts";
import type {
  AcceptedChange,
  DecidedBy,
  DecisionProblem,
  FileReviewDeps,
  LastDecision,
} from "./fileReviewDeps.ts";
import type { Landed, OriginalFile } from "./originalFile.ts";
import type { OutcomeReporter } from "./outcomeReporter.ts";
import type { ReviewPhase } from "./reviewPhase.ts";

/** The review that decisions are made in. */
interface Decidable<D extends EditorDocument> {
  readonly real: OriginalFile<D>;
  readonly proposal: ProposalDocument<D>;
  readonly reporter: OutcomeReporter;
  readonly phase: ReviewPhase;
  /** True while an answer writes the proposal. */
  readonly streaming: boolean;
  /** Settles when the file is followed, and the latest message on record. */
  ready(): Promise<void>;
  /** Something was decided. */
  reviewed(): void;
}

/**
 * The decisions on one file's proposal. They are made one after the other, on a proposal that is
 * complete and that the diff shows as the review knows it.
 */
export class HunkDecisions<D extends EditorDocument> {
  /** The last one, or what else the user did since. */
  last: LastDecision = { by: "panel", line: null };
  private readonly review: Decidable<D>;
  private readonly deps: FileReviewDeps<D>;
  private readonly queue = new SerialQueue();

  constructor(review: Decidable<D>, deps: FileReviewDeps<D>) {
    this.review = review;
    this.deps = deps;
  }

  /** What is typed, proposed or withdrawn from now on is no decision at a line. */
  by(by: DecidedBy): void {
    this.last = { ...this.last, by };
  }

  /**
   * Accepts hunks; unknown ids are left out, and hunks in conflict too unless the user asked to
   * `overwrite` their lines. Settles when the user's document has them, with what this changed in it
   * if anything, or with the reason why not. One of many accepts gives `mayChange`, which settles
   * when its file may be changed, false where it may not, and tells the user of that reason itself.
   */
  async accept(
    hunkIds: readonly string[],
    by: DecidedBy = "panel",
    overwrite = false,
    mayChange?: () => Promise<boolean>,
  ): Promise<Result<AcceptedChange | null, DecisionProblem>> {
    let accepted: AcceptedChange | null = null;
    const landed: Landed = (plan, before, after) => {
      // At once: the editor's next event may end the review.
      this.last = { by, line: before === null ? 0 : firstLineOf(plan.textBefore, plan.edits) };
      this.deps.model.commit(plan);
      const { reporter, real } = this.review;
      const origin = reporter.latestOf(plan.blockIds);
      if (!origin) return;
      const change = { file: real.file, before, after, blocks: reporter.named(plan.blockIds) };
      accepted = { origin, change };
      this.deps.events.applied(origin, accepted.change);
      if (before === null) this.deps.model.saved(after);
    };
    const accept = () => this.acceptIntoFile(hunkIds, overwrite, landed, mayChange);
    const problem = await this.decide(accept, mayChange !== undefined);
    return problem ? err(problem) : ok(accepted);
  }

  /** Rejects hunks; unknown ids are left out. `why` is the user's reason. */
  async reject(
    hunkIds: readonly string[],
    by: DecidedBy = "panel",
    why: string | null = null,
  ): Promise<void> {
    const { model } = this.deps;
    await this.decide(async () => {
      this.review.proposal.takeTyping();
      const before = model.proposed;
      const edits = model.reject(hunkIds, why);
      this.last = { by, line: firstLineOf(before, edits) };
      this.review.proposal.advance(edits, model.proposed, "user");
      return null;
    });
  }

  /**
   * Accepts what these blocks alone wrote. Neither a hunk with a warning nor one in conflict is ever
   * accepted without the user.
   */
  async acceptSound(keys: ReadonlySet<string>): Promise<void> {
    await this.review.ready();
    const isSound = ({ warnings, conflict, blockIds }: Hunk) =>
      warnings.length === 0 && !conflict && blockIds.every((id) => keys.has(id));
    const sound = this.deps.model.hunks().filter(isSound);
    if (sound.length > 0) await this.accept(sound.map(({ id }) => id));
  }

  private decide(
    decide: () => Promise<DecisionProblem | null>,
    quiet = false,
  ): Promise<DecisionProblem | null> {
    const { review } = this;
    return this.queue.run(async () => {
      let problem: DecisionProblem | null = { code: "still-streaming" };
      if (!review.streaming) {
        await review.ready();
        review.proposal.takeTyping();
        await review.proposal.caughtUp();
        if (review.phase !== "open") return null;
        problem = this.showsWhatIsKnown() ? await decide() : { code: "out-of-step" };
        review.reviewed();
      }
      if (problem && !quiet) this.deps.show({ type: "refused", problem });
      return problem;
    });
  }

  /**
   * What is decided on is what the review knows; a diff that shows anything else is set right
   * first.
   */
  private showsWhatIsKnown(): boolean {
    const { proposal, real } = this.review;
    const { proposed } = this.deps.model;
    if (proposal.text === proposed) return true;
    this.deps.log(`The proposal of ${real.file.path} was out of step with its review.`);
    proposal.advance(editsBetween(proposal.text, proposed), proposed, "others");
    return false;
  }

  private async acceptIntoFile(
    hunkIds: readonly string[],
    overwrite: boolean,
    landed: Landed,
    mayChange: (() => Promise<boolean>) | undefined,
  ): Promise<DecisionProblem | null> {
    const { model, workspace } = this.deps;
    const { real, proposal } = this.review;
    const refusal = await real.refusal(workspace);
    if (refusal?.code === "protected-meanwhile") this.deps.show({ type: "changed" });
    if (refusal) return { code: "file-error", error: refusal };
    const planned = () => {
      proposal.takeTyping();
      return model.planAccept(hunkIds, overwrite);
    };
    const isStopped = () => this.review.phase === "stopping";
    const outcome = real.exists
      ? await real.accept(planned, isStopped, landed, mayChange)
      : await real.create(planned(), landed);
    if ("code" in outcome) return outcome;
    if (outcome.edits.length > 0) return null;
    const asked = model.hunks().filter(({ id, conflict }) => conflict && hunkIds.includes(id));
    return asked.length > 0 ? { code: "conflict" } : null;
  }
}

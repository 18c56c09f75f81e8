import { ReviewState } from "../../../src/edits/review/reviewState.ts";
import type {
  BlockOutcome,
  PendingProposal,
  Review,
  ReviewOrigin,
} from "../../../src/ports/review.ts";
import type { FileRef, FileSnapshot } from "../../../src/ports/workspace.ts";
import { FileReview } from "../../../src/review/proposals/fileReview.ts";
import type { FakeDocument } from "../editor/fakeEditor.ts";
import { ProposalEditor, quietHost, RealEditor, settleEditors } from "../editor/reviewedEditors.ts";
import { seededRandom } from "../seededRandom.ts";
import { RecordingReviewer } from "./recordingReviewer.ts";

/** The window's own review of one file, as the reviewer of a turn. */
export class WindowReviewer extends RecordingReviewer {
  readonly real: RealEditor;
  readonly shown: ProposalEditor;
  readonly review: FileReview<FakeDocument>;

  /** The outcomes of blocks that the review told of, by turn; in order. */
  readonly decided: (readonly [turnId: string, BlockOutcome])[] = [];

  constructor(path: string, text: string) {
    super();
    const random = seededRandom(1);
    const model = new ReviewState(text);
    this.real = new RealEditor(text, "\n", random, () => this.review);
    this.shown = new ProposalEditor(text, "\n", random, () => this.review);
    const { real, shown } = this;
    const file = { path, uri: `memory:///${path}` };
    this.review = new FileReview<FakeDocument>(
      { id: "review", begunAt: 0, file, exists: true, blocks: [] },
      {
        ...quietHost(real, random),
        events: {
          applied() {},
          decided: ({ turnId }, _path, blocks) =>
            void this.decided.push(...blocks.map((outcome) => [turnId, outcome] as const)),
        },
        model,
        memory: shown.memory,
        apply: (document, edits) =>
          (document === real.known ? real : shown).edit(document, edits, () => undefined),
        save: () => shown.save("menu", () => []),
        keepRecord: async () => undefined,
        over: () => this.review.proposal.finish(),
        log: (text) => {
          throw new Error(text);
        },
      },
    );
    real.open();
    shown.open();
  }

  override open(snapshot: FileSnapshot, origin: ReviewOrigin): Review {
    return this.review.begin(snapshot.text, origin);
  }

  override pending(_file: FileRef): PendingProposal | null {
    return this.review.complete();
  }

  override allPending(): readonly PendingProposal[] {
    return [this.review.complete()].flatMap((pending) => pending ?? []);
  }

  settle(): Promise<void> {
    return settleEditors(this.real, () => this.shown);
  }
}

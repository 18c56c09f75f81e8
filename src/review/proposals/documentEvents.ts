import type { DocumentChange, EditorDocument } from "../documents/documentSync.ts";
import type { FileReview } from "./fileReview.ts";
import type { WorkspaceProposals } from "./workspaceProposals.ts";

/** What the editor tells of its documents, each named by its URI. */
export interface DocumentEvents<D extends EditorDocument> {
  changed(uri: string, document: D, change: DocumentChange): void;
  opened(uri: string, document: D): void;
  closed(uri: string, document: D): void;
  willSave(uri: string, byAutoSave: boolean): void;
  saved(uri: string, document: D): void;
  /** The user moved the cursor by key or mouse, as typing does; gives the review, if any. */
  gesture(uri: string): FileReview<D> | undefined;
  /** The user went to another editor. */
  left(): void;
}

/** Tells the reviews what the editor says of their files and of their own documents. */
export function documentEvents<D extends EditorDocument>(
  proposals: Pick<WorkspaceProposals<D>, "reviews" | "onRecord" | "shown" | "of">,
): DocumentEvents<D> {
  const ofFile = (uri: string) => proposals.onRecord.filter(({ file }) => file.uri === uri);
  const shownAt = (uri: string) => proposals.shown.find(({ proposalUri }) => proposalUri === uri);
  return {
    changed(uri, document, change) {
      for (const review of ofFile(uri)) review.realChanged(document, change);
      shownAt(uri)?.proposal.documentChanged(document, change);
    },
    opened(uri, document) {
      proposals.of(uri)?.realOpened(document);
      shownAt(uri)?.proposal.opened(document);
    },
    closed(uri, document) {
      for (const review of ofFile(uri)) review.realClosed(document);
      shownAt(uri)?.proposal.closed(document);
    },
    willSave: (uri, byAutoSave) => shownAt(uri)?.proposal.willSave(byAutoSave),
    saved(uri, document) {
      shownAt(uri)?.proposal.saved();
      for (const review of ofFile(uri)) void review.realSaved(document);
    },
    gesture(uri) {
      const review = shownAt(uri);
      review?.proposal.gesture();
      return review;
    },
    left() {
      for (const { proposal } of proposals.reviews) proposal.left();
    },
  };
}

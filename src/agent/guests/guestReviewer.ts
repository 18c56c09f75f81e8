import type { OperationReviewer, Reviewer, ReviewOrigin } from "../../ports/review.ts";

/** `reviewer`, where all that is proposed has the guest's name, see `guestName`, and its turn. */
export function guestReviewer(reviewer: Reviewer, agent: string, turnId: () => string): Reviewer {
  const named = (origin: ReviewOrigin): ReviewOrigin => ({ ...origin, agent, turnId: turnId() });
  const { operations } = reviewer;
  return {
    open: (snapshot, origin) => reviewer.open(snapshot, named(origin)),
    pending: (file) => reviewer.pending(file),
    allPending: () => reviewer.allPending(),
    ...(operations && { operations: namedOperations(operations, named) }),
  };
}

function namedOperations(
  operations: OperationReviewer,
  named: (origin: ReviewOrigin) => ReviewOrigin,
): OperationReviewer {
  return {
    get beforehand() {
      return operations.beforehand;
    },
    get pending() {
      return operations.pending;
    },
    propose: (operation) => operations.propose({ ...operation, origin: named(operation.origin) }),
    withdraw: (operation, callId) => operations.withdraw(operation, callId),
  };
}

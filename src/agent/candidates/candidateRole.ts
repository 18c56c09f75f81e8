import { createPendingReviewer, type PendingReviewer } from "../../edits/review/pendingReviewer.ts";
import type { Approval, ApprovalRequest } from "../../ports/approval.ts";
import type { OperationReviewer, Reviewer } from "../../ports/review.ts";
import type { ChatOptions } from "../chatOptions.ts";

/** A chat's part as one of several that answer a request. */
export interface CandidateRole {
  /** Keeps what its answer proposes. */
  readonly reviewer: PendingReviewer;
  /** True until its proposals are read: it works on them alone, and with the model it stands for. */
  readonly isPlayed: boolean;
  /** The answer is over: a later turn waits until {@link end}. */
  answered(): void;
  /** The proposals are read: from now on it is a chat like any other. */
  end(): void;
  /** Null while the answer is not over. */
  readonly ending: Promise<void> | null;
}

/** A part that begins now. */
export function candidateRole(): CandidateRole {
  let isPlayed = true;
  let ending: Promise<void> | null = null;
  let ended: () => void = () => undefined;
  return {
    reviewer: createPendingReviewer(),
    get isPlayed() {
      return isPlayed;
    },
    get ending() {
      return ending;
    },
    answered() {
      ending ??= new Promise((resolve) => {
        ended = resolve;
      });
    },
    end() {
      isPlayed = false;
      ended();
    },
  };
}

/** What of a chat's surroundings its part changes. */
type RoleOptions = Pick<ChatOptions, "reviewer" | "approval" | "connect" | "turnTools">;

/**
 * What a chat works with while it plays its part, and afterwards: `connect` reaches the model that
 * it stands for, `ordinary` is that of any chat. Nothing of the answer reaches the user's files: what
 * would not stay a proposal is denied, and tools of servers and extensions are not offered.
 */
export function candidateOptions(
  role: CandidateRole,
  ordinary: RoleOptions,
  connect: ChatOptions["connect"],
): RoleOptions {
  const { turnTools } = ordinary;
  return {
    reviewer: roleReviewer(role, ordinary.reviewer),
    approval: roleApproval(role, ordinary.approval),
    async connect(model) {
      await role.ending;
      return role.isPlayed ? connect(model) : ordinary.connect(model);
    },
    ...(turnTools && {
      turnTools: async (...given) => (role.isPlayed ? [] : turnTools(...given)),
    }),
  };
}

function roleReviewer(role: CandidateRole, ordinary: Reviewer): Reviewer {
  const now = () => (role.isPlayed ? role.reviewer : ordinary);
  const { operations } = ordinary;
  const other = () => (role.isPlayed ? role.reviewer.operations : (operations ?? null));
  return {
    open: (...given) => now().open(...given),
    pending: (file) => now().pending(file),
    allPending: () => now().allPending(),
    operations: {
      get beforehand() {
        return other()?.beforehand ?? false;
      },
      get aside() {
        return other()?.aside;
      },
      get pending() {
        return other()?.pending ?? [];
      },
      propose: (operation) => (other() ?? role.reviewer.operations).propose(operation),
      withdraw: async (...given) => other()?.withdraw(...given),
    } satisfies OperationReviewer,
  };
}

/** Denies what would change the user's files, their repository or anything else at once. */
function roleApproval(role: CandidateRole, ordinary: Approval): Approval {
  return {
    request: async (request, signal) =>
      role.isPlayed && !staysProposed(request)
        ? { allowed: false, by: "candidates" }
        : ordinary.request(request, signal),
  };
}

function staysProposed({
  effect,
  reviewed,
  onProposals,
  onlyReads,
  mcp,
}: ApprovalRequest): boolean {
  if (mcp) return false;
  return effect === "read" || reviewed || onProposals !== undefined || onlyReads === true;
}

import type { ApprovalRequest } from "../../ports/approval.ts";
import { describeRule, type PermissionRule, ruleVerdict } from "./permissionRule.ts";

/** What the settings say about permissions. */
export interface PermissionPolicy {
  /** The setting graft.permissions.write, for everything that changes files. */
  readonly write: "allow" | "ask" | "deny";
  /** The user's rules; the first match decides. */
  readonly rules: readonly PermissionRule[];
  /** The workspace's rules, one list per settings file. They can only be stricter. */
  readonly restrictions: readonly (readonly PermissionRule[])[];
}

/** What the settings decide; `rule` names the setting that decided, null for a default. */
interface Verdict {
  readonly permission: "allow" | "ask" | "deny";
  readonly rule: string | null;
}

/**
 * Decides by the settings: immediate effects need approval by default; the strictest of the user's
 * and workspace's rules counts.
 */
export function decidePermission(
  request: ApprovalRequest,
  { write, rules, restrictions }: PermissionPolicy,
): Verdict {
  if (request.effect === "write" && write === "deny")
    return { permission: "deny", rule: "graft.permissions.write: deny" };
  const said = firstVerdict(rules, request) ?? defaultVerdict(request, write);
  const own =
    isAskedEachTime(request) && said.permission === "allow"
      ? { permission: "ask" as const, rule: null }
      : said;
  const verdicts = [own, ...restrictions.flatMap((list) => firstVerdict(list, request) ?? [])];
  return (
    verdicts.find(({ permission }) => permission === "deny") ??
    (own.permission === "ask" ? own : verdicts.find(({ permission }) => permission === "ask")) ??
    own
  );
}

/** True where no permission and no rule can allow a request. */
export function isAskedEachTime({ eachTime, onProposals }: ApprovalRequest): boolean {
  return eachTime === true || onProposals?.isChosen === true;
}

const PERMISSIONS = { always: "allow", ask: "ask", never: "deny" } as const;

function firstVerdict(rules: readonly PermissionRule[], request: ApprovalRequest): Verdict | null {
  for (const rule of rules) {
    const allow = ruleVerdict(rule, request);
    if (allow) return { permission: PERMISSIONS[allow], rule: describeRule(rule) };
  }
  return null;
}

function defaultVerdict(
  { effect, reviewed, onProposals, onlyReads }: ApprovalRequest,
  write: "allow" | "ask" | "deny",
): Verdict {
  if (onProposals?.isSandboxed)
    return { permission: "allow", rule: "graft.commands.sandbox: auto" };
  const isAllowed = onlyReads || (effect === "write" && reviewed && write === "allow");
  return { permission: isAllowed ? "allow" : "ask", rule: null };
}

import * as z from "zod/mini";
import type { PermissionPolicy } from "../tools/permissionPolicy.ts";
import type { PermissionRule } from "../tools/permissionRule.ts";

const writeSchema = z.enum(["allow", "ask", "deny"]);
const ruleSchema = z.strictObject({
  tool: z.string().check(z.minLength(1)),
  match: z.optional(z.string().check(z.minLength(1))),
  allow: z.enum(["always", "ask", "never"]),
});

/** A setting as each place has it: the user's value, and those of the workspace's files; undefined where it is not set. */
export interface SettingPlaces {
  readonly user: unknown;
  readonly workspace: readonly unknown[];
}

/**
 * The policy of the settings graft.permissions.write and graft.permissions.rules. What a workspace says can only make it stricter: the
 * model may write to the workspace's settings. A rule that is wrong asks about everything that reaches it; `problem` is told of it.
 */
export function parsePermissions(places: (name: string) => SettingPlaces, problem: (sentence: string) => void): PermissionPolicy {
  const [ownWrite, ...workspaceWrite] = allPlaces(places("permissions.write")).map((value) => parseWrite(value, problem));
  const [rules = [], ...restrictions] = allPlaces(places("permissions.rules")).map((value) => parseRules(value, problem));
  const write = (["deny", "ask"] as const).find((each) => each === ownWrite || workspaceWrite.includes(each));
  return { write: write ?? "allow", rules, restrictions: restrictions.filter((list) => list.length > 0) };
}

function allPlaces({ user, workspace }: SettingPlaces): readonly unknown[] {
  return [user, ...workspace];
}

function parseWrite(value: unknown, problem: (sentence: string) => void): PermissionPolicy["write"] {
  if (value === undefined || value === null) return "allow";
  const parsed = writeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  problem('The setting graft.permissions.write must be allow, ask or deny. "ask" is used instead.');
  return "ask";
}

const ASK_ALL: PermissionRule = { tool: "*", allow: "ask" };

function parseRules(value: unknown, problem: (sentence: string) => void): readonly PermissionRule[] {
  if (value === undefined || value === null) return [];
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  return entries.map((entry, index) => {
    const parsed = ruleSchema.safeParse(entry);
    const matchable = parsed.success && (parsed.data.match === undefined || parsed.data.tool === "run_command");
    if (matchable) return parsed.data;
    const wrong = parsed.success
      ? "has match, which only run_command knows"
      : 'must be like { "tool": "run_command", "match": "npm test*", "allow": "always" }, with always, ask or never';
    problem(`Entry ${index + 1} of the setting graft.permissions.rules ${wrong}. Until it is mended, Graft asks about what reaches it.`);
    return ASK_ALL;
  });
}

import * as z from "zod/mini";
import { DEFAULT_CONTEXT_WINDOW } from "../../agent/chatOptions.ts";
import type { PermissionPolicy } from "../../tools/permissions/permissionPolicy.ts";
import type { PermissionRule } from "../../tools/permissions/permissionRule.ts";

/** The user's settings, checked; times in seconds. */
export interface Settings {
  readonly baseUrl: string;
  /** The model's name as the endpoint knows it; "" when none is set. */
  readonly model: string;
  readonly maxSteps: number;
  readonly contextWindow: z.infer<typeof contextWindowSchema>;
  readonly timeouts: { readonly connect: number; readonly firstToken: number; readonly idle: number };
  readonly permissions: PermissionPolicy;
  readonly edits: { readonly review: "before" | "after"; readonly save: "beforeCommands" | "onAccept" | "never" };
  readonly diff: { readonly inline: "ask" | "always" | "never" };
}

/** A setting that Graft cannot use as it is. Names come without the section; `entry` counts from 1. */
export type SettingProblem =
  | { readonly code: "invalid-value"; readonly setting: string; readonly fallback: string | number }
  | { readonly code: "invalid-rule" | "match-without-command"; readonly entry: number }
  | { readonly code: "model-unused"; readonly model: string };

/** Settings that are safe to work with. Each problem names a value that was replaced by its default. */
interface ParsedSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
}

/** A setting as each place has it: the user's value, and those of the workspace's files; undefined where it is not set. */
interface SettingPlaces {
  readonly user: unknown;
  readonly workspace: readonly unknown[];
}

const seconds = z.number().check(z.minimum(1), z.maximum(3600));
const tokens = z.int().check(z.minimum(1000), z.maximum(100_000_000));
/** Tokens for every model, or by the model's name or its beginning followed by `*`. */
const contextWindowSchema = z.union([tokens, z.record(z.string(), tokens)]);
const writeSchema = z.enum(["allow", "ask", "deny"]);
const ruleSchema = z.strictObject({
  tool: z.string().check(z.minLength(1)),
  match: z.optional(z.string().check(z.minLength(1))),
  allow: z.enum(["always", "ask", "never"]),
});
const ASK_ALL: PermissionRule = { tool: "*", allow: "ask" };

/**
 * Checks the values of the section `graft`. `read` gets a name without the section, such as `timeouts.idle`; undefined means the default.
 * `places` says what the user and what the workspace set, for settings that a workspace may only make stricter.
 */
export function parseSettings(
  read: (name: string) => unknown,
  places: (name: string) => SettingPlaces = (name) => ({ user: read(name), workspace: [] }),
): ParsedSettings {
  const problems: SettingProblem[] = [];
  const report = (problem: SettingProblem) => problems.push(problem);
  const value = <T extends string | number | object>(name: string, schema: z.ZodMiniType<T>, fallback: T & (string | number)): T => {
    const raw = read(name);
    if (raw === undefined || raw === null) return fallback;
    const parsed = schema.safeParse(raw);
    if (parsed.success) return parsed.data;
    report({ code: "invalid-value", setting: name, fallback });
    return fallback;
  };
  const review = value("edits.review", z.enum(["before", "after"]), "before");
  const settings: Settings = {
    baseUrl: value("baseUrl", z.string(), "demo").trim() || "demo",
    model: value("model", z.string(), "").trim(),
    maxSteps: value("maxSteps", z.int().check(z.minimum(1), z.maximum(500)), 25),
    contextWindow: value("contextWindow", contextWindowSchema, DEFAULT_CONTEXT_WINDOW),
    timeouts: {
      connect: value("timeouts.connect", seconds, 20),
      firstToken: value("timeouts.firstToken", seconds, 180),
      idle: value("timeouts.idle", seconds, 90),
    },
    permissions: parsePermissions(places, report),
    edits: {
      review: reviewsAfter(places("edits.review")) ? review : "before",
      save: value("edits.save", z.enum(["beforeCommands", "onAccept", "never"]), "beforeCommands"),
    },
    diff: { inline: value("diff.inline", z.enum(["ask", "always", "never"]), "ask") },
  };
  if (settings.model !== "" && settings.baseUrl === "demo") report({ code: "model-unused", model: settings.model });
  return { settings, problems };
}

/** The context window of `model` in tokens: its name counts before a beginning, a longer beginning before a shorter one. */
export function contextWindowOf({ contextWindow }: Pick<Settings, "contextWindow">, model: string): number {
  if (typeof contextWindow === "number") return contextWindow;
  const matching = Object.keys(contextWindow).filter((name) => (name.endsWith("*") ? model.startsWith(name.slice(0, -1)) : name === model));
  const nearest = matching.sort((a, b) => Number(a.endsWith("*")) - Number(b.endsWith("*")) || b.length - a.length)[0];
  return (nearest === undefined ? undefined : contextWindow[nearest]) ?? DEFAULT_CONTEXT_WINDOW;
}

/** A workspace may ask for a review before changes are applied, but not switch it off. */
function reviewsAfter({ user, workspace }: SettingPlaces): boolean {
  return user === "after" && workspace.every((value) => value === undefined || value === "after");
}

/** A workspace only makes the policy stricter, since the model may write to its settings. An invalid rule asks about everything that reaches it. */
function parsePermissions(places: (name: string) => SettingPlaces, report: (problem: SettingProblem) => void): PermissionPolicy {
  const each = (name: string) => [places(name).user, ...places(name).workspace];
  const writes = each("permissions.write").map((value) => parseWrite(value, report));
  const [rules = [], ...restrictions] = each("permissions.rules").map((value) => parseRules(value, report));
  const write = (["deny", "ask"] as const).find((permission) => writes.includes(permission));
  return { write: write ?? "allow", rules, restrictions: restrictions.filter((list) => list.length > 0) };
}

function parseWrite(value: unknown, report: (problem: SettingProblem) => void): PermissionPolicy["write"] {
  if (value === undefined || value === null) return "allow";
  const parsed = writeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  report({ code: "invalid-value", setting: "permissions.write", fallback: "ask" });
  return "ask";
}

function parseRules(value: unknown, report: (problem: SettingProblem) => void): readonly PermissionRule[] {
  if (value === undefined || value === null) return [];
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  return entries.map((entry, index) => {
    const parsed = ruleSchema.safeParse(entry);
    if (parsed.success && (parsed.data.match === undefined || parsed.data.tool === "run_command")) return parsed.data;
    report({ code: parsed.success ? "match-without-command" : "invalid-rule", entry: index + 1 });
    return ASK_ALL;
  });
}

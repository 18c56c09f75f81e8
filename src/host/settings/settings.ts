import * as z from "zod/mini";
import { type ConnectionProblem, parseConnections } from "../../model/connections/connection.ts";
import type { PermissionPolicy } from "../../tools/permissions/permissionPolicy.ts";
import {
  type PermissionRule,
  permissionRuleSchema,
} from "../../tools/permissions/permissionRule.ts";
import { CHAT_MODES, DEFAULT_MODE } from "../../turns/plan/chatMode.ts";

/** The user's settings, checked; times in seconds. */
export type Settings = ReturnType<typeof parseSettings>["settings"];

/** How Graft hears and speaks. */
export type VoiceSettings = Settings["voice"];

/**
 * A setting that Graft cannot use as it is. Names come without the section; `entry` counts from 1.
 */
export type SettingProblem =
  | { readonly code: "invalid-value"; readonly setting: string; readonly fallback: string | number }
  | { readonly code: "invalid-rule" | "match-without-command"; readonly entry: number }
  | ConnectionProblem;

/**
 * A setting as each place has it: the user's value, and those of the workspace's files; undefined
 * where it is not set.
 */
interface SettingPlaces {
  readonly user: unknown;
  readonly workspace: readonly unknown[];
}

const seconds = z.number().check(z.minimum(1), z.maximum(3600));
const tokens = z.int().check(z.minimum(1000), z.maximum(100_000_000));
/** Tokens for every model, or by the model's name or its beginning followed by `*`. */
const contextWindowSchema = z.union([tokens, z.record(z.string(), tokens)]);
const FORMATS = { auto: null, elements: "ast", lines: "lines", wholeFile: "complete" } as const;
const writeSchema = z.enum(["allow", "ask", "deny"]);
const ASK_ALL: PermissionRule = { tool: "*", allow: "ask" };

/** Reads a setting, or its fallback where it is not set or not valid. */
type ReadSetting = <T extends string | number | object>(
  name: string,
  schema: z.ZodMiniType<T>,
  fallback: T & (string | number),
) => T;

function settingReader(
  read: (name: string) => unknown,
  report: (problem: SettingProblem) => void,
): ReadSetting {
  return (name, schema, fallback) => {
    const raw = read(name);
    if (raw === undefined || raw === null) return fallback;
    const parsed = schema.safeParse(raw);
    if (parsed.success) return parsed.data;
    report({ code: "invalid-value", setting: name, fallback });
    return fallback;
  };
}

const agentsSchema = z.record(
  z.string().check(z.minLength(1)),
  z.object({
    command: z.string().check(z.minLength(1)),
    args: z.exactOptional(z.array(z.string())),
    env: z.exactOptional(z.record(z.string(), z.string())),
    writes: z.exactOptional(z.array(z.string())),
  }),
);

function agentsOf(value: unknown, report: (problem: SettingProblem) => void) {
  const parsed = z.safeParse(z.optional(agentsSchema), value);
  if (!parsed.success) report({ code: "invalid-value", setting: "agents", fallback: "" });
  return parsed.data ?? {};
}

function editSettings(value: ReadSetting, places: (name: string) => SettingPlaces) {
  const review = value("edits.review", z.enum(["before", "after"]), "before");
  const fixNewErrors = value("edits.fixNewErrors", z.enum(["ask", "always"]), "ask");
  const format = value("edits.format", z.enum(["auto", "elements", "lines", "wholeFile"]), "auto");
  return {
    /** What models are asked for; null where it follows the model's record. */
    format: FORMATS[format],
    review: isUsers("after", places("edits.review")) ? review : "before",
    save: value("edits.save", z.enum(["beforeCommands", "onAccept", "never"]), "onAccept"),
    fixNewErrors: isUsers("always", places("edits.fixNewErrors")) ? fixNewErrors : "ask",
  };
}

function commandSettings(value: ReadSetting, places: (name: string) => SettingPlaces) {
  return {
    commands: {
      /** Where commands run while changes are proposed. */
      on: value("commands.runOn", z.enum(["proposals", "workspace", "ask"]), "proposals"),
      sandbox: sandboxSetting(places("commands.sandbox")),
    },
    /** The most that a copy of the workspace may hold, in megabytes. */
    copyLimit: value("commands.copyLimit", z.int().check(z.minimum(1), z.maximum(1e6)), 2048),
  };
}

function voiceSettings(value: ReadSetting) {
  return {
    /** A connection's name; "" for the one that the chat uses. */
    connection: value("voice.connection", z.string(), "").trim(),
    transcriptionModel: value("voice.transcriptionModel", z.string(), "whisper-1").trim(),
    speechModel: value("voice.speechModel", z.string(), "tts-1").trim(),
    /** The name of the voice as the server knows it. */
    voice: value("voice.voice", z.string(), "alloy").trim(),
    /** What the user speaks, such as "de"; "" to leave it to the server. */
    language: value("voice.language", z.string(), "").trim(),
    /** 1 for the voice's own. */
    speed: value("voice.speed", z.number().check(z.minimum(0.25), z.maximum(4)), 1),
    mode: value("voice.mode", z.enum(["pushToTalk", "handsFree"]), "pushToTalk"),
    /** The pause that ends what is said hands-free. */
    pause: value("voice.pause", z.enum(["short", "patient"]), "short"),
    page: value("voice.page", z.enum(["integrated", "external"]), "integrated"),
  };
}

/** Earlier versions had true for *all* and false for *never*. */
function notificationSetting(set: unknown, value: ReadSetting): "waiting" | "all" | "never" {
  if (typeof set === "boolean") return set ? "all" : "never";
  return value("notifications", z.enum(["waiting", "all", "never"]), "waiting");
}

/**
 * Checks the section `graft`. `places` says who set a setting, for those that a workspace may only
 * make stricter. Each problem names a value that was replaced by its default.
 */
export function parseSettings(
  read: (name: string) => unknown,
  places: (name: string) => SettingPlaces = (name) => ({ user: read(name), workspace: [] }),
) {
  const problems: SettingProblem[] = [];
  const report = (problem: SettingProblem) => problems.push(problem);
  const value = settingReader(read, report);
  const { connections, problems: unusable } = parseConnections(read("connections"));
  for (const problem of unusable) report(problem);
  /** Only the user's own value: a workspace must not add any. */
  const userNames = (name: string) =>
    z.safeParse(z.array(z.string()), places(name).user).data ?? [];
  const former = value("baseUrl", z.string(), "demo").trim();
  const settings = {
    connections,
    /** Agents of other makers that the user describes. */
    agents: Object.entries(agentsOf(read("agents"), report)).map(([name, agent]) => ({
      ...{ name, args: [], env: {} },
      ...agent,
    })),
    /** The tools of other extensions that models may ask to use. */
    extensionTools: userNames("extensionTools"),
    /** The hosts of private networks whose pages may be read. */
    privateHosts: userNames("web.privateHosts"),
    /** True where only those may answer: no other server, and none of VS Code's models. */
    connectionsOnly: read("connectionsOnly") === true,
    /** The former setting for one server: its address, or null for demo mode. */
    baseUrl: /^(?:demo)?$/i.test(former) ? null : former,
    /** The model's name as the endpoint knows it; "" when none is set. */
    model: value("model", z.string(), "").trim(),
    /** How a chat answers in which the user has chosen nothing. */
    mode: value("mode", z.enum(CHAT_MODES), DEFAULT_MODE),
    maxSteps: value("maxSteps", z.int().check(z.minimum(1), z.maximum(500)), 25),
    /** In US dollars; 0 for no limit. */
    maxTurnCost: value("maxTurnCost", z.number().check(z.minimum(0), z.maximum(10_000)), 0),
    contextWindow: value("contextWindow", z.union([contextWindowSchema, z.literal("")]), "") || {},
    timeouts: {
      connect: value("timeouts.connect", seconds, 20),
      firstToken: value("timeouts.firstToken", seconds, 180),
      idle: value("timeouts.idle", seconds, 90),
    },
    /** Of which chats a notification tells where the window is not in front. */
    notifications: notificationSetting(read("notifications"), value),
    permissions: parsePermissions(places, report),
    /** Only the user's own value: a workspace must not ask for secrets. */
    commandEnvironment: userNames("commands.environment"),
    ...commandSettings(value, places),
    edits: editSettings(value, places),
    diff: { inline: value("diff.inline", z.enum(["ask", "always", "never"]), "ask") },
    /** A connection's name, a slash and a model's name; "" for no completions. */
    completionModel: value("completions.model", z.string(), "").trim(),
    voice: voiceSettings(value),
  };
  return { settings, problems };
}

/**
 * The context window of `model` in tokens, null where none is set: its name counts before a
 * beginning, a longer beginning before a shorter one.
 */
export function contextWindowOf(
  { contextWindow }: Pick<Settings, "contextWindow">,
  model: string,
): number | null {
  if (typeof contextWindow === "number") return contextWindow;
  const matching = Object.keys(contextWindow).filter((name) =>
    name.endsWith("*") ? model.startsWith(name.slice(0, -1)) : name === model,
  );
  const nearest = matching.sort(
    (a, b) => Number(a.endsWith("*")) - Number(b.endsWith("*")) || b.length - a.length,
  )[0];
  return (nearest === undefined ? undefined : contextWindow[nearest]) ?? null;
}

/**
 * True for what lets Graft do more by itself, if the user set it: a workspace can take it back, but
 * not allow it.
 */
function isUsers(loose: string, { user, workspace }: SettingPlaces): boolean {
  return user === loose && workspace.every((value) => value === undefined || value === loose);
}

/** What the setting's default says, and what earlier versions called it. */
const SANDBOXED: readonly unknown[] = [undefined, "auto", "noNetwork"];

/** A workspace can only turn it off: in a sandbox commands run without a question. */
function sandboxSetting({ user, workspace }: SettingPlaces): "auto" | "off" {
  return [user, ...workspace].every((value) => SANDBOXED.includes(value)) ? "auto" : "off";
}

/**
 * A workspace only makes the policy stricter, since the model may write to its settings. An invalid
 * rule asks about everything that reaches it.
 */
function parsePermissions(
  places: (name: string) => SettingPlaces,
  report: (problem: SettingProblem) => void,
): PermissionPolicy {
  const each = (name: string) => [places(name).user, ...places(name).workspace];
  const writes = each("permissions.write").map((value) => parseWrite(value, report));
  const [rules = [], ...restrictions] = each("permissions.rules").map((value) =>
    parseRules(value, report),
  );
  const write = (["deny", "ask"] as const).find((permission) => writes.includes(permission));
  return {
    write: write ?? "allow",
    rules,
    restrictions: restrictions.filter((list) => list.length > 0),
  };
}

function parseWrite(
  value: unknown,
  report: (problem: SettingProblem) => void,
): PermissionPolicy["write"] {
  if (value === undefined || value === null) return "allow";
  const parsed = writeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  report({ code: "invalid-value", setting: "permissions.write", fallback: "ask" });
  return "ask";
}

function parseRules(
  value: unknown,
  report: (problem: SettingProblem) => void,
): readonly PermissionRule[] {
  if (value === undefined || value === null) return [];
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  return entries.map((entry, index) => {
    const parsed = permissionRuleSchema.safeParse(entry);
    if (parsed.success && (parsed.data.match === undefined || parsed.data.tool === "run_command"))
      return parsed.data;
    report({ code: parsed.success ? "match-without-command" : "invalid-rule", entry: index + 1 });
    return ASK_ALL;
  });
}

import * as z from "zod/mini";
import { DEFAULT_CONTEXT_WINDOW } from "../agent/chatOptions.ts";
import type { PermissionPolicy } from "../tools/permissionPolicy.ts";
import { type ContextWindowSetting, contextWindowSchema } from "./contextWindowSetting.ts";
import { parsePermissions, type SettingPlaces } from "./permissionSettings.ts";

/** The user's settings, checked; times in seconds. */
export interface Settings {
  readonly baseUrl: string;
  /** The model's name as the endpoint knows it; "" when none is set. */
  readonly model: string;
  readonly maxSteps: number;
  readonly contextWindow: ContextWindowSetting;
  readonly timeouts: { readonly connect: number; readonly firstToken: number; readonly idle: number };
  readonly permissions: PermissionPolicy;
  readonly edits: { readonly review: "before" | "after" };
  readonly diff: { readonly inline: "ask" | "always" | "never" };
}

/** Settings that are safe to work with, and a sentence for each value that was not and was replaced by its default. */
export interface ParsedSettings {
  readonly settings: Settings;
  readonly problems: readonly string[];
}

const seconds = z.number().check(z.minimum(1), z.maximum(3600));
const aTime = "a number of seconds from 1 to 3600";

/**
 * Checks the values of the section `graft`; `read` gets the name without the section, such as `timeouts.idle`. An undefined value
 * means the default and is no problem. `places` tells what the user and what the workspace set, where that counts.
 */
export function parseSettings(
  read: (name: string) => unknown,
  places: (name: string) => SettingPlaces = (name) => ({ user: read(name), workspace: [] }),
): ParsedSettings {
  const problems: string[] = [];
  const value = <T>(name: string, schema: z.ZodMiniType<T>, fallback: T, wanted: string): T => {
    const raw = read(name);
    if (raw === undefined || raw === null) return fallback;
    const parsed = schema.safeParse(raw);
    if (parsed.success) return parsed.data;
    problems.push(`The setting graft.${name} must be ${wanted}. ${JSON.stringify(fallback)} is used instead.`);
    return fallback;
  };
  const review = value("edits.review", z.enum(["before", "after"]), "before", "before or after");
  const settings: Settings = {
    baseUrl: value("baseUrl", z.string(), "demo", "a text: demo, or the address of an OpenAI-compatible endpoint").trim() || "demo",
    model: value("model", z.string(), "", "a text: the model's name").trim(),
    maxSteps: value("maxSteps", z.int().check(z.minimum(1), z.maximum(500)), 25, "a whole number from 1 to 500"),
    contextWindow: value(
      "contextWindow",
      contextWindowSchema,
      DEFAULT_CONTEXT_WINDOW,
      "a number of tokens from 1000 to 100000000, or such numbers by the models' names",
    ),
    timeouts: {
      connect: value("timeouts.connect", seconds, 20, aTime),
      firstToken: value("timeouts.firstToken", seconds, 180, aTime),
      idle: value("timeouts.idle", seconds, 90, aTime),
    },
    permissions: parsePermissions(places, (sentence) => problems.push(sentence)),
    edits: { review: reviewsAfter(places("edits.review")) ? review : "before" },
    diff: { inline: value("diff.inline", z.enum(["ask", "always", "never"]), "ask", "ask, always or never") },
  };
  if (settings.model !== "" && settings.baseUrl === "demo") {
    problems.push(
      `The setting graft.model names ${settings.model}, but graft.baseUrl is still demo, so the built-in demonstration answers. Set graft.baseUrl to the model's endpoint, such as https://api.openai.com/v1.`,
    );
  }
  return { settings, problems };
}

/** A workspace may have its changes looked at before they are applied, but not keep the user from it. */
function reviewsAfter({ user, workspace }: SettingPlaces): boolean {
  return user === "after" && workspace.every((value) => value === undefined || value === "after");
}

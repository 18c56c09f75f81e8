import * as z from "zod/mini";
import { english, type Localize } from "../../base/localize.ts";
import type { ApprovalRequest, CommandLine, PermissionScope } from "../../ports/approval.ts";
import type { FileHashes, RunnerFiles } from "../../ports/commands/runnerFiles.ts";
import type { Memory } from "../../ports/memory.ts";
import { changedFiles } from "./changedFiles.ts";
import { isAskedEachTime } from "./permissionPolicy.ts";
import { commandPrefix, coversCommand, type PermissionRule } from "./permissionRule.ts";

const hashesSchema = z.record(z.string(), z.string());

const grantSchema = z.object({
  /** Empty where `server` is set. */
  tool: z.string(),
  command: z.optional(
    z.object({ text: z.string(), folder: z.string(), more: z.optional(z.literal(true)) }),
  ),
  /**
   * Set where it covers only runs on what is proposed: true for an overlay over the user's files,
   * `copy` for a copy. No other covers these.
   */
  onProposals: z.optional(z.union([z.literal(true), z.literal("copy")])),
  host: z.optional(z.string()),
  server: z.optional(z.string()),
  /**
   * The MCP server's definition, by its hash, and its own name for the tool; no tool for all that
   * only read.
   */
  mcp: z.optional(z.object({ definition: z.string(), tool: z.optional(z.string()) })),
  /**
   * The files that decided what it ran when it was allowed. Absent in permissions of earlier
   * versions.
   */
  files: z.optional(hashesSchema),
});

/**
 * What the user allowed for longer than one call: one exact command line, or with `more` also
 * further words after it; the pages of a host; the read-only tools of a server; or a whole tool.
 */
type Grant = z.infer<typeof grantSchema>;

const KEY = "graft.permissions";
/**
 * The files as they were when a rule of the settings was first seen in this workspace, by the
 * rule's command.
 */
const RULES_KEY = "graft.permissions.files";
/** The most permissions that a workspace keeps. Drops the oldest first. */
const MAX_KEPT = 200;

/**
 * What the user has allowed for a turn, the session or the workspace, and the files that decided
 * then what would run.
 */
export class PermissionGrants {
  private readonly memory: Memory;
  private readonly files: RunnerFiles | null;
  /** By turn: several chats have one that runs. */
  private readonly turns = new Map<string, Grant[]>();
  private readonly session: Grant[] = [];

  /** Without `files`, permissions do not depend on them: where nothing runs. */
  constructor(memory: Memory, files: RunnerFiles | null = null) {
    this.memory = memory;
    this.files = files;
  }

  /** The permissions for longer than a turn, those of the workspace first. */
  all(): readonly { readonly grant: Grant; readonly scope: "session" | "workspace" }[] {
    return [
      ...this.kept().map((grant) => ({ grant, scope: "workspace" as const })),
      ...this.session.map((grant) => ({ grant, scope: "session" as const })),
    ];
  }

  /** The longest-lived permission that covers a request; null where the user has to be asked. */
  find(
    request: ApprovalRequest,
  ): { readonly grant: Grant; readonly scope: PermissionScope } | null {
    if (isAskedEachTime(request)) return null;
    const own = this.turns.get(request.turnId) ?? [];
    const turn = own.map((grant) => ({ grant, scope: "turn" as const }));
    return [...this.all(), ...turn].find(({ grant }) => covers(grant, request)) ?? null;
  }

  /**
   * Adds a permission, unless the request needs approval each time. With `more`, one for the
   * command's prefix, if it has one.
   */
  async add(
    request: ApprovalRequest,
    scope: "turn" | "session" | "workspace",
    more = false,
  ): Promise<void> {
    if (isAskedEachTime(request)) return;
    const plain = grantOf(request, more);
    const runs = commandOf(plain);
    const grant = runs && this.files ? { ...plain, files: await this.files.hashes(runs) } : plain;
    if (scope === "session") this.session.push(grant);
    else if (scope === "workspace")
      await this.keep([...this.kept().filter((kept) => !sameGrant(kept, grant)), grant]);
    else this.turns.set(request.turnId, [...(this.turns.get(request.turnId) ?? []), grant]);
  }

  /** Revokes a permission in every scope. */
  async remove(grant: Grant): Promise<void> {
    for (const list of [this.session, ...this.turns.values()]) {
      const left = list.filter((each) => !sameGrant(each, grant));
      list.splice(0, list.length, ...left);
    }
    await this.keep(this.kept().filter((each) => !sameGrant(each, grant)));
  }

  /**
   * The files that changed since what would allow a request: a rule of the settings, else an
   * earlier permission.
   */
  async changed(request: ApprovalRequest, rule: PermissionRule | null): Promise<readonly string[]> {
    const runs = requestCommand(request);
    if (!runs || !this.files) return [];
    if (rule?.match !== undefined) {
      const seen = this.seen()[rule.match];
      return seen ? changedFiles(seen, { ...runs, text: rule.match }, this.files) : [];
    }
    const grant = rule ? null : this.find(request)?.grant;
    return grant
      ? changedFiles(grant.files ?? {}, { ...runs, text: commandOf(grant)?.text ?? "" }, this.files)
      : [];
  }

  /**
   * Takes the files as they are now for those that the user has seen: the request was allowed after
   * they changed.
   */
  async confirm(request: ApprovalRequest, rule: PermissionRule | null): Promise<void> {
    if (!this.files || !requestCommand(request)) return;
    if (rule?.match !== undefined) return this.see([rule], true);
    const found = rule ? null : this.find(request);
    const runs = found && commandOf(found.grant);
    if (!runs) return;
    const grant = { ...found.grant, files: await this.files.hashes(runs) };
    if (found.scope === "workspace")
      return this.keep(this.kept().map((each) => (sameGrant(each, grant) ? grant : each)));
    for (const list of [this.session, ...this.turns.values()])
      for (const [at, each] of list.entries()) if (sameGrant(each, grant)) list[at] = grant;
  }

  /**
   * Keeps the files of rules that are new in this workspace; with `again` of all of them. Call it
   * before the model acts.
   */
  async see(rules: readonly PermissionRule[], again = false): Promise<void> {
    const known = this.seen();
    const added: Record<string, FileHashes> = {};
    for (const { match, allow } of rules) {
      if (match === undefined || allow !== "always" || !this.files || (known[match] && !again))
        continue;
      // Files below the workspace are among them.
      added[match] ??= await this.files.hashes({ text: match, folder: "." });
    }
    if (Object.keys(added).length > 0)
      await this.memory.update(RULES_KEY, { ...this.seen(), ...added });
  }

  private seen(): Readonly<Record<string, FileHashes>> {
    return z.safeParse(z.record(z.string(), hashesSchema), this.memory.get(RULES_KEY)).data ?? {};
  }

  private kept(): readonly Grant[] {
    const stored = z.safeParse(z.array(z.unknown()), this.memory.get(KEY)).data ?? [];
    return stored.flatMap((entry) => z.safeParse(grantSchema, entry).data ?? []);
  }

  private async keep(grants: readonly Grant[]): Promise<void> {
    await this.memory.update(KEY, grants.slice(-MAX_KEPT));
  }
}

/** A permission as the user reads it: `run_command npm test (in web)`. */
export function describeGrant(
  { tool, command, host, server, mcp, onProposals }: Grant,
  t: Localize = english,
): string {
  if (host !== undefined) return t("pages of {host}", { host });
  if (server !== undefined && mcp?.tool === undefined)
    return t("read-only tools of the MCP server {server}", { server });
  if (server !== undefined)
    return t("{tool} of the MCP server {server}", { tool: mcp?.tool ?? tool, server });
  if (!command) return tool;
  const { folder, more } = command;
  const plain = more ? `${command.text} …` : command.text;
  const text =
    onProposals === "copy"
      ? t("{command} (in a copy with proposals)", { command: plain })
      : onProposals
        ? t("{command} (on proposals)", { command: plain })
        : plain;
  return folder === "."
    ? `${tool} ${text}`
    : t("{tool} {command} (in {folder})", { tool, command: text, folder });
}

function grantOf(
  { tool, command, host, server, mcp, onProposals }: ApprovalRequest,
  more = false,
): Grant {
  if (host !== undefined) return { tool, host };
  if (server !== undefined)
    return { tool: "", server, ...(mcp && { mcp: { definition: mcp.definition } }) };
  if (mcp)
    return { tool: "", server: mcp.server, mcp: { definition: mcp.definition, tool: mcp.tool } };
  if (!command) return { tool };
  const { text, folder } = command;
  const prefix = more ? commandPrefix(text) : null;
  return {
    tool,
    ...(onProposals && { onProposals: onProposals.ground === "copy" ? "copy" : true }),
    command: prefix === null ? { text, folder } : { text: prefix, folder, more: true },
  };
}

/** What git runs for these tools, hooks above all, is decided by files, too. */
const GIT_TOOLS = new Set(["git_commit", "git_branch"]);

function commandOf({ tool, command }: Grant): CommandLine | null {
  return command ?? (GIT_TOOLS.has(tool) ? { text: "git", folder: "." } : null);
}

function requestCommand({ tool, command }: ApprovalRequest): CommandLine | null {
  return command ?? (GIT_TOOLS.has(tool) ? { text: "git", folder: "." } : null);
}

function covers(grant: Grant, request: ApprovalRequest): boolean {
  if (sameGrant(grant, grantOf(request))) return true;
  const { tool, command } = request;
  if (
    !grant.command?.more ||
    !command ||
    grant.onProposals !== grantOf(request).onProposals ||
    grant.tool !== tool ||
    grant.command.folder !== command.folder
  )
    return false;
  return coversCommand(`${grant.command.text} *`, command.text);
}

function sameGrant(a: Grant, b: Grant): boolean {
  if (a.mcp || b.mcp) return a.mcp?.definition === b.mcp?.definition && a.mcp?.tool === b.mcp?.tool;
  if (
    a.host !== b.host ||
    a.tool !== b.tool ||
    a.server !== b.server ||
    a.onProposals !== b.onProposals
  )
    return false;
  return (
    a.command?.text === b.command?.text &&
    a.command?.folder === b.command?.folder &&
    a.command?.more === b.command?.more
  );
}

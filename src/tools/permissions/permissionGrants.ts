import * as z from "zod/mini";
import { english, type Localize } from "../../base/localize.ts";
import type { ApprovalRequest, PermissionScope } from "../../ports/approval.ts";
import type { Memory } from "../../ports/memory.ts";
import { isAskedEachTime } from "./permissionPolicy.ts";
import { commandPrefix, coversCommand } from "./permissionRule.ts";

const grantSchema = z.object({
  /** Empty where `server` is set. */
  tool: z.string(),
  command: z.optional(
    z.object({ text: z.string(), folder: z.string(), more: z.optional(z.literal(true)) }),
  ),
  /** Set where it covers only runs on what one chat proposes. */
  onProposals: z.optional(
    z.object({
      backend: z.enum(["overlay", "copy"]),
      chat: z.string(),
      isSandboxed: z.optional(z.literal(true)),
      isConfined: z.optional(z.literal(true)),
    }),
  ),
  host: z.optional(z.string()),
  server: z.optional(z.string()),
  /**
   * The MCP server's definition, by its hash, and its own name for the tool; no tool for all that
   * only read.
   */
  mcp: z.optional(z.object({ definition: z.string(), tool: z.optional(z.string()) })),
});

/**
 * What the user allowed for longer than one call: one exact command line, or with `more` also
 * further words after it; the pages of a host; the read-only tools of a server; or a whole tool.
 */
type Grant = z.infer<typeof grantSchema>;

const KEY = "graft.permissions";
/** The most permissions that a workspace keeps. Drops the oldest first. */
const MAX_KEPT = 200;

/** What the user has allowed for a turn, the session or the workspace. */
export class PermissionGrants {
  private readonly memory: Memory;
  /** By turn: several chats have one that runs. */
  private readonly turns = new Map<string, Grant[]>();
  private readonly session: Grant[] = [];

  constructor(memory: Memory) {
    this.memory = memory;
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
   * command's prefix, if it has one. One for what is proposed lasts as long as the session at most.
   */
  async add(
    request: ApprovalRequest,
    scope: "turn" | "session" | "workspace",
    more = false,
  ): Promise<void> {
    if (isAskedEachTime(request)) return;
    const grant = grantOf(request, more);
    if (scope === "turn")
      this.turns.set(request.turnId, [...(this.turns.get(request.turnId) ?? []), grant]);
    else if (scope === "session" || grant.onProposals) this.session.push(grant);
    else await this.keepGrants([...this.kept().filter((kept) => !sameGrant(kept, grant)), grant]);
  }

  /** Revokes a permission in every scope. */
  async remove(grant: Grant): Promise<void> {
    for (const list of [this.session, ...this.turns.values()]) {
      const left = list.filter((each) => !sameGrant(each, grant));
      list.splice(0, list.length, ...left);
    }
    await this.keepGrants(this.kept().filter((each) => !sameGrant(each, grant)));
  }

  private kept(): readonly Grant[] {
    const stored = z.safeParse(z.array(z.unknown()), this.memory.get(KEY)).data ?? [];
    return stored.flatMap((entry) => {
      const grant = z.safeParse(grantSchema, entry).data;
      // Earlier versions kept some for what is proposed, which nobody has seen.
      return grant && !grant.onProposals ? grant : [];
    });
  }

  private async keepGrants(grants: readonly Grant[]): Promise<void> {
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
    onProposals?.backend === "copy"
      ? t("{command} (in a copy with the proposals of a chat)", { command: plain })
      : onProposals
        ? t("{command} (on the proposals of a chat)", { command: plain })
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
    ...(onProposals && { onProposals: placeOf(onProposals) }),
    command: prefix === null ? { text, folder } : { text: prefix, folder, more: true },
  };
}

function covers(grant: Grant, request: ApprovalRequest): boolean {
  if (sameGrant(grant, grantOf(request))) return true;
  const { tool, command } = request;
  if (
    !grant.command?.more ||
    !command ||
    !sameProposals(grant, grantOf(request)) ||
    grant.tool !== tool ||
    grant.command.folder !== command.folder
  )
    return false;
  return coversCommand(`${grant.command.text} *`, command.text);
}

function sameGrant(a: Grant, b: Grant): boolean {
  if (a.mcp || b.mcp) return a.mcp?.definition === b.mcp?.definition && a.mcp?.tool === b.mcp?.tool;
  if (a.host !== b.host || a.tool !== b.tool || a.server !== b.server || !sameProposals(a, b))
    return false;
  return (
    a.command?.text === b.command?.text &&
    a.command?.folder === b.command?.folder &&
    a.command?.more === b.command?.more
  );
}

function sameProposals({ onProposals: a }: Grant, { onProposals: b }: Grant): boolean {
  return (
    a?.backend === b?.backend &&
    a?.chat === b?.chat &&
    a?.isSandboxed === b?.isSandboxed &&
    a?.isConfined === b?.isConfined
  );
}

function placeOf({
  backend,
  chat,
  isSandboxed,
  isConfined,
}: NonNullable<ApprovalRequest["onProposals"]>): NonNullable<Grant["onProposals"]> {
  return {
    ...{ backend, chat },
    ...(isSandboxed && { isSandboxed }),
    ...(isConfined && { isConfined }),
  };
}

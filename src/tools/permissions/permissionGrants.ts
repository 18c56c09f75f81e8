import * as z from "zod/mini";
import { english, type Localize } from "../../base/localize.ts";
import type { ApprovalRequest, PermissionScope } from "../../ports/approval.ts";
import type { Memory } from "../../ports/memory.ts";
import { commandPrefix, coversCommand } from "./permissionRule.ts";

const grantSchema = z.object({
  /** Empty where `server` is set. */
  tool: z.string(),
  command: z.optional(z.object({ text: z.string(), folder: z.string(), more: z.optional(z.literal(true)) })),
  server: z.optional(z.string()),
});

/**
 * What the user allowed for longer than one call: one exact command line, or with `more` also further words after it; the read-only tools
 * of a server; or a whole tool.
 */
type Grant = z.infer<typeof grantSchema>;

const KEY = "graft.permissions";
/** The most permissions that a workspace keeps. Drops the oldest first. */
const MAX_KEPT = 200;

/** What the user has allowed for a turn, the session or the workspace. */
export class PermissionGrants {
  private readonly memory: Memory;
  private turn: { readonly turnId: string; readonly grants: Grant[] } | null = null;
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
  find(request: ApprovalRequest): { readonly grant: Grant; readonly scope: PermissionScope } | null {
    if (request.eachTime) return null;
    const turn = this.turn?.turnId === request.turnId ? this.turn.grants.map((grant) => ({ grant, scope: "turn" as const })) : [];
    return [...this.all(), ...turn].find(({ grant }) => covers(grant, request)) ?? null;
  }

  /** Adds a permission, unless the request needs approval each time. With `more`, one for the command's prefix, if it has one. */
  async add(request: ApprovalRequest, scope: "turn" | "session" | "workspace", more = false): Promise<void> {
    if (request.eachTime) return;
    const grant = grantOf(request, more);
    if (scope === "session") this.session.push(grant);
    else if (scope === "workspace") await this.keep([...this.kept().filter((kept) => !sameGrant(kept, grant)), grant]);
    else {
      if (this.turn?.turnId !== request.turnId) this.turn = { turnId: request.turnId, grants: [] };
      this.turn.grants.push(grant);
    }
  }

  /** Revokes a permission in every scope. */
  async remove(grant: Grant): Promise<void> {
    for (const list of [this.session, this.turn?.grants ?? []]) {
      const left = list.filter((each) => !sameGrant(each, grant));
      list.splice(0, list.length, ...left);
    }
    await this.keep(this.kept().filter((each) => !sameGrant(each, grant)));
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
export function describeGrant({ tool, command, server }: Grant, t: Localize = english): string {
  if (server !== undefined) return t("read-only tools of the MCP server {server}", { server });
  if (!command) return tool;
  const { folder, more } = command;
  const text = more ? `${command.text} …` : command.text;
  return folder === "." ? `${tool} ${text}` : t("{tool} {command} (in {folder})", { tool, command: text, folder });
}

function grantOf({ tool, command, server }: ApprovalRequest, more = false): Grant {
  if (server !== undefined) return { tool: "", server };
  if (!command) return { tool };
  const { text, folder } = command;
  const prefix = more ? commandPrefix(text) : null;
  return { tool, command: prefix === null ? { text, folder } : { text: prefix, folder, more: true } };
}

function covers(grant: Grant, request: ApprovalRequest): boolean {
  if (sameGrant(grant, grantOf(request))) return true;
  const { tool, command } = request;
  if (!grant.command?.more || !command || grant.tool !== tool || grant.command.folder !== command.folder) return false;
  return coversCommand(`${grant.command.text} *`, command.text);
}

function sameGrant(a: Grant, b: Grant): boolean {
  if (a.tool !== b.tool || a.server !== b.server) return false;
  return a.command?.text === b.command?.text && a.command?.folder === b.command?.folder && a.command?.more === b.command?.more;
}

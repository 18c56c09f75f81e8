import * as z from "zod/mini";
import type { ApprovalRequest, PermissionScope } from "../ports/approval.ts";

const grantSchema = z.object({
  /** Empty where `server` is set. */
  tool: z.string(),
  command: z.optional(z.object({ text: z.string(), folder: z.string() })),
  server: z.optional(z.string()),
});

/** What the user allowed for longer than one call: exactly one command line, the reading tools of a server, or every use of a tool. */
export type Grant = z.infer<typeof grantSchema>;

/** Where a workspace's permissions are kept; the editor's Memento fits. */
export interface GrantMemory {
  get(key: string): unknown;
  update(key: string, value: readonly Grant[]): PromiseLike<void>;
}

const KEY = "graft.permissions";
/** How many permissions a workspace keeps; the oldest is forgotten first. */
const MAX_KEPT = 200;

/** What the user has allowed, for a turn, for the session and for the workspace. */
export class PermissionGrants {
  private readonly memory: GrantMemory;
  private turn: { readonly turnId: string; readonly grants: Grant[] } | null = null;
  private readonly session: Grant[] = [];

  constructor(memory: GrantMemory) {
    this.memory = memory;
  }

  /** What is allowed beyond the running turn, the workspace's first. */
  all(): readonly { readonly grant: Grant; readonly scope: "session" | "workspace" }[] {
    return [
      ...this.kept().map((grant) => ({ grant, scope: "workspace" as const })),
      ...this.session.map((grant) => ({ grant, scope: "session" as const })),
    ];
  }

  /** The permission that covers a request, the longest-lived one; null where the user has to be asked. */
  find(request: ApprovalRequest): { readonly grant: Grant; readonly scope: PermissionScope } | null {
    if (request.eachTime) return null;
    const turn = this.turn?.turnId === request.turnId ? this.turn.grants.map((grant) => ({ grant, scope: "turn" as const })) : [];
    return [...this.all(), ...turn].find(({ grant }) => sameGrant(grant, grantOf(request))) ?? null;
  }

  /** Remembers what the user allowed, unless it is asked about each time. */
  async add(request: ApprovalRequest, scope: "turn" | "session" | "workspace"): Promise<void> {
    if (request.eachTime) return;
    const grant = grantOf(request);
    if (scope === "session") this.session.push(grant);
    else if (scope === "workspace") await this.keep([...this.kept().filter((kept) => !sameGrant(kept, grant)), grant]);
    else {
      if (this.turn?.turnId !== request.turnId) this.turn = { turnId: request.turnId, grants: [] };
      this.turn.grants.push(grant);
    }
  }

  /** Takes a permission back, wherever it was given. */
  async remove(grant: Grant): Promise<void> {
    for (const list of [this.session, this.turn?.grants ?? []]) {
      const left = list.filter((each) => !sameGrant(each, grant));
      list.splice(0, list.length, ...left);
    }
    await this.keep(this.kept().filter((each) => !sameGrant(each, grant)));
  }

  private kept(): readonly Grant[] {
    const value = this.memory.get(KEY);
    const entries: readonly unknown[] = Array.isArray(value) ? value : [];
    return entries.flatMap((entry) => {
      const parsed = z.safeParse(grantSchema, entry);
      return parsed.success ? [parsed.data] : [];
    });
  }

  private async keep(grants: readonly Grant[]): Promise<void> {
    await this.memory.update(KEY, grants.slice(-MAX_KEPT));
  }
}

/** A permission in words: `run_command npm test (in web)`. */
export function grantText({ tool, command, server }: Grant): string {
  if (server !== undefined) return `the reading tools of the MCP server ${server}`;
  if (!command) return tool;
  return `${tool} ${command.text}${command.folder === "." ? "" : ` (in ${command.folder})`}`;
}

function grantOf({ tool, command, server }: ApprovalRequest): Grant {
  if (server !== undefined) return { tool: "", server };
  return command ? { tool, command } : { tool };
}

function sameGrant(a: Grant, b: Grant): boolean {
  return a.tool === b.tool && a.server === b.server && a.command?.text === b.command?.text && a.command?.folder === b.command?.folder;
}

import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { Memory } from "../../ports/memory.ts";
import type { McpInput, McpServerEntry } from "../../tools/mcp/mcpConfig.ts";
import { variablesOf } from "../../tools/mcp/resolveEntry.ts";
import { t } from "../localize.ts";
import { tokenOf } from "../workspace/tokenOf.ts";
import { type FoundServer, inputSecret } from "./definedServers.ts";
import { type AskAgreement, addMcpAgreement, mcpAgreements } from "./mcpAgreements.ts";

/** What the editor keeps for the extension. */
export interface McpMemory {
  readonly workspaceState: Memory;
  readonly secrets: Pick<vscode.SecretStorage, "get" | "store">;
}

/** Asks whether servers of the workspace may start, and for their inputs. */
export class ServerConsent {
  private readonly memory: McpMemory;
  private readonly agree: AskAgreement;
  /** What the user refused in this window, by key. */
  private readonly refused = new Set<string>();

  constructor(memory: McpMemory, agree: AskAgreement) {
    this.memory = memory;
    this.agree = agree;
  }

  /**
   * Asks in one list about the servers of the workspace that are new, once in this window. The keys
   * of those that may start.
   */
  async askAbout(found: readonly FoundServer[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const offered = found.flatMap((each) => {
      const { key, name, entry, place } = each;
      if (place === null || this.isAgreed(each) || this.refused.has(key)) return [];
      const definition = declarationText(entry);
      return [{ key, name, path: place, remote: "url" in entry, definition }];
    });
    const started = offered.length === 0 ? null : await this.agree(offered, signal);
    for (const { key } of started ? offered : []) if (!started?.has(key)) this.refused.add(key);
    return started ?? new Set();
  }

  /**
   * True for a server that the user agreed to, now (`started`) or earlier. Asks for its missing
   * inputs first.
   */
  async mayStart(
    found: FoundServer,
    started: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { name, entry, file, key, place } = found;
    const { secrets, workspaceState } = this.memory;
    if (place === null) return true;
    if (this.refused.has(key) || (!started.has(key) && !this.isAgreed(found))) return false;
    const inputs = (file?.config.inputs ?? []).flatMap((input) =>
      file && variablesOf(entry).includes(`input:${input.id}`)
        ? { ...input, secret: inputSecret(file.uri, input.id) }
        : [],
    );
    for (const { secret, ...input } of inputs) {
      if ((await secrets.get(secret)) !== undefined) continue;
      const value = await askInput(name, input, signal);
      if (signal.aborted) return false;
      if (value === undefined) {
        this.refused.add(key);
        return false;
      }
      await secrets.store(secret, value);
    }
    const agreement = { key, name, secrets: inputs.map(({ secret }) => secret) };
    if (!this.isAgreed(found)) await addMcpAgreement(workspaceState, agreement);
    return true;
  }

  private isAgreed({ key }: FoundServer): boolean {
    return mcpAgreements(this.memory.workspaceState).some((each) => each.key === key);
  }
}

/** Asks for the value of an input; undefined when the user gives none, or `signal` aborts. */
async function askInput(
  server: string,
  { id, type, description, options = [], password, ...input }: McpInput,
  signal: AbortSignal,
): Promise<string | undefined> {
  const common = {
    title: t("MCP server {server}: {input}", {
      server: visibleLine(server),
      input: visibleLine(description ?? id),
    }),
    ignoreFocusOut: true,
  };
  if (type === "pickString") {
    const items = options.map((option) => ({ label: visibleLine(option), option }));
    return (await vscode.window.showQuickPick(items, common, tokenOf(signal)))?.option;
  }
  const prompt = t("Stored in VS Code's secret storage, for this workspace's mcp.json only.");
  const given = {
    ...common,
    prompt,
    password: password ?? false,
    ...(input.default !== undefined && { value: input.default }),
  };
  return vscode.window.showInputBox(given, tokenOf(signal));
}

/** All of a definition, a line for each of its fields. */
function declarationText(entry: McpServerEntry): string {
  return Object.entries(entry)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join("\n");
}

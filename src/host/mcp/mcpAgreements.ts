import * as z from "zod/mini";
import type { Memory } from "../../ports/memory.ts";
import type { McpOffer } from "../../protocol/messages.ts";

const agreementSchema = z.object({
  /** Hash of the file, the name and the definition. */
  key: z.string(),
  name: z.string(),
  /** The names of the secrets that hold its inputs. */
  secrets: z.array(z.string()),
});

const storedSchema = z.catch(z.array(z.unknown()), []);

/** The user's consent to start an MCP server that the workspace defines. */
type McpAgreement = z.infer<typeof agreementSchema>;

/** Asks the user which servers may start: their keys, or null when `signal` aborts first. */
export type AskAgreement = (
  offers: readonly McpOffer[],
  signal: AbortSignal,
) => Promise<ReadonlySet<string> | null>;

const KEY = "graft.mcpServers";

/** The agreements of this workspace, without damaged entries. */
export function mcpAgreements(memory: Memory): readonly McpAgreement[] {
  return storedSchema
    .parse(memory.get(KEY))
    .flatMap((entry) => agreementSchema.safeParse(entry).data ?? []);
}

/** Stores an agreement. */
export async function addMcpAgreement(memory: Memory, agreement: McpAgreement): Promise<void> {
  const others = mcpAgreements(memory).filter(({ key }) => key !== agreement.key);
  await memory.update(KEY, [...others, agreement]);
}

/** Revokes an agreement. */
export async function removeMcpAgreement(memory: Memory, { key }: McpAgreement): Promise<void> {
  await memory.update(
    KEY,
    mcpAgreements(memory).filter((each) => each.key !== key),
  );
}

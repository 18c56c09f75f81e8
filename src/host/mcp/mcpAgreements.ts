import * as z from "zod/mini";

const agreementSchema = z.object({
  /** Stands for the whole definition and its place. */
  key: z.string(),
  name: z.string(),
  /** The secrets in which what the user entered for it is kept. */
  secrets: z.array(z.string()),
});

/** A definition of an MCP server in the workspace that the user agreed to. */
export type McpAgreement = z.infer<typeof agreementSchema>;

/** Where a workspace's agreements are kept; the editor's Memento fits. */
export interface AgreementMemory {
  get(key: string): unknown;
  update(key: string, value: readonly McpAgreement[]): PromiseLike<void>;
}

const KEY = "graft.mcpServers";

/** The agreements of this workspace; a damaged one counts as none. */
export function mcpAgreements(memory: AgreementMemory): readonly McpAgreement[] {
  const value = memory.get(KEY);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.flatMap((entry) => {
    const parsed = z.safeParse(agreementSchema, entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Remembers an agreement. */
export async function addMcpAgreement(memory: AgreementMemory, agreement: McpAgreement): Promise<void> {
  await memory.update(KEY, [...mcpAgreements(memory).filter(({ key }) => key !== agreement.key), agreement]);
}

/** Takes an agreement back. */
export async function removeMcpAgreement(memory: AgreementMemory, { key }: McpAgreement): Promise<void> {
  await memory.update(
    KEY,
    mcpAgreements(memory).filter((each) => each.key !== key),
  );
}

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";
import { guestResultSchema } from "../../../src/ports/guest.ts";

const answerSchema = z.object({
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
  isError: z.boolean(),
  _meta: z.object({ "graft/result": z.omit(guestResultSchema, { text: true, isError: true }) }),
});

/** What a call gave: the words for the model, and the facts. */
export type GuestAnswer = z.infer<typeof guestResultSchema>;

/** Another agent, as far as MCP sees it. */
export interface GuestClient {
  readonly client: Client;
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<GuestAnswer>;
  /** Reads a file, and does so again where a busy window took too long, as an agent does. */
  read(file: string): Promise<GuestAnswer>;
  /** Settles when the server's process has ended, or the connection has. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Connects the SDK's client over any transport. */
export async function connectGuest(
  transport: Transport,
  name = "other-agent",
): Promise<GuestClient> {
  const client = new Client({ name, version: "1" });
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  await client.connect(transport);
  const call: GuestClient["call"] = async (tool, args) => {
    const raw = await client.request(
      { method: "tools/call", params: { name: tool, arguments: args } },
      ResultSchema,
    );
    const { content, isError, _meta } = answerSchema.parse(raw);
    return { ...{ text: content[0]?.text ?? "", isError }, ..._meta["graft/result"] };
  };
  return {
    client,
    closed,
    close: () => client.close(),
    call,
    async read(file) {
      let answer = await call("read_file", { file_path: file });
      while (answer.error === "timeout") answer = await call("read_file", { file_path: file });
      return answer;
    },
  };
}

/** Starts `graft mcp` as an agent does. */
export function startGuest(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  name?: string,
): Promise<GuestClient & { readonly pid: number }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", ...args],
    env: { PATH: process.env.PATH ?? "", ...env },
    stderr: "pipe",
  });
  return connectGuest(transport, name).then((guest) => ({ ...guest, pid: transport.pid ?? 0 }));
}

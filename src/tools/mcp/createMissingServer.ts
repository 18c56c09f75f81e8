import * as z from "zod/mini";
import { defineTool, type Tool } from "../tool.ts";

/** Stands for a server that does not run, so that the model knows of it; `why` is a sentence. */
export function createMissingServer(name: string, why: string): Tool {
  return defineTool({
    name,
    description: `${why} Its tools are not there. Do not call this; where the user wants this server, tell him so.`,
    category: "mcp",
    effect: "read",
    schema: z.object({}),
    execute: async () => ({ ok: false, error: { category: "permission", message: why, recovery: "Go on without it, and tell the user." } }),
  });
}

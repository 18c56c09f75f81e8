import { readFileSync, realpathSync } from "node:fs";
import * as path from "node:path";
import * as z from "zod/mini";
import { createNodeGrammarSource } from "../node/nodeGrammarSource.ts";
import { proxyFetch } from "../node/web/proxyFetch.ts";
import { complain } from "./commandIo.ts";
import { runCommandLine } from "./runCommandLine.ts";

/**
 * Runs the command line and exits the process. The first Ctrl-C or SIGTERM stops the turn, the
 * second kills the process.
 */
export async function runProcess(): Promise<void> {
  const folder = path.dirname(realpathSync(process.argv[1] ?? "."));
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => interrupted.abort(signal));
  // Prevents a stack trace when the pipe closes.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  // As VS Code does for the extension.
  globalThis.fetch = proxyFetch(globalThis.fetch, process.env);
  const io = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    grammars: createNodeGrammarSource(path.join(folder, "grammars")),
    apiKey: process.env.OPENAI_API_KEY || null,
    mcpToken: process.env.GRAFT_MCP_TOKEN || null,
    version: readVersion(path.join(folder, "..", "package.json")),
    interrupted: interrupted.signal,
  };
  try {
    const status = await runCommandLine(process.argv.slice(2), io);
    process.exit(status === 130 && interrupted.signal.reason === "SIGTERM" ? 143 : status);
  } catch (error) {
    await complain(
      io,
      `Graft crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    process.exit(1);
  }
}

const manifestSchema = z.object({ version: z.string() });

function readVersion(manifest: string): string {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(manifest, "utf8"))).version;
  } catch {
    return "unknown";
  }
}

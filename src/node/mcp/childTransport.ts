import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { descendants, sendSignal } from "../processes/endProcesses.ts";

/** The most that is kept of a server's error output, in UTF-16 units. */
const MAX_COMPLAINT = 500;

/** What to start. */
interface ChildServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A transport to a server, and the last line of its error output. */
export interface ServerTransport {
  readonly transport: Transport;
  complaint(): string;
}

/** A transport that starts a server's process, and ends it with its descendants on close. */
export function childTransport({ command, args, env, cwd }: ChildServer): ServerTransport {
  const transport = new ChildTransport({ command, args: [...args], env: { ...env }, cwd, stderr: "pipe" });
  let written = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    written = (written + chunk.toString("utf8")).slice(-MAX_COMPLAINT);
  });
  return { transport, complaint: () => written.trim().split("\n").at(-1) ?? "" };
}

/** Unlike the SDK's transport, it also ends what the server started, and waits for the server's end. */
class ChildTransport extends StdioClientTransport {
  override async close(): Promise<void> {
    if (this.pid === null) return super.close();
    const closed = new Promise<void>((resolve) => {
      const heard = this.onclose;
      this.onclose = () => {
        heard?.();
        resolve();
      };
    });
    // A process can be found only while its parents live.
    const started = await descendants(this.pid);
    await super.close();
    for (const pid of started) sendSignal(pid, "SIGKILL");
    await closed;
  }
}

import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { deserializeMessage, ReadBuffer } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { lastPart } from "../../base/text/clip.ts";
import { LineBuffer } from "../../base/text/lineBuffer.ts";
import { descendants, sendSignal } from "../processes/endProcesses.ts";
import { readableJson } from "./readableMessage.ts";

/** The most of a server's stderr that is kept, in UTF-16 units. */
const MAX_COMPLAINT = 500;
/** Milliseconds between two looks at whether a process has ended. */
const LOOK_MS = 20;

interface ChildServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A transport to a server, with the last line of its stderr. */
export interface ServerTransport {
  readonly transport: Transport;
  complaint(): string;
}

/** A transport that starts a server process, and ends it with its descendants on close. */
export function childTransport({ command, args, env, cwd }: ChildServer): ServerTransport {
  const transport = new ChildTransport({
    command,
    args: [...args],
    env: { ...env },
    cwd,
    stderr: "pipe",
  });
  let written = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    written = lastPart(written + chunk.toString("utf8"), MAX_COMPLAINT);
  });
  return { transport, complaint: () => written.trim().split("\n").at(-1) ?? "" };
}

/** The SDK's reader of lines, which here takes answers as servers write them. */
class ReadableLines extends ReadBuffer {
  private readonly lines = new LineBuffer();
  private readonly decoder = new TextDecoder();
  private readonly waiting: string[] = [];

  override append(chunk: Buffer): void {
    this.waiting.push(...this.lines.push(this.decoder.decode(chunk, { stream: true })));
  }

  override readMessage(): ReturnType<ReadBuffer["readMessage"]> {
    const line = this.waiting.shift();
    return line === undefined ? null : deserializeMessage(readableJson(line.replace(/\r$/, "")));
  }

  override clear(): void {
    this.lines.flush();
    this.waiting.length = 0;
  }
}

/** Unlike the SDK's transport, also ends the server's descendants, and waits until it has ended. */
class ChildTransport extends StdioClientTransport {
  constructor(...given: ConstructorParameters<typeof StdioClientTransport>) {
    super(...given);
    Reflect.set(this, "_readBuffer", new ReadableLines());
  }

  override async close(): Promise<void> {
    const { pid } = this;
    if (pid === null) return super.close();
    let isTold = false;
    const closed = new Promise<void>((resolve) => {
      const onClosed = this.onclose;
      this.onclose = () => {
        if (!isTold) onClosed?.();
        isTold = true;
        resolve();
      };
    });
    // Descendants can be found only while their parents live.
    const started = await descendants(pid);
    await super.close();
    for (const each of started) sendSignal(each, "SIGKILL");
    await Promise.race([closed, processEnded(pid)]);
    // One that it started meanwhile may keep its pipes open, and the transport would wait for that.
    this.onclose?.();
  }
}

/** Settles once the process has ended. */
async function processEnded(pid: number): Promise<void> {
  while (sendSignal(pid, 0)) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

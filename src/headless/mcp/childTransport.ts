import { type ChildProcess, spawn } from "node:child_process";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { descendants, signal, signalGroup } from "../endProcesses.ts";

/** How long a server may take to end when its input ends, and then when it is asked to, in milliseconds. */
const GRACE_MS = 1_000;
/** How long its outputs may stay open after its end, in milliseconds. */
const CLOSE_GRACE_MS = 250;
/** How many lines in a row that are no messages a server may write. */
const MAX_STRAY_LINES = 10_000;
/** How much of what a server complains about is kept, in UTF-16 units. */
const COMPLAINT = 500;

/** What to start. */
export interface ChildServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A transport to a server's process, with the end of what it wrote to its error output. */
export interface ServerTransport {
  readonly transport: Transport;
  complaint(): string;
}

/** Starts a server's process when the transport is started, and ends it with all that it started when it is closed. */
export function childTransport(server: ChildServer): ServerTransport {
  let written = "";
  const complain = (text: string) => {
    written = (written + text).slice(-COMPLAINT);
  };
  const complaint = () => written.trim().split("\n").at(-1) ?? "";
  if (process.platform === "win32") {
    // Here a command may be a script, which only the SDK's way of starting it finds.
    const transport = new StdioClientTransport({ ...server, args: [...server.args], env: { ...server.env }, stderr: "pipe" });
    transport.stderr?.on("data", (chunk: Buffer) => complain(chunk.toString("utf8")));
    return { transport, complaint };
  }
  return { transport: new ChildTransport(server, complain), complaint };
}

/** The SDK's own transport leaves behind what the server started. */
class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly server: ChildServer;
  private readonly complain: (text: string) => void;
  private readonly buffer = new ReadBuffer();
  private strayLines = 0;
  private child: ChildProcess | null = null;
  private over: Promise<void> = Promise.resolve();

  constructor(server: ChildServer, complain: (text: string) => void) {
    this.server = server;
    this.complain = complain;
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.server;
    const child = spawn(command, [...args], { env: { ...env }, cwd, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    this.child = child;
    const endAll = () => signalGroup(child, "SIGKILL");
    process.once("exit", endAll);
    this.over = new Promise((resolve) => {
      const ended = () => {
        process.removeListener("exit", endAll);
        resolve();
        this.onclose?.();
      };
      child.once("error", ended);
      child.once("exit", () => {
        // What it left behind may hold the outputs open.
        endAll();
        const timer = setTimeout(() => {
          child.stdout.destroy();
          child.stderr.destroy();
        }, CLOSE_GRACE_MS);
        child.once("close", () => {
          clearTimeout(timer);
          ended();
        });
      });
    });
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.stderr.setEncoding("utf8").on("data", this.complain);
    child.stdout.on("data", (chunk: Buffer) => this.receive(chunk));
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const input = this.child?.stdin;
    if (!input?.writable) return Promise.reject(new Error("The server's process is over."));
    return new Promise((resolve, reject) => input.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())));
  }

  async close(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    // A browser, say, that a server started in a group of its own; looked for while its parents live.
    const started = await descendants(child.pid);
    child.stdin?.end();
    const terminate = setTimeout(() => signalGroup(child, "SIGTERM"), GRACE_MS);
    const kill = setTimeout(() => signalGroup(child, "SIGKILL"), 2 * GRACE_MS);
    await this.over;
    clearTimeout(terminate);
    clearTimeout(kill);
    for (const pid of started) signal(pid, "SIGKILL");
  }

  private receive(chunk: Buffer): void {
    try {
      this.buffer.append(chunk);
    } catch (error) {
      this.onerror?.(asError(error));
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.buffer.readMessage();
        if (message === null) return;
        this.strayLines = 0;
        this.onmessage?.(message);
      } catch (error) {
        // A line that is no message, such as a greeting.
        this.onerror?.(asError(error));
        this.strayLines += 1;
        if (this.strayLines > MAX_STRAY_LINES) {
          this.child?.stdout?.destroy();
          void this.close();
          return;
        }
      }
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

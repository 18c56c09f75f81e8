import { type ChildProcess, spawn } from "node:child_process";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { descendants, signal, signalGroup } from "../endProcesses.ts";

/** How long a server may take to end after its input ends, and again after SIGTERM, in milliseconds. */
const GRACE_MS = 1_000;
/** How long its outputs may stay open after its end, in milliseconds. */
const CLOSE_GRACE_MS = 250;
/** The most lines in a row that are not messages. */
const MAX_STRAY_LINES = 10_000;
/** The most that is kept of its error output, in UTF-16 units. */
const COMPLAINT = 500;

/** What to start. */
export interface ChildServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A transport to a server's process, and the last line of its error output. */
export interface ServerTransport {
  readonly transport: Transport;
  complaint(): string;
}

/** A transport that starts a server's process, and ends it with all its descendants on close. */
export function childTransport(server: ChildServer): ServerTransport {
  let written = "";
  const complain = (text: string) => {
    written = (written + text).slice(-COMPLAINT);
  };
  const complaint = () => written.trim().split("\n").at(-1) ?? "";
  if (process.platform === "win32") {
    // On Windows a command may be a script, which only the SDK's own transport can start.
    const transport = new StdioClientTransport({ ...server, args: [...server.args], env: { ...server.env }, stderr: "pipe" });
    transport.stderr?.on("data", (chunk: Buffer) => complain(chunk.toString("utf8")));
    return { transport, complaint };
  }
  return { transport: new ChildTransport(server, complain), complaint };
}

/** Unlike the SDK's own transport, it ends the server's descendants too. */
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
        // A child that it left behind may keep the outputs open.
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
    if (!input?.writable) return Promise.reject(new Error("The server's process has ended."));
    return new Promise((resolve, reject) => input.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())));
  }

  async close(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    // Such as a browser in its own group, which can be found only while its parents live.
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
        // A line that is not a message, such as a greeting.
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

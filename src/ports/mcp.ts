import type { Result } from "../base/result.ts";

/** How an MCP server is reached, with nothing left to fill in. */
export type McpTransport =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** Added to the environment; null takes a variable away. */
      readonly env: Readonly<Record<string, string | null>>;
      /** An absolute path, or null for the workspace. */
      readonly cwd: string | null;
    }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** An MCP server that may be started. */
export interface McpServer {
  /** Unique among the servers. */
  readonly name: string;
  readonly transport: McpTransport;
}

/** Why a call has no result: the server refused it, or it cannot be reached any more. `message` is a sentence. */
export interface McpFailure {
  readonly kind: "refused" | "broken";
  readonly message: string;
}

/** A connection to a server that has introduced itself. */
export interface McpConnection {
  /** The tools as the server describes them, unchecked. */
  listTools(signal: AbortSignal): Promise<Result<readonly unknown[], McpFailure>>;
  /** The tool's result as the server gives it, unchecked. When `signal` aborts, the server is told so. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    onProgress: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Result<unknown, McpFailure>>;
  /** True when the server answers before `signal` aborts. */
  ping(signal: AbortSignal): Promise<boolean>;
  /** Settles when the connection is over, whoever ended it, with a sentence. */
  readonly closed: Promise<string>;
  /** Ends the connection, and the server's processes with it. Harmless afterwards. */
  close(): Promise<void>;
}

/** Starts or reaches a server; `onToolsChanged` is called when it says that it has other tools now. The error is a sentence. */
export type ConnectMcp = (server: McpServer, onToolsChanged: () => void, signal: AbortSignal) => Promise<Result<McpConnection, string>>;

/** What MCP servers find on the machine they run on. */
export interface McpMachine {
  /** `folder` is where a server's process runs that names no other. */
  connect(folder: string): ConnectMcp;
  /** The value of `env:NAME` or `userHome`, null where there is none. Graft's own key is not among them. */
  variable(name: string): string | null;
}

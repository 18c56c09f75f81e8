import type { Result } from "../base/result.ts";

/** How to reach an MCP server, with all variables resolved. */
export type McpTransport =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** Merged into the environment. Null removes a variable. */
      readonly env: Readonly<Record<string, string | null>>;
      /**
       * Absolute in a prepared server. Before that, it may be relative to the workspace. Null is
       * the workspace itself.
       */
      readonly cwd: string | null;
      /** An env file that has not been read yet. Absent in a prepared server. */
      readonly envFile?: string;
    }
  | {
      readonly type: "http" | "sse";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** An MCP server that may be started. */
export interface McpServer {
  /** Unique among the servers. */
  readonly name: string;
  readonly transport: McpTransport;
  /** Values that must never be shown, such as header values. */
  readonly secrets: readonly string[];
  /** A hash of the server's definition. Permissions refer to it, not to the server's name. */
  readonly definition: string;
  /** Whether the server comes from the user's own settings, or from a file that they named. */
  readonly own: boolean;
  /** Hashes of the files that it runs, by absolute path. It starts only while they match. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * A folder that a server is told about:
 * https://modelcontextprotocol.io/specification/2025-11-25/client/roots
 */
export interface McpRoot {
  /** A `file:` URI. */
  readonly uri: string;
  readonly name: string;
}

/** Callbacks for a connected server. */
export interface McpCallbacks {
  toolsChanged(): void;
  roots(): readonly McpRoot[];
}

/**
 * Why an MCP server or its definition cannot be used. `detail` is the message of the system or the
 * server. `wrote` is the output of its process.
 */
export type McpProblem =
  | {
      readonly code: "invalid-json";
      readonly place: string;
      readonly line: number;
      readonly detail: string;
    }
  | { readonly code: "invalid-file"; readonly place: string; readonly detail: string }
  | {
      readonly code: "invalid-server";
      readonly place: string;
      readonly name: string;
      readonly detail: string;
    }
  | { readonly code: "no-values"; readonly name: string; readonly variables: readonly string[] }
  | {
      readonly code: "no-env-file";
      readonly name: string;
      readonly file: string;
      readonly detail: string;
    }
  | { readonly code: "unauthorized"; readonly name: string; readonly status: number }
  | {
      readonly code: "not-started";
      readonly name: string;
      readonly detail: string;
      readonly wrote: string;
    }
  /** Files that it runs have changed since the user agreed to start it. */
  | { readonly code: "scripts-changed"; readonly name: string; readonly files: readonly string[] }
  | {
      readonly code: "start-timeout" | "no-http-address" | "unencrypted-key" | "name-taken";
      readonly name: string;
    }
  /** The model sees only some of the tools. */
  | { readonly code: "too-many-tools"; readonly total: number; readonly shown: number };

/**
 * Why a call has no result: the server refused it or is unreachable. `detail` is its message,
 * `wrote` the end of its stderr. Both may be "".
 */
export interface McpFailure {
  readonly code: "refused" | "broken";
  readonly detail: string;
  readonly wrote: string;
}

/** A connection to an initialized server. */
export interface McpConnection {
  /** The server's tool list, not validated. */
  listTools(signal: AbortSignal): Promise<Result<readonly unknown[], McpFailure>>;
  /**
   * Calls a tool and returns its result, not validated. When `signal` aborts, the server is
   * notified.
   */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    onProgress: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Result<unknown, McpFailure>>;
  /** Settles when the connection is closed, whoever closed it. */
  readonly closed: Promise<void>;
  /** Closes the connection and ends the server's processes. Calling it again is harmless. */
  close(): Promise<void>;
}

/** Starts a server or connects to it. */
export type ConnectMcp = (
  server: McpServer,
  callbacks: McpCallbacks,
  signal: AbortSignal,
) => Promise<Result<McpConnection, McpProblem>>;

/** Operations on the machine where MCP servers run. */
export interface McpMachine {
  readonly connect: ConnectMcp;
  /**
   * Prepares a server for starting in `folder`, an absolute path or null. Makes its paths absolute,
   * reads its `envFile` and hashes its files.
   */
  prepare(server: McpServer, folder: string | null): Promise<Result<McpServer, McpProblem>>;
  /** Hashes of the files that a server would run in `folder`, by absolute path. */
  scripts(server: McpServer, folder: string | null): Promise<Readonly<Record<string, string>>>;
  /** The value of `env:NAME` or `userHome`, or null. Graft's own key is hidden. */
  variable(name: string): string | null;
}

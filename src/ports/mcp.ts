import type { Result } from "../base/result.ts";

/** How an MCP server is reached, with nothing left to fill in. */
export type McpTransport =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** Added to the environment; null takes a variable away. */
      readonly env: Readonly<Record<string, string | null>>;
      /** Absolute in a server that may be started; before that also relative to the workspace, null for the workspace itself. */
      readonly cwd: string | null;
      /** A file with more for the environment, which is not read yet; absent where there is none, and in a server that may be started. */
      readonly envFile?: string;
    }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** An MCP server that may be started. */
export interface McpServer {
  /** Unique among the servers. */
  readonly name: string;
  readonly transport: McpTransport;
  /** What is to be seen nowhere, such as the values of headers. */
  readonly secrets: readonly string[];
  /** What identifies its definition: a permission holds for this one, whatever the server is called. */
  readonly definition: string;
  /** True for one of the user's own settings, or of a file that the user named. */
  readonly own: boolean;
  /** A hash of each file that it runs, by its absolute path: it starts only while these are the same. */
  readonly files: Readonly<Record<string, string>>;
}

/** A folder that a server is told of: https://modelcontextprotocol.io/specification/2025-11-25/client/roots */
export interface McpRoot {
  /** A `file:` URI. */
  readonly uri: string;
  readonly name: string;
}

/** What a server may want from Graft while it is connected. */
export interface McpCallbacks {
  /** The server has other tools now. */
  toolsChanged(): void;
  roots(): readonly McpRoot[];
}

/** Why an MCP server, or a definition of one, cannot be used. A `detail` is what the system or the server said, `wrote` what its process did. */
export type McpProblem =
  | { readonly code: "invalid-json"; readonly place: string; readonly line: number; readonly detail: string }
  | { readonly code: "invalid-file"; readonly place: string; readonly detail: string }
  | { readonly code: "invalid-server"; readonly place: string; readonly name: string; readonly detail: string }
  | { readonly code: "no-values"; readonly name: string; readonly variables: readonly string[] }
  | { readonly code: "no-env-file"; readonly name: string; readonly file: string; readonly detail: string }
  | { readonly code: "unauthorized"; readonly name: string; readonly status: number }
  | { readonly code: "not-started"; readonly name: string; readonly detail: string; readonly wrote: string }
  /** Files that it runs changed since the user agreed to start it. */
  | { readonly code: "scripts-changed"; readonly name: string; readonly files: readonly string[] }
  | { readonly code: "start-timeout" | "no-http-address" | "unencrypted-key" | "name-taken"; readonly name: string }
  /** The model sees only some of the tools. */
  | { readonly code: "too-many-tools"; readonly total: number; readonly shown: number };

/** Why a call has no result: the server refused it, or it cannot be reached. `detail` is what it said, `wrote` the end of its error output; both may be "". */
export interface McpFailure {
  readonly code: "refused" | "broken";
  readonly detail: string;
  readonly wrote: string;
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
  /** Settles when the connection is over, whoever ended it. */
  readonly closed: Promise<void>;
  /** Ends the connection, and the server's processes with it. Harmless afterwards. */
  close(): Promise<void>;
}

/** Starts or reaches a server. */
export type ConnectMcp = (server: McpServer, callbacks: McpCallbacks, signal: AbortSignal) => Promise<Result<McpConnection, McpProblem>>;

/** What MCP servers find on the machine they run on. */
export interface McpMachine {
  readonly connect: ConnectMcp;
  /** Makes a server ready to be started in `folder`, an absolute path or null: its paths absolute, its `envFile` read, its files known. */
  prepare(server: McpServer, folder: string | null): Promise<Result<McpServer, McpProblem>>;
  /** A hash of each file that a server would run in `folder`, by its absolute path. */
  scripts(server: McpServer, folder: string | null): Promise<Readonly<Record<string, string>>>;
  /** The value of `env:NAME` or `userHome`, null where there is none. Graft's own key is not among them. */
  variable(name: string): string | null;
}

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
}

/** A folder that a server is told of: https://modelcontextprotocol.io/specification/2025-11-25/client/roots */
export interface McpRoot {
  /** A `file:` URI. */
  readonly uri: string;
  readonly name: string;
}

/** What a server's question came to; `content` holds the values by the names of their fields. */
export type McpElicitation =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, string | number | boolean | readonly string[]>> }
  | { readonly action: "decline" | "cancel" };

/** What a server may want from Graft while it is connected. */
export interface McpCallbacks {
  /** The server has other tools now. */
  toolsChanged(): void;
  roots(): readonly McpRoot[];
  /** Asks the user what the server wants to know, unchecked; null where nobody can be asked. The error is a sentence for the server. */
  readonly elicit: ((request: unknown, signal: AbortSignal) => Promise<Result<McpElicitation, string>>) | null;
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
  /** Tells the server that the roots are others now. Never rejects. */
  rootsChanged(): Promise<void>;
  /** True when the server answers before `signal` aborts. */
  ping(signal: AbortSignal): Promise<boolean>;
  /** Settles when the connection is over, whoever ended it, with a sentence. */
  readonly closed: Promise<string>;
  /** Ends the connection, and the server's processes with it. Harmless afterwards. */
  close(): Promise<void>;
}

/** Starts or reaches a server. The error is a sentence. */
export type ConnectMcp = (server: McpServer, callbacks: McpCallbacks, signal: AbortSignal) => Promise<Result<McpConnection, string>>;

/** What MCP servers find on the machine they run on. */
export interface McpMachine {
  readonly connect: ConnectMcp;
  /** Makes a server ready to be started in `folder`, an absolute path or null: its paths absolute, its `envFile` read. The error is a sentence. */
  prepare(server: McpServer, folder: string | null): Promise<Result<McpServer, string>>;
  /** The value of `env:NAME` or `userHome`, null where there is none. Graft's own key is not among them. */
  variable(name: string): string | null;
}

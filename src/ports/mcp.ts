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

/** Signs in to servers in the user's browser, and keeps what they gave. */
export interface McpSignIn {
  /** What is kept for the server at an address; null for nothing. */
  load(url: string): Promise<string | null>;
  save(url: string, kept: string): Promise<void>;
  /** The address to which the browser returns. */
  returnUrl(): Promise<string>;
  /**
   * Opens a page in the browser, and gives the parameters with which it returns for this `state`;
   * null where `signal` aborts before.
   */
  open(
    page: string,
    state: string,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | null>;
}

/** Callbacks for a connected server. */
export interface McpCallbacks {
  /** Absent where no user can sign in. */
  readonly signIn?: Pick<McpSignIn, "load" | "save"> | undefined;
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
  /** The user can sign in to it in the browser. */
  | { readonly code: "sign-in-needed"; readonly server: McpServer; readonly name: string }
  /** `detail` is what the server or the system said, or "". */
  | {
      readonly code: "not-signed-in";
      readonly name: string;
      readonly why: "cancelled" | "no-page" | "refused";
      readonly detail: string;
    }
  | {
      readonly code: "not-started";
      readonly name: string;
      readonly detail: string;
      readonly wrote: string;
    }
  /** Files that it runs have changed since the user agreed to start it. */
  /** `still-starting`: it takes longer than a turn waits, and a later turn has its tools. */
  | {
      readonly code:
        | "still-starting"
        | "start-timeout"
        | "no-http-address"
        | "unencrypted-key"
        | "name-taken";
      readonly name: string;
    }
  /** Tools of the server that cannot be used as it describes them, by name. */
  | {
      readonly code: "tools-left-out";
      readonly name: string;
      readonly tools: readonly string[];
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
  /** The server's prompts and one of them, not validated; absent where it has none. */
  readonly prompts?: {
    list(signal: AbortSignal): Promise<Result<readonly unknown[], McpFailure>>;
    get(
      name: string,
      args: Readonly<Record<string, string>>,
      signal: AbortSignal,
    ): Promise<Result<unknown, McpFailure>>;
  };
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
   * Prepares a server for starting in `folder`, an absolute path; null for the user's home. Makes
   * its paths absolute and reads its `envFile`.
   */
  prepare(server: McpServer, folder: string | null): Promise<Result<McpServer, McpProblem>>;
  /** Signs in to a server in the browser, until the user cancels. */
  signIn(
    server: McpServer,
    signIn: McpSignIn,
    signal: AbortSignal,
  ): Promise<Result<null, McpProblem>>;
  /** The value of `env:NAME` or `userHome`, or null. Graft's own key is hidden. */
  variable(name: string): string | null;
}

import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { err, ok, type Result } from "../../base/result.ts";
import { firstPart } from "../../base/text/clip.ts";
import { thrownText } from "../../base/text/sentence.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { McpProblem, McpServer, McpSignIn } from "../../ports/mcp.ts";
import { browserAttempt, canSignIn, signInProvider } from "./serverSignIn.ts";

/** The most of an error message that is kept, in UTF-16 units. */
const MAX_DETAIL = 500;

/**
 * Signs in to a server by OAuth with PKCE: it says where, the user does so in the browser, and the
 * code that comes back becomes tokens, which are kept. Connects to nothing for longer.
 */
export async function signInToServer(
  server: McpServer,
  signIn: McpSignIn,
  signal: AbortSignal,
): Promise<Result<null, McpProblem>> {
  const { name, transport: wanted } = server;
  const failed = (why: "cancelled" | "no-page" | "refused", detail = "") =>
    err({ code: "not-signed-in" as const, name, why, detail: firstPart(detail, MAX_DETAIL) });
  if (wanted.type === "stdio" || !canSignIn(server)) return err({ code: "unencrypted-key", name });
  try {
    const attempt = browserAttempt(await signIn.returnUrl());
    const authProvider = await signInProvider(wanted.url, signIn, attempt);
    const transport = new StreamableHTTPClientTransport(new URL(wanted.url), {
      requestInit: { headers: { ...wanted.headers } },
      authProvider,
    });
    const client = new Client({ name: "graft", version: "0.1.0" });
    const connected = await untilAborted(isOpen(client, transport), signal);
    if (!connected.ok) return failed("cancelled");
    if (connected.value) return ok(null);
    const { page, state } = attempt;
    if (page === null || !/^https?:$/.test(new URL(page).protocol)) return failed("no-page");
    const back = await signIn.open(page, state, signal);
    if (back === null) return failed("cancelled");
    const { code, error, error_description: said } = back;
    if (code === undefined) return failed("refused", said ?? error);
    const finished = await untilAborted(transport.finishAuth(code), signal);
    return finished.ok ? ok(null) : failed("cancelled");
  } catch (thrown) {
    return signal.aborted ? failed("cancelled") : failed("refused", thrownText(thrown));
  }
}

/** True where the server answers; false where it wants the user to sign in. */
async function isOpen(client: Client, transport: StreamableHTTPClientTransport): Promise<boolean> {
  try {
    await client.connect(transport);
    await client.close();
    return true;
  } catch (error) {
    if (error instanceof UnauthorizedError) return false;
    throw error;
  }
}

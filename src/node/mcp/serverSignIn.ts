import { randomBytes } from "node:crypto";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import {
  type OAuthClientInformationMixed,
  OAuthClientInformationSchema,
  type OAuthTokens,
  OAuthTokensSchema,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";
import { isLoopback } from "../../model/endpoint.ts";
import type { McpServer, McpSignIn } from "../../ports/mcp.ts";

const keptSchema = z.object({
  client: z.optional(z.unknown()),
  tokens: z.optional(z.unknown()),
  /** Where the browser returned to when the client was registered. */
  returnUrl: z.optional(z.string()),
});

/**
 * Whether a user can sign in to a server: one over HTTP that gets no key by its definition. A token
 * never travels unencrypted to another machine.
 */
export function canSignIn({ transport }: McpServer): boolean {
  if (transport.type === "stdio") return false;
  const { protocol, hostname } = new URL(transport.url);
  const hasKey = Object.keys(transport.headers).some((name) => /^authorization$/i.test(name));
  return !hasKey && (protocol === "https:" || isLoopback(hostname));
}

/** What an attempt in the browser needs; without it only what is kept is used. */
export interface BrowserAttempt {
  readonly returnUrl: string;
  /** Names the attempt: what comes back must have it. */
  readonly state: string;
  /** Set once the server has said where to sign in. */
  page: string | null;
}

/** An attempt that nobody can guess. */
export function browserAttempt(returnUrl: string): BrowserAttempt {
  return { returnUrl, state: randomBytes(24).toString("base64url"), page: null };
}

/**
 * The SDK's view of what is kept for a server: its registration of Graft, and the tokens. Both are
 * bound to the server's own address; the SDK binds them to who issued them.
 */
export async function signInProvider(
  url: string,
  store: Pick<McpSignIn, "load" | "save">,
  attempt: BrowserAttempt | null,
): Promise<OAuthClientProvider> {
  const kept = z.safeParse(keptSchema, parseJson((await store.load(url)) ?? "{}")).data ?? {};
  let verifier = "";
  const save = () => store.save(url, JSON.stringify(kept));
  return {
    redirectUrl: attempt?.returnUrl ?? kept.returnUrl ?? "http://127.0.0.1/",
    clientMetadata: {
      client_name: "Graft",
      redirect_uris: [attempt?.returnUrl ?? kept.returnUrl ?? "http://127.0.0.1/"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: () => attempt?.state ?? "",
    clientInformation(): OAuthClientInformationMixed | undefined {
      // A registration holds for one address of return.
      if (attempt !== null && attempt.returnUrl !== kept.returnUrl) return undefined;
      return OAuthClientInformationSchema.loose().safeParse(kept.client).data;
    },
    async saveClientInformation(client) {
      kept.client = client;
      if (attempt !== null) kept.returnUrl = attempt.returnUrl;
      await save();
    },
    tokens: (): OAuthTokens | undefined => OAuthTokensSchema.safeParse(kept.tokens).data,
    async saveTokens(tokens) {
      kept.tokens = tokens;
      await save();
    },
    redirectToAuthorization(page) {
      if (attempt !== null) attempt.page = page.href;
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    async invalidateCredentials(scope) {
      if (scope === "all" || scope === "client") delete kept.client;
      if (scope === "all" || scope === "tokens") delete kept.tokens;
      await save();
    },
  };
}

/** True where tokens are kept for a server. */
export async function isSignedIn(url: string, store: Pick<McpSignIn, "load">): Promise<boolean> {
  const kept = z.safeParse(keptSchema, parseJson((await store.load(url)) ?? "{}")).data;
  return OAuthTokensSchema.safeParse(kept?.tokens).success;
}

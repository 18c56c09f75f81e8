import { counted } from "../base/counted.ts";
import { sentence } from "../base/sentence.ts";
import type { FailureCode, ModelFailure } from "./modelFailure.ts";

interface Facts extends ModelFailure {
  readonly baseUrl: string;
  readonly model: string;
  /** How long, for a time limit. */
  readonly time: string;
  /** When to try again. */
  readonly later: string;
}

const SENTENCES: Record<FailureCode, (facts: Facts) => string> = {
  "invalid-url": () => "The base URL is not a web address. Use one such as http://localhost:11434/v1 or https://api.openai.com/v1.",
  "url-with-credentials": () =>
    "The base URL contains a user name or password, which cannot be sent. Remove it and set an API key instead.",
  "invalid-key": () => "The API key contains characters that cannot be sent, such as a line break. Set the key again.",
  "no-key": ({ baseUrl }) => `${baseUrl} requires an API key. Set one with "Graft: Set API Key".`,
  "key-rejected": ({ baseUrl }) => `${baseUrl} rejected the API key (401). Check it and set it again with "Graft: Set API Key".`,
  forbidden: ({ baseUrl, model }) => `${baseUrl} denied access to the model "${model}" (403). Check what the API key permits.`,
  "model-not-found": ({ baseUrl, model }) => `${baseUrl} does not have the model "${model}". Choose another in the setting graft.model.`,
  "api-not-found": ({ baseUrl, status }) => `${baseUrl} has no chat completions API (${status}). ${checkUrl(baseUrl)}`,
  "web-page": ({ baseUrl }) => `${baseUrl} returned a web page instead of a response. ${checkUrl(baseUrl)}`,
  redirected: ({ baseUrl, detail }) =>
    `${baseUrl} redirects to ${detail ?? "another server"}, which Graft does not follow. If you trust it, set graft.baseUrl to its address.`,
  "no-credit": ({ baseUrl }) => `The account at ${baseUrl} has no credit for this request (402).`,
  rejected: ({ baseUrl, status }) => `${baseUrl} rejected the request (${status}).`,
  "tools-refused": ({ baseUrl, model }) => `${baseUrl} does not support tools for the model "${model}".`,
  "context-length": ({ baseUrl, status }) =>
    `The request is too large for ${baseUrl} (${status}). Start a new chat, attach less, or set graft.contextWindow to the model's limit.`,
  "rate-limited": ({ baseUrl, later }) => `${baseUrl} is rate-limiting requests (429). Try again ${later}.`,
  "quota-spent": ({ baseUrl }) => `The account at ${baseUrl} has used up its quota (429).`,
  "server-error": ({ baseUrl, status, later }) => `${baseUrl} returned a server error (${status}). Try again ${later}.`,
  "stream-error": ({ baseUrl, begun }) => `${baseUrl} ${begun ? "stopped with" : "returned"} an error. Try again.`,
  "provider-failure": ({ baseUrl, detail }) => `${baseUrl} stopped the response (${detail}). Try again.`,
  unreadable: ({ baseUrl }) => `${baseUrl} sent something other than a chat completion. Try again, or check the setting graft.baseUrl.`,
  empty: ({ baseUrl, model }) => `The model returned an empty response. Try again, or check that ${baseUrl} can run the model "${model}".`,
  overlong: ({ baseUrl }) => `The response from ${baseUrl} exceeded the size limit, so Graft stopped it.`,
  interrupted: ({ baseUrl }) => `The connection to ${baseUrl} was lost during the response.`,
  aborted: () => "The request was stopped.",
  "connect-timeout": ({ baseUrl, time }) => `${baseUrl} did not respond ${time}. ${CHECK_SERVER}`,
  "first-token-timeout": ({ baseUrl, time }) =>
    `${baseUrl} accepted the request but did not begin its response ${time}. A large model may still be loading; try again.`,
  "idle-timeout": ({ baseUrl, time }) => `${baseUrl} stopped sending in the middle of its response and did not resume ${time}.`,
  "connection-refused": ({ baseUrl }) => `Nothing is listening at ${baseUrl}. ${CHECK_SERVER}`,
  "connection-closed": ({ baseUrl }) => `${baseUrl} closed the connection before it responded. Try again.`,
  "unknown-host": ({ baseUrl }) => `The host ${new URL(baseUrl).hostname} was not found. ${CHECK_NETWORK}`,
  "no-route": ({ baseUrl }) => `There is no network route to ${baseUrl}. ${CHECK_NETWORK}`,
  tls: ({ baseUrl, detail }) =>
    `A secure connection to ${baseUrl} failed (${detail}). Its certificate is not trusted, or the server speaks plain http.`,
  unreachable: ({ baseUrl, detail }) =>
    `${baseUrl} could not be reached${detail ? ` (${detail})` : ""}. Check the server and, in a browser, that it allows requests from other sites (CORS).`,
};

const CHECK_SERVER = "Check that the server is running and that the setting graft.baseUrl is right.";
const CHECK_NETWORK = "Check the setting graft.baseUrl and your network connection.";

/** What to tell the user about a failure: what happened, why, what to do, and what the server said. */
export function failureMessage(failure: ModelFailure, endpoint: { readonly baseUrl: string; readonly model: string }): string {
  const { code, limitMs, retryAfterMs, begun, said = "" } = failure;
  const time = limitMs === undefined ? "in time" : `within ${limitMs < 1000 ? `${limitMs} ms` : `${Math.round(limitMs / 1000)} s`}`;
  const later = retryAfterMs === undefined ? "in a moment" : `in ${wait(retryAfterMs / 1000)}`;
  const message = SENTENCES[code]({ ...failure, ...endpoint, time, later });
  const kept = begun ? " The text so far is kept." : "";
  return message + kept + (said === "" ? "" : ` The server says: ${sentence(said)}`);
}

function checkUrl(baseUrl: string): string {
  return `Check the setting graft.baseUrl${/\/v\d/.test(baseUrl) ? "" : "; most base URLs end in /v1"}.`;
}

function wait(seconds: number): string {
  return seconds < 120 ? counted(Math.ceil(seconds), "second") : counted(Math.ceil(seconds / 60), "minute");
}

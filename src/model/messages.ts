import type { Localize } from "../base/localize.ts";
import { sentence } from "../base/text/sentence.ts";
import type { FailureCode, ModelError } from "./modelFailure.ts";

/** What happened, why and what to do, by code; `{placeholders}` are facts of the failure. */
export const FAILURE_SENTENCES: Record<FailureCode | "stream-broken" | "key-missing", string> = {
  "invalid-url":
    'The base URL is not a web address. Run "Graft: Choose Model", or use an address such as http://localhost:11434/v1 or https://api.openai.com/v1.',
  "url-with-credentials":
    'The base URL contains a user name or password, which Graft does not send. Remove it and run "Graft: Set API Key" instead.',
  "invalid-key":
    "The API key contains characters that cannot be sent, such as a line break. Set the key again.",
  "no-key": '{baseUrl} requires an API key. Set one with "Graft: Set API Key".',
  "key-missing":
    '{model} is not available: there is no API key for {baseUrl}. Nothing was sent. Set one with "Graft: Set API Key", or choose another model.',
  "connection-gone":
    '{model} is not available: its connection "{baseUrl}" is no longer in graft.connections. Nothing was sent. Choose another model, or add the connection again.',
  "connection-moved":
    '{model} is not available: its connection "{baseUrl}" now points to {detail}, not to the server you chose. Nothing was sent. Choose the model again if you trust that server.',
  "not-allowed":
    "{model} is not available: only the servers in graft.connections may answer here (graft.connectionsOnly). Nothing was sent. Choose one of their models.",
  "choice-unreadable":
    "The chosen model is not available: this version of Graft cannot read your choice. Nothing was sent. Choose a model again.",
  "no-model-list":
    "{baseUrl} does not list its models ({status}). Enter the name of a model, or check the base URL.",
  "no-model": 'No model is chosen for {baseUrl}. Run "Graft: Choose Model".',
  "no-voice":
    "No connection turns speech into text and back. Set graft.voice.connection to one that does.",
  "unencrypted-key":
    "The API key would travel unencrypted to {baseUrl}. Give its connection an https:// address, or set unencryptedKey for it.",
  "key-rejected":
    '{baseUrl} rejected the API key{inStatus}. Check it and set it again with "Graft: Set API Key".',
  forbidden:
    '{baseUrl} denied access to the model "{model}" (403). Check what the API key permits.',
  "model-not-found": '{baseUrl} does not have the model "{model}". Run "Graft: Choose Model".',
  "api-not-found": "{baseUrl} has no chat completions API ({status}). {checkUrl}",
  "web-page": "{baseUrl} returned a web page instead of a response. {checkUrl}",
  redirected:
    "{baseUrl} redirects to {target}, which Graft does not follow. If you trust it, add a connection with its address.",
  "no-credit": "The account at {baseUrl} has no credit for this request{inStatus}.",
  rejected: "{baseUrl} rejected the request ({status}).",
  "content-filter":
    "The provider's content filter stopped the response. Rephrase the request, or use another model.",
  "tools-refused": '{baseUrl} does not support tools for the model "{model}".',
  "context-length":
    "The request is too large for {baseUrl}. Start a new chat, attach less, or set graft.contextWindow to the model's limit.",
  "rate-limited": "{baseUrl} is rate-limiting requests{inStatus}. {tryAgain}",
  "quota-spent": "The account at {baseUrl} has used up its quota{inStatus}.",
  "server-error": "{baseUrl} returned a server error{inStatus}. {tryAgain}",
  "stream-broken": "{baseUrl} stopped with an error. {tryAgain}",
  "stream-error": "{baseUrl} returned an error. {tryAgain}",
  "provider-failure": "{baseUrl} stopped the response ({detail}). {tryAgain}",
  unreadable:
    "{baseUrl} sent something other than a chat completion. Try again, or check its base URL.",
  "invalid-json":
    "{baseUrl} sent a line that is not JSON, so part of the response is missing. {tryAgain}",
  empty:
    'The model returned an empty response. Try again, or check that {baseUrl} can run the model "{model}".',
  "lost-call":
    '{baseUrl} announced a tool call and sent none. Try again, or check that it can run tools with the model "{model}".',
  overlong: "The response from {baseUrl} exceeded the size limit, so Graft stopped it.",
  overtime: "{baseUrl} did not complete its response {time}.",
  interrupted: "The connection to {baseUrl} was lost during the response.",
  aborted: "The request was stopped.",
  "connect-timeout": "{baseUrl} did not respond {time}. {checkServer}",
  "first-token-timeout":
    "{baseUrl} accepted the request but did not begin its response {time}. A large model may still be loading; try again.",
  "idle-timeout":
    "{baseUrl} stopped sending in the middle of its response and did not resume {time}.",
  "connection-refused": "Nothing is listening at {baseUrl}. {checkServer}",
  "connection-closed": "{baseUrl} closed the connection before it responded. {tryAgain}",
  "unknown-host": "The host of {baseUrl} was not found. {checkNetwork}",
  "no-route": "There is no network route to {baseUrl}. {checkNetwork}",
  tls: "A secure connection to {baseUrl} failed ({detail}). Install its certificate on this machine and leave VS Code's http.systemCertificates on, or use http:// if the server has no TLS.",
  "proxy-refused":
    "The proxy to {baseUrl} failed ({detail}). Check http.proxy and http.noProxy in VS Code's settings, or HTTPS_PROXY in its environment.",
  "proxy-login":
    "The proxy to {baseUrl} wants a user name and password. Add user:password@ before the host in VS Code's setting http.proxy.",
  "browser-refused":
    "The browser could not reach {baseUrl}. Check that it is running and allows requests from this page (CORS): OLLAMA_ORIGINS for Ollama, Enable CORS in LM Studio.",
  unreachable: "{baseUrl} could not be reached ({detail}). {checkServer}",
  "no-transcription":
    "{baseUrl} has no API that turns speech into text ({status}). Choose another connection for voice.",
  "no-speech":
    "{baseUrl} has no API that turns text into speech ({status}). Choose another connection for voice.",
  "no-voice-model":
    '{baseUrl} does not have the voice model "{model}". Check the settings graft.voice.',
  "unreadable-transcript":
    "{baseUrl} sent something other than a transcript. Try again, or check the settings graft.voice.",
  "unreadable-audio":
    "{baseUrl} sent audio that Graft cannot play. It must be mono WAV. Check the settings graft.voice.",
  "lm-not-permitted":
    "VS Code does not let Graft use the models of {baseUrl}. Send the request again and allow access when VS Code asks.",
  "lm-model-gone":
    "{model} is not available: VS Code no longer offers it from {baseUrl}. Enable the extension that provides it, or choose another model.",
  "lm-blocked":
    "{baseUrl} has blocked Graft for now, usually because of too many requests. Try again later, or use another model.",
  "lm-quota-spent":
    "Your quota for {baseUrl} is used up. Wait until it resets, or use another model.",
  "lm-rate-limited": "{baseUrl} is rate-limiting Graft. {tryAgain}",
  "lm-off-topic":
    "{baseUrl} refused the request because it is not about programming. Rephrase it, or use another model.",
};

/**
 * What to tell the user about a failure: what happened, why, what to do unless Graft is `retrying`,
 * and what the server said.
 */
export function failureMessage(
  error: Omit<ModelError, "kind" | "retryable">,
  t: Localize,
  retrying = false,
): string {
  const { model, status = 0, detail = "", begun = false, said = "" } = error;
  const baseUrl = error.baseUrl.replace(/^vscode-lm:/, "");
  const message = t(FAILURE_SENTENCES[sentenceOf(error)], {
    baseUrl,
    model,
    status,
    inStatus: status === 0 ? "" : ` (${status})`,
    detail: detail || t("no reason given"),
    target: detail || t("another server"),
    time:
      error.limitMs === undefined
        ? t("in time")
        : t("within {time}", { time: timeText(error.limitMs, t) }),
    tryAgain: retrying ? "" : tryAgain(error.retryAfterMs, t),
    checkUrl: /\/v\d/.test(baseUrl)
      ? t("Check its base URL.")
      : t("Check its base URL; most end in /v1."),
    checkServer: t(
      "Check that the server is running and that its address is right, or choose another model.",
    ),
    checkNetwork: t("Check its address and your network connection."),
  });
  const kept = begun ? ` ${t("The text so far is kept.")}` : "";
  return (
    message.trimEnd() +
    kept +
    (said === "" ? "" : ` ${t("The server says: {said}", { said: sentence(said) })}`)
  );
}

function sentenceOf({
  code,
  model,
  status,
  begun,
}: Pick<ModelError, "code" | "model" | "status" | "begun">): keyof typeof FAILURE_SENTENCES {
  if (code === "stream-error" && begun) return "stream-broken";
  // Without a status, no server was asked.
  return code === "no-key" && status === undefined && model !== "" ? "key-missing" : code;
}

function tryAgain(retryAfterMs: number | undefined, t: Localize): string {
  return retryAfterMs === undefined
    ? t("Try again.")
    : t("Try again in {time}.", { time: timeText(retryAfterMs, t) });
}

function timeText(ms: number, t: Localize): string {
  if (ms < 1000) return t("{count} ms", { count: ms });
  return ms < 120_000
    ? t("{count} s", { count: Math.ceil(ms / 1000) })
    : t("{count} min", { count: Math.ceil(ms / 60_000) });
}

import { english, type Localize } from "../base/localize.ts";
import { visibleLine } from "../base/text/visibleText.ts";
import { FAILURE_SENTENCES } from "../model/messages.ts";
import type { FailureCode } from "../model/modelFailure.ts";
import type { FileRef } from "../ports/workspace.ts";

/** What to do about a failure, where an editor would have a command or a setting for that. */
const OWN: readonly (readonly [FailureCode, string])[] = [
  [
    "invalid-url",
    "--base-url is not a web address. Use one such as http://localhost:11434/v1 or https://api.openai.com/v1.",
  ],
  [
    "url-with-credentials",
    "--base-url contains a user name or password, which Graft does not send. Remove it and set OPENAI_API_KEY instead.",
  ],
  [
    "invalid-key",
    "OPENAI_API_KEY contains characters that cannot be sent, such as a line break. Set it again.",
  ],
  ["no-key", "{baseUrl} requires an API key. Set OPENAI_API_KEY."],
  ["no-model", "No model is chosen for {baseUrl}. Name one with --model."],
  [
    "unencrypted-key",
    "The API key would travel unencrypted to {baseUrl}. Use an https:// address with --base-url, or unset OPENAI_API_KEY.",
  ],
  ["key-rejected", "{baseUrl} rejected the API key{inStatus}. Check OPENAI_API_KEY."],
  [
    "model-not-found",
    '{baseUrl} does not have the model "{model}". Name another one with --model.',
  ],
  [
    "redirected",
    "{baseUrl} redirects to {target}, which Graft does not follow. If you trust it, give that address with --base-url.",
  ],
  [
    "context-length",
    "The request is too large for {baseUrl}. Ask for less, or name a model with a larger context window with --model.",
  ],
  [
    "tls",
    "A secure connection to {baseUrl} failed ({detail}). Name its certificate in NODE_EXTRA_CA_CERTS, or use http:// if the server has no TLS.",
  ],
  [
    "proxy-refused",
    "The proxy to {baseUrl} failed ({detail}). Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
  ],
  [
    "proxy-login",
    "The proxy to {baseUrl} wants a user name and password. Add user:password@ before the host in HTTPS_PROXY.",
  ],
];

const OTHERS: ReadonlyMap<string, string> = new Map([
  ...OWN.map(([code, own]) => [FAILURE_SENTENCES[code], own] as const),
  [
    "Ask for less, start a new chat, or raise graft.contextWindow if the model takes more.",
    "Ask for less, or name a model with a larger context window with --model.",
  ],
  [
    "Raise graft.contextWindow if the model takes more, or run Graft: Start Edit Mode on File, which needs no tools.",
    "Name a model with a larger context window with --model.",
  ],
  [
    "Graft describes its tools in the text instead. If the model does not use them, run Graft: Start Edit Mode on File.",
    "Graft describes its tools in the text instead.",
  ],
  [
    "Graft offers this model no tools. Attach the files you ask about. To change one, run Graft: Start Edit Mode on File.",
    "Graft offers no tools.",
  ],
  [
    "Give the model a larger context window: for Ollama in graft.contextWindow, for LM Studio when you load the model. Until then Graft sends less.",
    "Give the model a larger context window: for Ollama with --context-window, for LM Studio when you load the model. Until then Graft sends less.",
  ],
  ["The setting graft.edits.format overrides this.", ""],
  [
    "{agent} asks for the model {wanted}, which graft.connections does not name.",
    "{agent} asks for the model {wanted}; the one of --model answers.",
  ],
  [
    "The turn reached its limit of {steps} model steps. Send another message to continue.",
    "The turn reached its limit of {steps} model steps. Raise it with --max-steps.",
  ],
]);

/** English for the command line: what it advises is a flag or a variable, not an editor's command. */
export const commandLineWords: Localize = (message, facts) =>
  english(OTHERS.get(message) ?? message, facts);

/** The warning about a marked file of a patch. */
export function patchCaution({ path, protected: isProtected }: FileRef): string {
  return isProtected
    ? `The patch changes ${visibleLine(path)}. An editor, a hook or a build acts on that file, so read the change before you apply it.`
    : `The patch has text of ${visibleLine(path)}, which may hold keys or passwords.`;
}

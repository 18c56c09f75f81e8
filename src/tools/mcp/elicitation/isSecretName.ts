const SECRET =
  /\b(passwords?|passwd|passphrase|passcode|secret|credentials?|token|api key|apikey|private key|access key|secret key|pin|cvv|card number)\b/i;

/** Whether a field by this name or label asks for a secret; `maxTokens` does not. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " "));
}

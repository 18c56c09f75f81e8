/** A text in which each of `secrets` is hidden; the longest first, since one may be part of another. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return [...secrets].sort((a, b) => b.length - a.length).reduce((shown, secret) => shown.replaceAll(secret, "•••"), text);
}

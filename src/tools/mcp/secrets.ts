/**
 * The length, in UTF-16 units, below which a value counts as no secret, since hiding it would hide
 * much else.
 */
export const SECRET_LENGTH = 8;
/** Names of variables that hold secrets. */
export const SECRET_NAME = /key|token|secret|passw|auth|credential/i;

/** The values in an environment whose names say that they are secret. */
export function secretValues(env: Readonly<Record<string, string | null>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && value !== null && value.length >= SECRET_LENGTH ? [value] : [],
  );
}

/** A text with each of `secrets` hidden, the longest first, since one may contain another. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return [...secrets]
    .sort((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, "•••"), text);
}

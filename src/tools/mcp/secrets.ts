import { isKeyName, isKeyValue } from "../../model/keyNames.ts";

/**
 * The length, in UTF-16 units, below which a value counts as no secret, since hiding it would hide
 * much else.
 */
export const SECRET_LENGTH = 8;

/** The values in an environment that are secret by their names or shapes. */
export function secretValues(env: Readonly<Record<string, string | null>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== null && value.length >= SECRET_LENGTH && (isKeyName(name) || isKeyValue(value))
      ? [value]
      : [],
  );
}

/** A text with each of `secrets` hidden, the longest first, since one may contain another. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return [...secrets]
    .sort((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, "•••"), text);
}

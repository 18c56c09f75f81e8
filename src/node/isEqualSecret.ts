import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets in a time that tells nothing of them. */
export function isEqualSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

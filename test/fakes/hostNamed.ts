import type { HostIdentity } from "../../src/ports/hostIdentity.ts";

/** A host of which nobody knows whether it has ended, but for those in `ended`. */
export function hostNamed(name: string, ended: ReadonlySet<string> = new Set()): HostIdentity {
  return { name, hasEnded: async (other) => ended.has(other) };
}

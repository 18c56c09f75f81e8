import type { Approval } from "../../src/ports/approval.ts";

/** Allows everything at once. */
export const allowAll: Approval = { request: async () => ({ allowed: true, by: "user" }) };

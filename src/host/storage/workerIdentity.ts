import * as vscode from "vscode";
import { newId } from "../../base/ids.ts";
import type { HostIdentity } from "../../ports/hostIdentity.ts";

/** The browser's locks, which end with the worker that has them. */
interface WorkerLocks {
  request(name: string, task: () => Promise<unknown>): Promise<unknown>;
  query(): Promise<{ readonly held?: readonly { readonly name?: string }[] }>;
}

declare const navigator: { readonly locks?: WorkerLocks };
declare const origin: string;

/** Names this web worker by a lock, so that another worker of the browser knows when it ended. */
export async function workerIdentity(): Promise<HostIdentity> {
  const { locks } = navigator;
  // Without locks only the same window's next worker is told from others.
  if (!locks) return { name: vscode.env.sessionId, hasEnded: async () => false };
  const name = `${origin} ${newId("host")}`;
  await new Promise<void>((locked, failed) => {
    const untilItEnds = () => {
      locked();
      return new Promise<never>(() => undefined);
    };
    locks.request(name, untilItEnds).catch(failed);
  });
  return {
    name,
    async hasEnded(other) {
      if (!other.startsWith(`${origin} `)) return false;
      const { held = [] } = await locks.query();
      return held.every((lock) => lock.name !== other);
    },
  };
}

import type { Chat } from "../../agent/chat/chat.ts";
import { demoRequests } from "../../demo/demoRequests.ts";
import type { PanelApp } from "../app.ts";
import { activeFilePath } from "../workspace/editTarget.ts";

/** Milliseconds to look for a file that the demonstration can edit. */
const LOOK_MS = 5_000;

/**
 * Chooses demo mode and shows it at once: asks for comments in a file of the workspace, where the
 * chat is empty and there is such a file. Its diff opens by itself: the file alone, before it, would
 * have its language's extension start first, which takes seconds.
 */
export async function tryDemo({ models, demo }: PanelApp, chat: Chat): Promise<void> {
  const active = activeFilePath();
  const signal = AbortSignal.timeout(LOOK_MS);
  const [requests] = await Promise.all([
    demoRequests(demo, active === null ? [] : [active], signal).catch(() => null),
    models.choose({ source: "demo" }),
  ]);
  if (!requests || chat.busy || chat.tree.turns.size > 0) return;
  await chat.send(requests.document.replaceAll("`", ""));
}

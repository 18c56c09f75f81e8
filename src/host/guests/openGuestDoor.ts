import type { Disposable } from "../../base/disposable.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { GuestHello, GuestWelcome } from "../../protocol/guestMessages.ts";
import { onServedFolders, servedFolders } from "./servedFolders.ts";

/** How a window listens for agents, see `serveGuests` of the Node.js side. */
export type ServeGuests = (door: {
  readonly folder: string;
  welcome(hello: GuestHello): Promise<GuestWelcome>;
  failed(error: unknown): void;
}) => Promise<Disposable>;

/** Listens for agents outside in each of {@link servedFolders}. */
export function openGuestDoor(
  serve: ServeGuests,
  welcome: (hello: GuestHello, folder: string) => Promise<GuestWelcome>,
  failed: (error: unknown) => void,
): Disposable {
  const queue = new SerialQueue();
  let doors: readonly Disposable[] = [];
  let isOver = false;

  async function openDoor(): Promise<void> {
    const folders = isOver ? [] : servedFolders();
    for (const door of doors) door.dispose();
    const opened: Disposable[] = [];
    for (const folder of folders)
      opened.push(await serve({ folder, welcome: (hello) => welcome(hello, folder), failed }));
    doors = opened;
    if (isOver) for (const door of doors) door.dispose();
  }

  const reopen = () => void queue.run(openDoor).catch(failed);
  // Not within the activation, which VS Code waits for.
  const first = setTimeout(reopen, 0);
  const watching = onServedFolders(reopen);
  return {
    dispose() {
      isOver = true;
      clearTimeout(first);
      watching.dispose();
      for (const door of doors) door.dispose();
    },
  };
}

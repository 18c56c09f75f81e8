import * as vscode from "vscode";
import * as z from "zod/mini";
import { twoPlacesText } from "../../agent/guests/messages.ts";
import { openGuest } from "../../agent/guests/openGuest.ts";
import { newId } from "../../base/ids.ts";
import { ok, type Result } from "../../base/result.ts";
import { type GuestResult, type GuestTools, guestName } from "../../ports/guest.ts";
import type { HostIdentity } from "../../ports/hostIdentity.ts";
import type { Memory } from "../../ports/memory.ts";
import { GUEST_CHAT } from "../../ports/outsideChat.ts";
import type { GuestHello, GuestWelcome } from "../../protocol/guestMessages.ts";
import { windowAnswers } from "../chatStorage.ts";
import type { Rooms } from "../chatSurroundings.ts";
import { t } from "../localize.ts";
import { lookAt } from "../workspace/unlessMissing.ts";
import { forgetGuest, guestRecord } from "./guestRecord.ts";
import { guestProposedMessage } from "./messages.ts";
import { windowArguments } from "./windowPaths.ts";

/** Agents of other makers that propose changes in this window. */
export interface Guests {
  /**
   * The tools for an agent that works in `folder` outside; `holds` where proposals are in this
   * window.
   */
  welcome(
    guest: Pick<GuestHello, "guest" | "name" | "process">,
    folder: string,
  ): Promise<GuestWelcome>;
  /** The tools for the agents inside VS Code. */
  readonly inside: Pick<GuestTools, "call">;
}

/** The workspace state's key for {@link Guest}s that decisions may wait for. */
const GUESTS = "graft.guests";
const MAX_KNOWN = 100;

const guestSchema = z.object({ id: z.string(), process: z.string() });
type Guest = z.infer<typeof guestSchema>;

/** Opens the window to guests. What waits for those that have ended is removed. */
export function openGuests(rooms: Rooms): Guests {
  const { host, reviews } = rooms;
  const { adapters, context, run } = host;
  const known = new Map<string, GuestTools>();
  let telling: Promise<unknown> | null = null;

  const remember = (guest: Guest) => putOnRecord(context.workspaceState, guest);

  /** Says once at a time who proposes something, and where. */
  function tell(name: string, { edits }: GuestResult): void {
    const path = edits.find(({ status }) => status === "pending")?.path;
    if (path === undefined || telling) return;
    const review = t("Review");
    telling = Promise.resolve(
      vscode.window.showInformationMessage(guestProposedMessage(t, name, path), review),
    )
      .then((chosen) => (chosen ? reviews.preview.commands.show(path) : undefined))
      .finally(() => {
        telling = null;
      });
    run("Showing the changes of another agent", telling);
  }

  function toolsOf(chatId: string, name: string, folder: string | null): Pick<GuestTools, "call"> {
    const tools = known.get(chatId) ?? openTools(rooms, chatId, name);
    known.set(chatId, tools);
    const reads = new Set(tools.specs.flatMap((spec) => (spec.readOnly ? [spec.name] : [])));
    return {
      async call(tool, given, signal) {
        const args = folder === null ? ok(given) : await placedInWindow(folder, given);
        if (!args.ok) return notDone(twoPlacesText(args.error));
        // A change begins at what is pending, and adds to it.
        if (!reads.has(tool)) await reviews.shared.own();
        const result = await tools.call(tool, args.value, signal);
        tell(name, result);
        return result;
      },
    };
  }

  run("Forgetting agents that have ended", forgetEnded(rooms, adapters.identity));
  const own = newId(GUEST_CHAT);
  void remember({ id: own, process: adapters.identity.name });
  return {
    async welcome({ guest, name, process }, folder) {
      // A host whose window is gone lets nobody in: nobody would review.
      await windowAnswers();
      await remember({ id: guest, process });
      const left = () => void known.delete(guest);
      const tools = toolsOf(guest, guestName(name), folder);
      return { holds: reviews.shared.isOurs, tools, left };
    },
    inside: toolsOf(own, t("An agent in VS Code"), null),
  };
}

/** Of several folders, a path says in which one it is. */
async function placedInWindow(folder: string, args: unknown): Promise<Result<unknown, string>> {
  const names = (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);
  const at = (relative: string) => vscode.Uri.joinPath(vscode.Uri.file(folder), relative);
  const own = {
    at: (relative: string) => at(relative).fsPath,
    has: async (name: string) => (await lookAt(at(name))) !== null,
  };
  return names.length > 1 ? windowArguments(args, own, names) : ok(args);
}

function notDone(text: string): GuestResult {
  return { text, isError: true, error: "validation", edits: [], decided: [] };
}

function openTools(
  { host, files, storage, reviews }: Rooms,
  chatId: string,
  agent: string,
): GuestTools {
  return openGuest({
    ...{ chatId, agent, writes: false, logger: host.logger, reviewer: reviews.preview.proposals },
    ...{ workspace: files.workspace, files: files.files },
    ...{ syntax: files.syntax, services: files.services },
    record: guestRecord(storage.decisions, chatId, host.logger),
  });
}

function guestsOnRecord(memory: Memory): readonly Guest[] {
  return z.safeParse(z.array(guestSchema), memory.get(GUESTS)).data ?? [];
}

function putOnRecord(memory: Memory, guest: Guest): PromiseLike<void> {
  const others = guestsOnRecord(memory).filter(({ id }) => id !== guest.id);
  return memory.update(GUESTS, [...others, guest].slice(-MAX_KNOWN));
}

async function forgetEnded({ host, storage }: Rooms, identity: HostIdentity): Promise<void> {
  await storage.guestJournals.removeOld();
  const { workspaceState } = host.context;
  const ended = new Set<string>();
  for (const { id, process } of guestsOnRecord(workspaceState)) {
    if (process === identity.name || !(await identity.hasEnded(process))) continue;
    await forgetGuest(storage.decisions, id);
    ended.add(id);
  }
  const left = guestsOnRecord(workspaceState).filter(({ id }) => !ended.has(id));
  if (ended.size > 0) await workspaceState.update(GUESTS, left);
}

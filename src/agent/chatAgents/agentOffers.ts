import type { ChatAgent } from "../../tools/command/chatAgent.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { StreamHub } from "../loop/streamHub.ts";

/**
 * Chooses a value of an option that an agent offers, by their ids, and records it; false where the
 * agent refused.
 */
export async function chooseOption(
  agent: ChatAgent,
  { tree, hub }: { readonly tree: TurnTree; readonly hub: StreamHub },
  id: string,
  value: string,
): Promise<boolean> {
  if (!(await agent.choose(id, value))) return false;
  const { offers } = tree;
  // An agent that does not run is told when it does.
  if (offers?.options.some((each) => each.id === id && each.current !== value)) {
    const options = offers.options.map((each) =>
      each.id === id ? { ...each, current: value } : each,
    );
    hub.emit("", { ...offers, options });
  }
  return true;
}

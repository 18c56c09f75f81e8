import type { ChatOptions } from "../../agent/chatOptions.ts";
import type { DemoPorts } from "../../demo/demoSource.ts";
import type { Host } from "../host.ts";
import { connectLanguageModel } from "../languageModels/languageModelClient.ts";
import { onDidChangeLanguageModels } from "../languageModels/languageModels.ts";
import { connectModel } from "../settings/modelConnection.ts";
import { ModelCommands } from "./modelCommands.ts";
import { ModelMemory } from "./modelMemory.ts";

/** Choosing a model, and the connection to the chosen one. */
export interface Models {
  readonly commands: ModelCommands;
  readonly connect: ChatOptions["connect"];
}

/** Calls `changed` after a choice, and when an empty chat offers other models. */
export function openModels(host: Host, demo: DemoPorts, changed: () => void): Models {
  const { configuration, context, environment, stack } = host;
  const memory = stack.add(new ModelMemory(context));
  const connect = async () => {
    // A question typed right after choosing a model must go to that model.
    await commands.settled();
    return connectModel({
      settings: configuration.settings,
      chosen: commands.chosen,
      secrets: context.secrets,
      environment,
      demo,
      learned: context.globalState,
      languageModel: connectLanguageModel,
    });
  };
  const commands: ModelCommands = new ModelCommands(host, memory, connect, changed);
  stack.add(memory.onDidChange(changed));
  stack.add(onDidChangeLanguageModels(() => commands.languageModelsChanged()));
  return { commands, connect };
}

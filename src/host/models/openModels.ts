import type { ChatOptions } from "../../agent/chatOptions.ts";
import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { ok } from "../../base/result.ts";
import type { DemoPorts } from "../../demo/demoSource.ts";
import { namedModel } from "../../model/connections/connection.ts";
import type { Host } from "../host.ts";
import { connectLanguageModel } from "../languageModels/languageModelClient.ts";
import { onDidChangeLanguageModels } from "../languageModels/languageModels.ts";
import type { ChosenModel } from "../settings/modelChoice.ts";
import { connectModel } from "../settings/modelConnection.ts";
import { ModelCommands } from "./modelCommands.ts";
import { ModelMemory } from "./modelMemory.ts";

/** The choice with another model, where the settings name it for its connection. */
function askedModel(chosen: ChosenModel, model: string | undefined): ChosenModel {
  if (chosen.source !== "connection" || model === undefined) return chosen;
  const isNamed = chosen.connection.models?.includes(model) ?? false;
  const { source, connection } = chosen;
  return isNamed ? { source, connection, model: namedModel(model) } : chosen;
}

/** Choosing a model, and the connection to the chosen one. */
export interface Models {
  readonly commands: ModelCommands;
  readonly connect: ChatOptions["connect"];
  /** Connects to a model that the user did not choose for all chats. */
  connectTo(chosen: ChosenModel, model?: string): ReturnType<ChatOptions["connect"]>;
  /** Called after a choice, and when an empty chat offers other models. */
  onChange(listener: () => void): Disposable;
}

/** Opens the choice of a model. */
export function openModels(host: Host, demo: DemoPorts): Models {
  const { configuration, context, environment, stack } = host;
  const memory = stack.add(new ModelMemory(context));
  const changes = new Emitter<void>();
  const changed = () => changes.fire();
  const connect = async (model?: string) => {
    // A question typed right after choosing a model must go to that model.
    await commands.settled();
    return connectTo(commands.chosen, model);
  };
  const connectTo = async (choice: ChosenModel | null, model?: string) => {
    const chosen = choice && askedModel(choice, model);
    if (chosen?.source === "agent") return ok({ agent: chosen.agent });
    return connectModel({
      settings: configuration.settings,
      chosen,
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
  return { commands, connect, connectTo, onChange: changes.on.bind(changes) };
}

import * as vscode from "vscode";
import * as z from "zod/mini";
import type { ChatOptions } from "../../agent/chatOptions.ts";
import { sentence } from "../../base/text/sentence.ts";
import { describedModel, namedModel } from "../../model/connections/connection.ts";
import { failureMessage } from "../../model/messages.ts";
import type { ModelError } from "../../model/modelFailure.ts";
import type { ModelInfo } from "../../model/modelInfo.ts";
import type { AgentProgram } from "../../ports/commands/chatAgent.ts";
import type { ModelOffer } from "../../protocol/messages.ts";
import { failureRemedies } from "../../turns/turnError.ts";
import type { Host } from "../host.ts";
import { listLanguageModels } from "../languageModels/languageModels.ts";
import { vendorName } from "../languageModels/vendorName.ts";
import { t } from "../localize.ts";
import { askKey, clearApiKey, setApiKey, storeKey } from "../settings/apiKeys.ts";
import { openGraftSettings } from "../settings/configuration.ts";
import { allConnections, type ChosenModel, chosenModel } from "../settings/modelChoice.ts";
import { findApiKey } from "../settings/modelConnection.ts";
import type { Settings } from "../settings/settings.ts";
import { diskFolders } from "../terminal/diskFolders.ts";
import {
  askAddress,
  askConnection,
  askKeyOfProvider,
  type NewConnection,
  saveConnection,
} from "./addConnection.ts";
import {
  choiceOf,
  environmentServers,
  findModels,
  fixOf,
  groupOf,
  languageModels,
  localServers,
  type ModelGroup,
  modelsOf,
} from "./findModels.ts";
import { measureChosen } from "./measureChosen.ts";
import { remedyLabel, testedMessage } from "./messages.ts";
import { choiceKey, type ModelMemory } from "./modelMemory.ts";
import { modelOffers } from "./modelOffers.ts";
import { type PickedModel, pickModel } from "./modelPicker.ts";

/** What a keybinding may name. */
const givenSchema = z.union([
  z.object({ source: z.literal("demo") }),
  z.object({ connection: z.string(), model: z.string() }),
  z.object({ vendor: z.string(), model: z.string() }),
]);

async function reportUnsaved(error: unknown): Promise<void> {
  const told = t("Graft could not save the connection: {reason}", { reason: sentence(error) });
  if (await vscode.window.showErrorMessage(told, t("Open connections")))
    await openGraftSettings("graft.connections");
}

/** Chooses models, adds connections and tests them. */
export class ModelCommands {
  private readonly host: Pick<Host, "adapters" | "configuration" | "context" | "environment">;
  private readonly memory: ModelMemory;
  private readonly connect: ChatOptions["connect"];
  private readonly offersChanged: () => void;
  private found: readonly ModelGroup[] | null = null;
  private taking: Promise<void> = Promise.resolve();

  /**
   * `connect` connects to the chosen model. `offersChanged` is called when an empty chat offers
   * others.
   */
  constructor(
    host: Pick<Host, "adapters" | "configuration" | "context" | "environment">,
    memory: ModelMemory,
    connect: ChatOptions["connect"],
    offersChanged: () => void,
  ) {
    this.host = host;
    this.memory = memory;
    this.connect = connect;
    this.offersChanged = offersChanged;
  }

  /** The model that answers; null when nothing is chosen. */
  get chosen(): ChosenModel | null {
    return chosenModel(this.settings, this.memory.choice);
  }

  /** What an empty chat offers; null until it was looked for. */
  get offers(): readonly ModelOffer[] | null {
    return this.found && modelOffers(this.found, vendorName);
  }

  /** Settles when a choice that the user made is in effect. */
  settled(): Promise<void> {
    return this.taking;
  }

  /** Lets the user choose how much the chosen model reasons. */
  async chooseEffort(): Promise<void> {
    const { chooseEffort } = await import("./chooseEffort.ts");
    await chooseEffort(this.chosen, this.memory, this.host.context.globalState);
  }

  async clearKey(): Promise<void> {
    const model = this.chosen;
    if (model?.source === "connection") await clearApiKey(model.connection, this.secrets);
    else void vscode.window.showInformationMessage(t("The chosen model needs no API key."));
  }

  /** Looks for models to offer, once. */
  async findOffers(): Promise<void> {
    if (this.found === null) await this.lookForOffers();
  }

  /** Offers VS Code's models that came later. */
  languageModelsChanged(): void {
    if (this.found !== null && this.chosen === null) void this.lookForOffers();
  }

  async takeOffer({ source, from, model }: ModelOffer): Promise<void> {
    const group = this.found?.find((each) => each.source === source && each.name === from);
    const info = group?.models.find(({ id }) => id === model);
    if (group && info) await this.takeModel(group, info, null);
    else if (group?.connection) await this.chooseOf({ connection: group.connection, key: null });
  }

  private get settings(): Settings {
    return this.host.configuration.settings;
  }

  private get secrets(): vscode.SecretStorage {
    return this.host.context.secrets;
  }

  private get locked(): boolean {
    return this.settings.connectionsOnly;
  }

  private get keys() {
    return { secrets: this.secrets, environment: this.host.environment };
  }

  private connections() {
    return allConnections(this.settings);
  }

  private places() {
    return {
      ...this.keys,
      connections: this.connections(),
      connectionsOnly: this.locked,
      listLanguageModels,
      findAgents: () => this.agents(),
      fetch: globalThis.fetch,
    };
  }

  /** Those of the settings first; one of the same name on this machine is the same. */
  private async agents(): Promise<readonly AgentProgram[]> {
    const { agents } = this.settings;
    if (!vscode.workspace.isTrusted) return [];
    const { findAgents } = this.host.adapters;
    const found = (await findAgents?.(diskFolders())) ?? [];
    return [...agents, ...found.filter(({ name }) => !agents.some((each) => each.name === name))];
  }

  /**
   * Saves a new connection with its key, and remembers the choice. Where VS Code cannot write them,
   * the user is told.
   */
  private takeModel(group: ModelGroup, model: ModelInfo, key: string | null): Promise<void> {
    this.taking = this.remember(group, model, key).catch(
      (error: unknown) => void reportUnsaved(error),
    );
    return this.taking;
  }

  private async remember(group: ModelGroup, model: ModelInfo, key: string | null): Promise<void> {
    const { connection } = group;
    if (connection === null) return this.memory.remember(choiceOf(group, model));
    const name =
      group.source === "connection"
        ? connection.name
        : await saveConnection(connection, this.settings);
    const saved = { ...connection, name };
    if (key !== null) await storeKey(saved, key, this.secrets);
    await this.memory.remember(choiceOf({ ...group, connection: saved }, model));
  }

  /** `key` is what the user typed for the picked connection. */
  private async act(picked: PickedModel | undefined, key: string | null = null): Promise<void> {
    switch (picked?.action) {
      case "model":
        return this.takeModel(picked.group, picked.model, key);
      case "agent":
        return this.memory.remember({ source: "agent", agent: picked.agent });
      case "recent":
        return this.memory.remember(picked.choice);
      case "name":
        return this.nameModel(picked.group, key);
      case "fix":
        return this.fix(picked.group, key);
      case "list":
        return picked.group.connection
          ? this.chooseOf({ connection: picked.group.connection, key: null })
          : undefined;
      case "demo":
        return this.memory.remember({ source: "demo" });
      case "add":
        return this.add();
      case "key":
        return this.enterKey();
      case "test":
        return this.test();
    }
  }

  private async nameModel(group: ModelGroup, key: string | null): Promise<void> {
    const name = await vscode.window.showInputBox({
      title: t("Name of a model of {name}", { name: group.name }),
      ignoreFocusOut: true,
    });
    if (name?.trim() && group.connection)
      await this.takeModel(group, describedModel(group.connection, namedModel(name.trim())), key);
  }

  private async fix(group: ModelGroup, key: string | null): Promise<void> {
    const { connection, failure } = group;
    if (connection === null || failure === null) return;
    const remedy = fixOf(group, failure);
    if (remedy === "open-connections") return openGraftSettings("graft.connections");
    if (remedy === "open-network-settings") await openGraftSettings("http.");
    if (remedy === "change-address")
      return this.chooseOf({ connection: (await askAddress(connection)) ?? connection, key });
    if (remedy !== "set-api-key") return this.chooseOf({ connection, key });
    const other = await askKey(connection, { optional: false });
    if (other !== undefined) await this.chooseOf({ connection, key: other });
  }

  /**
   * Lists the models of one connection; it is saved with its key when the user takes one. Until
   * then the key is only here.
   */
  private async chooseOf({ connection, key }: NewConnection): Promise<void> {
    const known = this.connections().some(
      (each) => each.name === connection.name && each.baseUrl === connection.baseUrl,
    );
    const stays = key !== null || !known;
    const options = {
      placeholder: t("Models of {name}", { name: connection.name }),
      recent: [],
      actions: [],
      stays,
    };
    const picked = await pickModel(options, async (report, signal) => {
      const listed = await modelsOf(
        connection,
        key ?? (await findApiKey(connection, this.keys)),
        globalThis.fetch,
        signal,
      );
      const group: ModelGroup = { ...listed, source: known ? "connection" : "new" };
      report(group);
      if (group.failure && group.failure.code !== "no-model-list")
        report({ ...group, failure: null });
    });
    await this.act(picked, key);
  }

  async add(): Promise<void> {
    if (this.refuseNew()) return;
    const described = await askConnection(this.connections(), (connection) =>
      findApiKey(connection, this.keys),
    );
    if (described) await this.chooseOf(described);
  }

  async enterKey(): Promise<void> {
    if (this.refuseNew()) return;
    const described = await askKeyOfProvider(this.connections());
    if (described) await this.chooseOf(described);
  }

  /** True, and the user is told, where only the connections of the settings may be used. */
  private refuseNew(): boolean {
    if (this.locked)
      void vscode.window.showInformationMessage(
        t("Only the servers in graft.connections may answer here (graft.connectionsOnly)."),
      );
    return this.locked;
  }

  async test(): Promise<void> {
    const model = this.chosen;
    if (model === null || model.source === "demo") return this.choose();
    if (model.source === "agent") {
      const told = t("{agent} has its own connection. Ask it something to test it.", {
        agent: model.agent.name,
      });
      void vscode.window.showInformationMessage(told);
      return;
    }
    if (model.source === "gone") return this.offerRemedy(model.error);
    const from = model.source === "connection" ? model.connection.name : vendorName(model.vendor);
    const { label } = model.model;
    const tested = await measureChosen(model, this.connect, this.keys);
    if (tested.ok)
      void vscode.window.showInformationMessage(
        testedMessage(t, { model: label, from, ...tested.value }),
      );
    else if (tested.error.kind !== "aborted") await this.offerRemedy(tested.error);
  }

  private async offerRemedy(error: ModelError): Promise<void> {
    const [remedy = "retry"] = failureRemedies(error);
    if (
      (await vscode.window.showErrorMessage(failureMessage(error, t), remedyLabel(t, remedy))) ===
      undefined
    )
      return;
    if (remedy === "set-api-key") return this.setKey();
    if (remedy === "retry") return this.test();
    if (remedy === "open-connections") return openGraftSettings("graft.connections");
    return remedy === "open-network-settings" ? openGraftSettings("http.") : this.choose();
  }

  async setKey(): Promise<void> {
    const model = this.chosen;
    if (model?.source === "connection") await setApiKey(model.connection, this.secrets);
    else await this.enterKey();
  }

  /** Lets the user choose, or takes what `given` names. */
  async choose(given?: unknown): Promise<void> {
    const named = givenSchema.safeParse(given).data;
    if (named && "source" in named) return this.memory.remember(named);
    if (named && "connection" in named)
      return this.memory.remember({
        source: "connection",
        connection: named.connection,
        model: namedModel(named.model),
      });
    if (named)
      return this.memory.remember({
        source: "vscode-lm",
        vendor: named.vendor,
        model: namedModel(named.model),
      });
    const known = new Set(this.connections().map(({ name }) => name));
    const current = this.memory.choice;
    const last = current === "unreadable" || current === null ? [] : [current];
    // The current one first: Enter keeps it.
    const recent = [
      ...last,
      ...this.memory.recent.filter((one) =>
        last.every((each) => choiceKey(each) !== choiceKey(one)),
      ),
    ].filter((choice) =>
      choice.source === "connection" ? known.has(choice.connection) : !this.locked,
    );
    const actions = this.locked
      ? (["test", "demo"] as const)
      : (["add", "key", "test", "demo"] as const);
    const options = { placeholder: t("Search models"), recent, actions, stays: false };
    await this.act(
      await pickModel(options, (report, signal) => findModels(this.places(), signal, report)),
    );
  }

  /** Lets the user choose several models; undefined where they cancel. */
  async chooseSeveral(): Promise<readonly ChosenModel[] | undefined> {
    const { pickModels } = await import("./pickModels.ts");
    const { choice, recent } = this.memory;
    const last = choice === "unreadable" || choice === null ? [] : [choice];
    const known = [...last, ...recent].map((each) => chosenModel(this.settings, each));
    return pickModels({ chosen: this.chosen, recent: known }, (report, signal) =>
      findModels(this.places(), signal, report),
    );
  }

  private async lookForOffers(): Promise<void> {
    // In the browser, asking this machine's ports can make the browser ask the user. Only Choose
    // Model does that.
    const local =
      this.host.environment === null
        ? []
        : localServers(this.places(), new AbortController().signal);
    const groups = await Promise.all([languageModels(this.places()), local]);
    const own = this.connections().map((connection) => groupOf("connection", connection));
    this.found = [...own, ...groups.flat(), ...environmentServers(this.places())];
    this.offersChanged();
  }
}

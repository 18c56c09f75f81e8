import * as vscode from "vscode";
import * as z from "zod/mini";
import type { ModelConnection } from "../../agent/chatOptions.ts";
import type { Result } from "../../base/result.ts";
import { sentence } from "../../base/text/sentence.ts";
import { describedModel, namedModel } from "../../model/connections/connection.ts";
import type { ConnectionKindName } from "../../model/connections/connectionKinds.ts";
import type { Environment } from "../../model/connections/environmentConnections.ts";
import { measureModel } from "../../model/connections/measureModel.ts";
import { failureMessage } from "../../model/messages.ts";
import type { ModelError } from "../../model/modelFailure.ts";
import type { ModelInfo } from "../../model/modelInfo.ts";
import type { ModelOffer } from "../../protocol/messages.ts";
import { failureRemedies } from "../../turns/failureRemedies.ts";
import { t } from "../localize.ts";
import { askKey, clearApiKey, setApiKey, storeKey } from "../settings/apiKeys.ts";
import { openGraftSettings } from "../settings/configuration.ts";
import { allConnections, chosenModel } from "../settings/modelChoice.ts";
import { findApiKey } from "../settings/modelConnection.ts";
import type { Settings } from "../settings/settings.ts";
import { askAddress, askConnection, askKeyOfProvider, type NewConnection, saveConnection } from "./addConnection.ts";
import {
  choiceOf,
  environmentServers,
  findModels,
  fixOf,
  groupOf,
  type ListLanguageModels,
  languageModels,
  localServers,
  type ModelGroup,
  modelsOf,
} from "./findModels.ts";
import { remedyLabel, testedMessage, vendorName } from "./messages.ts";
import type { ModelMemory } from "./modelMemory.ts";
import { KEY_KINDS, modelOffers, providerOffers } from "./modelOffers.ts";
import { type PickedModel, pickModel } from "./modelPicker.ts";

/** What choosing a model needs. */
export interface ModelCommandsDeps {
  settings(): Settings;
  readonly memory: ModelMemory;
  readonly secrets: vscode.SecretStorage;
  readonly environment: Environment;
  readonly listLanguageModels: ListLanguageModels;
  /** Connects to the chosen model. */
  connect(): Promise<Result<ModelConnection, ModelError>>;
  /** The offers of an empty chat changed. */
  offersChanged(): void;
}

/** What the commands and the panel do about models. */
export type ModelCommands = ReturnType<typeof createModelCommands>;

/** What a keybinding may name. */
const givenSchema = z.union([
  z.object({ source: z.literal("demo") }),
  z.object({ connection: z.string(), model: z.string() }),
  z.object({ vendor: z.string(), model: z.string() }),
]);

async function reportUnsaved(error: unknown): Promise<void> {
  const told = t("Graft could not save the connection: {reason}", { reason: sentence(error) });
  if (await vscode.window.showErrorMessage(told, t("Open connections"))) await openGraftSettings("graft.connections");
}

/** Chooses models, adds connections and tests them. */
export function createModelCommands(deps: ModelCommandsDeps) {
  const { memory, secrets, environment, listLanguageModels } = deps;
  const keys = { secrets, environment };
  let found: readonly ModelGroup[] | null = null;
  let taking: Promise<void> = Promise.resolve();
  const chosen = () => chosenModel(deps.settings(), memory.choice);
  const connections = () => allConnections(deps.settings());
  const locked = () => deps.settings().connectionsOnly;
  const places = () => ({ ...keys, connections: connections(), connectionsOnly: locked(), listLanguageModels, fetch: globalThis.fetch });

  /** Saves a new connection with its key, and remembers the choice. Where VS Code cannot write them, the user is told. */
  function take(group: ModelGroup, model: ModelInfo, key: string | null): Promise<void> {
    taking = remember(group, model, key).catch((error: unknown) => void reportUnsaved(error));
    return taking;
  }

  async function remember(group: ModelGroup, model: ModelInfo, key: string | null): Promise<void> {
    const { connection } = group;
    if (connection === null) return memory.remember(choiceOf(group, model));
    const name = group.source === "connection" ? connection.name : await saveConnection(connection, deps.settings());
    const saved = { ...connection, name };
    if (key !== null) await storeKey(saved, key, secrets);
    await memory.remember(choiceOf({ ...group, connection: saved }, model));
  }

  /** `key` is what the user typed for the picked connection. */
  async function act(picked: PickedModel | undefined, key: string | null = null): Promise<void> {
    switch (picked?.action) {
      case "model":
        return take(picked.group, picked.model, key);
      case "recent":
        return memory.remember(picked.choice);
      case "name":
        return nameModel(picked.group, key);
      case "fix":
        return fix(picked.group, key);
      case "list":
        return picked.group.connection ? chooseOf({ connection: picked.group.connection, key: null }) : undefined;
      case "demo":
        return memory.remember({ source: "demo" });
      case "add":
        return add();
      case "key":
        return enterKey();
      case "test":
        return test();
    }
  }

  async function nameModel(group: ModelGroup, key: string | null): Promise<void> {
    const name = await vscode.window.showInputBox({ title: t("Name of a model of {name}", { name: group.name }), ignoreFocusOut: true });
    if (name?.trim() && group.connection) await take(group, describedModel(group.connection, namedModel(name.trim())), key);
  }

  async function fix(group: ModelGroup, key: string | null): Promise<void> {
    const { connection, failure } = group;
    if (connection === null || failure === null) return;
    const remedy = fixOf(group, failure);
    if (remedy === "open-connections") return openGraftSettings("graft.connections");
    if (remedy === "open-network-settings") await openGraftSettings("http.");
    if (remedy === "change-address") return chooseOf({ connection: (await askAddress(connection)) ?? connection, key });
    if (remedy !== "set-api-key") return chooseOf({ connection, key });
    const other = await askKey(connection, { optional: false });
    if (other !== undefined) await chooseOf({ connection, key: other });
  }

  /** Lists the models of one connection; it is saved with its key when the user takes one. Until then the key is only here. */
  async function chooseOf({ connection, key }: NewConnection): Promise<void> {
    const known = connections().some((each) => each.name === connection.name && each.baseUrl === connection.baseUrl);
    const stays = key !== null || !known;
    const options = { placeholder: t("Models of {name}", { name: connection.name }), recent: [], actions: [], stays };
    const picked = await pickModel(options, async (report, signal) => {
      const listed = await modelsOf(connection, key ?? (await findApiKey(connection, keys)), globalThis.fetch, signal);
      const group: ModelGroup = { ...listed, source: known ? "connection" : "new" };
      report(group);
      if (group.failure) report({ ...group, failure: null });
    });
    await act(picked, key);
  }

  async function add(kind?: ConnectionKindName): Promise<void> {
    if (refuseNew()) return;
    const described = await askConnection(connections(), (connection) => findApiKey(connection, keys), kind);
    if (described) await chooseOf(described);
  }

  async function enterKey(): Promise<void> {
    if (refuseNew()) return;
    const described = await askKeyOfProvider(connections());
    if (described) await chooseOf(described);
  }

  /** True, and the user is told, where only the connections of the settings may be used. */
  function refuseNew(): boolean {
    if (locked())
      void vscode.window.showInformationMessage(t("Only the servers in graft.connections may answer here (graft.connectionsOnly)."));
    return locked();
  }

  async function test(): Promise<void> {
    const model = chosen();
    if (model === null || model.source === "demo") return choose();
    const from = model.source === "connection" ? model.connection.name : vendorName(model.vendor);
    const label = model.model.label;
    const options = { location: vscode.ProgressLocation.Notification, title: t("Testing {model}…", { model: label }), cancellable: true };
    const tested = await vscode.window.withProgress(options, async (_progress, token) => {
      const ended = new AbortController();
      token.onCancellationRequested(() => ended.abort());
      const connected = await deps.connect();
      if (!connected.ok) return connected;
      const { client, model: name } = connected.value;
      const started = performance.now();
      if (model.source === "connection")
        await modelsOf(
          { ...model.connection, models: undefined },
          await findApiKey(model.connection, keys),
          globalThis.fetch,
          ended.signal,
        );
      const roundTripMs = model.source === "connection" ? performance.now() - started : null;
      const measured = await measureModel(client, name, ended.signal);
      return measured.ok ? { ok: true as const, value: { roundTripMs, measured: measured.value } } : measured;
    });
    if (tested.ok) void vscode.window.showInformationMessage(testedMessage(t, { model: label, from, ...tested.value }));
    else if (tested.error.kind !== "aborted") await offerRemedy(tested.error);
  }

  async function offerRemedy(error: ModelError): Promise<void> {
    const [remedy = "retry"] = failureRemedies(error);
    if ((await vscode.window.showErrorMessage(failureMessage(error, t), remedyLabel(t, remedy))) === undefined) return;
    if (remedy === "set-api-key") return setKey();
    if (remedy === "retry") return test();
    if (remedy === "open-connections") return openGraftSettings("graft.connections");
    return remedy === "open-network-settings" ? openGraftSettings("http.") : choose();
  }

  async function setKey(): Promise<void> {
    const model = chosen();
    if (model?.source === "connection") await setApiKey(model.connection, secrets);
    else await enterKey();
  }

  /** Lets the user choose, or takes what `given` names. */
  async function choose(given?: unknown): Promise<void> {
    const named = givenSchema.safeParse(given).data;
    if (named && "source" in named) return memory.remember(named);
    if (named && "connection" in named)
      return memory.remember({ source: "connection", connection: named.connection, model: namedModel(named.model) });
    if (named) return memory.remember({ source: "vscode-lm", vendor: named.vendor, model: namedModel(named.model) });
    const known = new Set(connections().map(({ name }) => name));
    const recent = memory.recent.filter((choice) => (choice.source === "connection" ? known.has(choice.connection) : !locked()));
    const actions = locked() ? (["test", "demo"] as const) : (["add", "key", "test", "demo"] as const);
    const options = { placeholder: t("Search models"), recent, actions, stays: false };
    await act(await pickModel(options, (report, signal) => findModels(places(), signal, report)));
  }

  async function findOffers(): Promise<void> {
    // In the browser, asking this machine's ports can make the browser ask the user. Only Choose Model does that.
    const local = environment === null ? [] : localServers(places(), new AbortController().signal);
    const groups = await Promise.all([languageModels(places()), local]);
    const own = connections().map((connection) => groupOf("connection", connection));
    found = [...own, ...groups.flat(), ...environmentServers(places())];
    deps.offersChanged();
  }

  return {
    /** The model that answers; null when nothing is chosen. */
    get chosen() {
      return chosen();
    },
    /** What an empty chat offers; null until it was looked for. */
    get offers(): readonly ModelOffer[] | null {
      return found && [...modelOffers(found), ...(locked() ? [] : providerOffers())];
    },
    /** Settles when a choice that the user made is in effect. */
    settled: () => taking,
    choose,
    add: () => add(),
    enterKey,
    setKey,
    async clearKey(): Promise<void> {
      const model = chosen();
      if (model?.source === "connection") await clearApiKey(model.connection, secrets);
      else void vscode.window.showInformationMessage(t("The chosen model needs no API key."));
    },
    test,
    /** Looks for models to offer, once. */
    findOffers: async () => (found === null ? findOffers() : undefined),
    /** Offers VS Code's models that came later. */
    languageModelsChanged() {
      if (found !== null && chosen() === null) void findOffers();
    },
    async takeOffer({ source, from, model }: ModelOffer): Promise<void> {
      if (source === "provider") return add(KEY_KINDS.find((kind) => kind === from));
      const group = found?.find((each) => each.source === source && each.name === from);
      const info = group?.models.find(({ id }) => id === model);
      if (group && info) await take(group, info, null);
      else if (group?.connection) await chooseOf({ connection: group.connection, key: null });
    },
  };
}

import { DEFAULT_CONTEXT_WINDOW } from "../../agent/chatOptions.ts";
import { describedModel } from "../../model/connections/connection.ts";
import { withoutQuery } from "../../model/endpoint.ts";
import { learnedCapabilities } from "../../model/learnedCapabilities.ts";
import type { Memory } from "../../ports/memory.ts";
import type { PanelStatus } from "../../protocol/messages.ts";
import type { NamedOffers } from "../../tools/command/chatAgent.ts";
import { currentName } from "../models/messages.ts";
import { reasoningEffort } from "../models/reasoningEffort.ts";
import type { ChosenModel } from "../settings/modelChoice.ts";
import { isKeyMissing, type KeySources } from "../settings/modelConnection.ts";
import { serverOf } from "../settings/server.ts";

/** Sources of the panel's status. */
export interface StatusSources extends KeySources {
  /** The chosen model, or null. */
  chosen(): ChosenModel | null;
  /** The configured context window of a model in tokens, or null. */
  contextWindow(model: string): number | null;
  /** Remembers which models refuse images. */
  readonly learned: Memory;
  /** Whether VS Code can send images to its own models. */
  readonly canSendImages: boolean;
  surroundings(): Pick<
    PanelStatus,
    | "busy"
    | "asking"
    | "mode"
    | "agents"
    | "trusted"
    | "workspace"
    | "behind"
    | "pending"
    | "check"
    | "offers"
    | "chats"
    | "agreements"
  > & {
    /** What the agent offers that answered last in the chat. */
    readonly agentOffers: NamedOffers | null;
  };
}

/**
 * The panel's status besides the turns. It does not wait for secret storage: a key counts as
 * present until it is known to be missing.
 */
export class StatusFeed {
  private readonly sources: StatusSources;
  private readonly show: (status: PanelStatus) => void;
  private keyMissing = false;
  private reads = 0;

  constructor(sources: StatusSources, show: (status: PanelStatus) => void) {
    this.sources = sources;
    this.show = show;
  }

  /** The status as far as known. */
  get status(): PanelStatus {
    const chosen = this.sources.chosen();
    const demo = chosen === null || chosen.source === "demo";
    const model = demo
      ? "Demo"
      : chosen.source === "agent"
        ? chosen.agent.name
        : chosen.source === "gone"
          ? chosen.label
          : chosen.model.label;
    const { agentOffers, ...surroundings } = this.sources.surroundings();
    const images = noImages(chosen, this.sources, agentOffers);
    const next = nextModel(chosen, this.sources);
    const options = agentOptions(chosen, agentOffers);
    const effort = reasoningEffort(chosen, this.sources.learned);
    const facts = {
      ...(options.length > 0 && { agentOptions: options }),
      ...(effort !== null && { effort }),
      ...(images && { noImages: images }),
      ...(next && { next }),
    };
    const known = { demo, model, chosen: chosen !== null, keyMissing: this.keyMissing, ...facts };
    return { ...surroundings, ...known };
  }

  /**
   * Shows the status now, and again if checking the key changes it. Rejects if the keys cannot be
   * read.
   */
  async statusChanged(): Promise<void> {
    this.show(this.status);
    const read = ++this.reads;
    const keyMissing = await this.isKeyMissing();
    if (read !== this.reads || keyMissing === this.keyMissing) return;
    this.keyMissing = keyMissing;
    this.show(this.status);
  }

  private async isKeyMissing(): Promise<boolean> {
    const chosen = this.sources.chosen();
    return chosen?.source === "connection" && (await isKeyMissing(chosen.connection, this.sources));
  }
}

/** A model of a server or of VS Code. */
type AnsweringModel = ChosenModel & { readonly source: "connection" | "vscode-lm" };

function isModel(chosen: ChosenModel | null): chosen is AnsweringModel {
  return chosen?.source === "connection" || chosen?.source === "vscode-lm";
}

function agentOptions(
  chosen: ChosenModel | null,
  offers: NamedOffers | null,
): NonNullable<PanelStatus["agentOptions"]> {
  if (chosen?.source !== "agent" || offers?.agent !== chosen.agent.name) return [];
  return offers.options.map((option) => ({ name: option.name, value: currentName(option) }));
}

function nextModel(
  chosen: ChosenModel | null,
  { contextWindow }: StatusSources,
): PanelStatus["next"] | null {
  if (!isModel(chosen)) return null;
  const info =
    chosen.source === "connection" ? describedModel(chosen.connection, chosen.model) : chosen.model;
  return {
    model: info.id,
    window: contextWindow(info.id) ?? info.contextWindow ?? DEFAULT_CONTEXT_WINDOW,
  };
}

/** Why images are not sent to a model, or null if they are. */
function noImages(
  chosen: ChosenModel | null,
  { learned, canSendImages }: StatusSources,
  offers: NamedOffers | null,
): "model" | "editor" | null {
  // What an agent can see is known once it was asked.
  if (chosen?.source === "agent")
    return offers?.agent === chosen.agent.name && !offers.images ? "model" : null;
  if (!isModel(chosen)) return "model";
  const isOwn = chosen.source === "vscode-lm";
  if (isOwn && !canSendImages) return "editor";
  const { id, images } = isOwn ? chosen.model : describedModel(chosen.connection, chosen.model);
  const baseUrl = isOwn
    ? `vscode-lm:${chosen.vendor}`
    : withoutQuery(serverOf(chosen.connection)?.baseUrl ?? "");
  return (images ?? !learnedCapabilities(learned, baseUrl, id).refused.has("images"))
    ? null
    : "model";
}

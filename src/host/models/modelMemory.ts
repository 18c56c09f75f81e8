import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Disposable } from "../../base/disposable.ts";
import {
  type ModelChoice,
  modelChoiceSchema,
  type RememberedChoice,
} from "../settings/modelChoice.ts";

/** The state under which a workspace's choice and the last choices of all workspaces lie. */
const CHOICE = "graft.modelChoice";
const RECENT = "graft.recentModels";
const MOST_RECENT = 5;

const recentSchema = z.catch(z.array(z.unknown()), []);

/**
 * Remembers which model the user chose: for each workspace, and the last choices as default of new
 * workspaces.
 */
export class ModelMemory implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires after a choice. */
  readonly onDidChange = this.changed.event;
  private readonly states: Pick<vscode.ExtensionContext, "workspaceState" | "globalState">;

  constructor(states: Pick<vscode.ExtensionContext, "workspaceState" | "globalState">) {
    this.states = states;
  }

  /** The choice of this workspace, else the last one anywhere. */
  get choice(): RememberedChoice {
    const own = this.states.workspaceState.get(CHOICE);
    if (own === undefined) return this.recent[0] ?? null;
    // Another model in its place would be nobody's choice.
    return modelChoiceSchema.safeParse(own).data ?? "unreadable";
  }

  /** The last choices, the latest first. */
  get recent(): readonly ModelChoice[] {
    return recentSchema
      .parse(this.states.globalState.get(RECENT))
      .flatMap((one) => modelChoiceSchema.safeParse(one).data ?? []);
  }

  async remember(choice: ModelChoice): Promise<void> {
    const others = this.recent.filter((each) => choiceKey(each) !== choiceKey(choice));
    await this.states.workspaceState.update(CHOICE, choice);
    await this.states.globalState.update(RECENT, [choice, ...others].slice(0, MOST_RECENT));
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Tells choices apart. */
export function choiceKey(choice: ModelChoice): string {
  if (choice.source === "demo") return "demo";
  if (choice.source === "agent") return JSON.stringify(["agent", choice.agent.name]);
  const from = choice.source === "connection" ? choice.connection : choice.vendor;
  return JSON.stringify([choice.source, from, choice.model.id]);
}

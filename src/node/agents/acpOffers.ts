import type {
  AvailableCommand,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { AgentOffers, AgentOption } from "../../ports/commands/agentOffers.ts";

/** The most that is shown of what an agent offers; lengths in UTF-16 units. */
const MOST_OPTIONS = 20;
const MOST_VALUES = 100;
const MOST_COMMANDS = 200;
const MOST_NAME = 100;
const MOST_DESCRIPTION = 300;

/** Stands for the session's modes, which the protocol has beside its options. */
export const MODES = "graft.modes";

/** What a session offers, as the agent's updates change it. */
export class AcpOffers {
  private readonly told: (offers: AgentOffers) => void;
  private modes: SessionModeState | null = null;
  private options: readonly SessionConfigOption[] | null = null;
  private commands: readonly AvailableCommand[] = [];
  private images = false;
  private onlyModes: ReadonlySet<string> | null = null;
  private last = "";

  /** `told` hears each change. */
  constructor(told: (offers: AgentOffers) => void) {
    this.told = told;
  }

  get takesImages(): boolean {
    return this.images;
  }

  /** Offers no other modes; null for all. */
  limitModes(modes: ReadonlySet<string> | null): void {
    this.onlyModes = modes;
  }

  /** The choice of modes, while the session is in one that is not offered; else null. */
  get otherMode(): AgentOption | null {
    const { options, onlyModes: only } = this;
    const id = options ? options.find(isMode)?.id : MODES;
    const modes = this.allOptions().find((option) => option.id === id);
    return only && modes && !only.has(modes.current) ? modes : null;
  }

  /** Whether this value of an option is offered, by their ids. */
  has(option: string, value: string): boolean {
    const found = this.allOptions().find(({ id }) => id === option);
    return found?.values.some(({ id }) => id === value) ?? false;
  }

  /** A session begins. */
  begin(
    {
      modes,
      configOptions,
    }: {
      readonly modes?: SessionModeState | null;
      readonly configOptions?: readonly SessionConfigOption[] | null;
    },
    images: boolean,
  ): void {
    this.images = images;
    this.modes = modes ?? null;
    this.options = configOptions ?? null;
    this.tell();
  }

  /** Takes an update; true where it was about offers. */
  takeUpdate(update: SessionUpdate): boolean {
    if (update.sessionUpdate === "available_commands_update")
      this.commands = update.availableCommands;
    else if (update.sessionUpdate === "current_mode_update") this.choseMode(update.currentModeId);
    else if (update.sessionUpdate === "config_option_update") this.options = update.configOptions;
    else return false;
    this.tell();
    return true;
  }

  /** The agent took another mode. */
  choseMode(currentModeId: string): void {
    this.modes = this.modes && { ...this.modes, currentModeId };
    this.tell();
  }

  /** The agent took another value of an option, which may change others. */
  chose(options: readonly SessionConfigOption[]): void {
    this.options = options;
    this.tell();
  }

  private tell(): void {
    const offers: AgentOffers = {
      images: this.images,
      options: this.allOptions(),
      commands: this.commands.slice(0, MOST_COMMANDS).flatMap(({ name, description }) => {
        const short = line(name, MOST_NAME);
        return /^\S+$/.test(short)
          ? [{ name: short, description: line(description, MOST_DESCRIPTION) }]
          : [];
      }),
    };
    const text = JSON.stringify(offers);
    if (text === this.last) return;
    this.last = text;
    this.told(offers);
  }

  /** An agent that has options has its modes among them. */
  private allOptions(): AgentOption[] {
    const { options, modes, onlyModes: only } = this;
    const offered = ({ id }: { readonly id: string }) => only === null || only.has(id);
    if (options)
      return options
        .slice(0, MOST_OPTIONS)
        .flatMap((option) => selectOption(option, isMode(option) ? offered : () => true));
    return modes === null || modes.availableModes.length === 0
      ? []
      : [
          {
            ...{ id: MODES, name: "", current: modes.currentModeId },
            values: modes.availableModes.filter(offered).slice(0, MOST_VALUES).map(namedValue),
          },
        ];
  }
}

function isMode({ category }: SessionConfigOption): boolean {
  return category === "mode";
}

function selectOption(
  option: SessionConfigOption,
  offered: (value: { readonly id: string }) => boolean,
): readonly AgentOption[] {
  if (option.type !== "select") return [];
  const all = option.options.flatMap((each) => ("group" in each ? each.options : [each]));
  const { id, name, currentValue: current } = option;
  const values = all.map(({ value, ...each }) => ({ ...each, id: value })).filter(offered);
  const listed = values.slice(0, MOST_VALUES).map(namedValue);
  return [{ id, name: line(name, MOST_NAME), current, values: listed }];
}

function namedValue(value: {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
}) {
  const { id, name, description } = value;
  return {
    id,
    name: line(name, MOST_NAME),
    description: line(description ?? "", MOST_DESCRIPTION),
  };
}

function line(text: string, most: number): string {
  return visibleLine(text.replace(/\s+/g, " ").trim().slice(0, most));
}

import {
  LENGTH_RULES,
  LINE_RULES,
  type Rule,
  WHITESPACE_RULES,
  WHOLE_RULES,
} from "../../src/edits/check/rules.ts";

/** Codes that rules of the guards' table give. */
export const OF_RULES: ReadonlySet<string> = new Set([
  "repeats-line",
  "loses-return",
  "unchecked-end",
  "whitespace",
  "deletion",
  "elision",
  "syntax",
  "cuts-element",
  "cuts-brackets",
  "doubles-element",
  "loses-element",
  "loses-members",
  "typo",
]);

/** Which rules warned of what is being measured, and their table. */
export class RuleAlarms {
  /** Names of rules in the order of the table. */
  readonly names: readonly string[];
  private fired = new Set<string>();

  /** Listens to every rule from now on. */
  constructor() {
    this.names = [
      ...this.listen(LINE_RULES),
      ...this.listen(WHITESPACE_RULES),
      ...this.listen(LENGTH_RULES),
      ...this.listen(WHOLE_RULES),
    ];
  }

  /** The rules that warned since the last call. */
  take(): ReadonlySet<string> {
    const { fired } = this;
    this.fired = new Set();
    return fired;
  }

  private listen<Facts>(rules: readonly Rule<Facts>[]): readonly string[] {
    for (const rule of rules) {
      const { name, find } = rule;
      const heard: Rule<Facts>["find"] = (facts) => {
        const warning = find(facts);
        if (warning) this.fired.add(name);
        return warning;
      };
      Object.assign(rule, { find: heard });
    }
    return rules.map(({ name }) => name);
  }
}

/** What one measured message was, and what warned of it. */
export interface Alarm {
  readonly isWrong: boolean;
  readonly isRight: boolean;
  /** Rules that warned. */
  readonly rules: ReadonlySet<string>;
  /** True where something that is no rule of the table warned, too, or refused it. */
  readonly hasOther: boolean;
}

/**
 * A row a rule: how many wrong ones it warns of, of how many it alone, how many right ones, and of
 * how many of these it alone.
 */
export function alarmsTable(names: readonly string[], alarms: readonly Alarm[]): string {
  const count = (some: readonly Alarm[]) => String(some.length).padStart(12);
  const rows = names.map((name) => {
    const own = alarms.filter(({ rules }) => rules.has(name));
    const isAlone = ({ rules, hasOther }: Alarm) => rules.size === 1 && !hasOther;
    const wrong = own.filter(({ isWrong }) => isWrong);
    const right = own.filter(({ isRight }) => isRight);
    const cells = [wrong, wrong.filter(isAlone), right, right.filter(isAlone)];
    return name.padEnd(42) + cells.map(count).join("");
  });
  const head = ["wrong", "it alone", "right", "it alone"].map((text) => text.padStart(12));
  return ["rule".padEnd(42) + head.join(""), ...rows].join("\n");
}

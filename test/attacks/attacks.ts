/** One attack: what it is, and how to play it. */
export interface Attack {
  /** What the attacker does, in the present tense. */
  readonly name: string;
  /** Plays it with real parts. Returns what got through, null where the attack was held. */
  play(): Promise<string | null> | string | null;
}

const count = { tried: 0, through: 0 };

after(() => console.log(`\nattacks: tried ${count.tried}, through ${count.through}`));

/** `count` of `items` from the one at `turn` on, as in a circle: all of them have their turn. */
export function inTurn<T>(items: readonly T[], turn: number, count: number): readonly T[] {
  const first = turn % items.length;
  return [...items.slice(first), ...items.slice(0, first)].slice(0, count);
}

/** A test for each attack of a class. It fails where something got through. */
export function attacks(title: string, rows: readonly Attack[]): void {
  describe(`attacks: ${title}`, () => {
    for (const { name, play } of rows) {
      it(name, async () => {
        count.tried += 1;
        // An attack that throws was not played to its end.
        const through = await Promise.resolve()
          .then(play)
          .catch((error: unknown) => {
            count.through += 1;
            throw error;
          });
        if (through === null) return;
        count.through += 1;
        throw new Error(`got through: ${through}`);
      });
    }
  });
}

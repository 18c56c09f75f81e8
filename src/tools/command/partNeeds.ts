import { definedIn, importedIn, type PartText, wordsIn } from "./partText.ts";

/** For each part, by index, the others that need it, directly or not. */
export type PartUsers = readonly ReadonlySet<number>[];

interface Named {
  readonly path: string;
  readonly old: ReadonlySet<string>;
  readonly uses: ReadonlySet<string>;
  readonly drops: ReadonlySet<string>;
  readonly defines: ReadonlySet<string>;
  readonly undefines: ReadonlySet<string>;
  readonly imports: ReadonlySet<string>;
}

/**
 * Which parts need which, by the names that they define and use: a guess in any language, which
 * only decides what is tried.
 */
export function partUsers(parts: readonly PartText[]): PartUsers {
  const olds = new Map(parts.map(({ path, before }) => [path, before] as const));
  const old = new Map([...olds].map(([path, text]) => [path, wordsIn(text.split("\n"))]));
  const all = parts.map(
    (part): Named => ({
      path: part.path,
      old: old.get(part.path) ?? new Set(),
      uses: wordsIn(part.added),
      drops: wordsIn(part.removed),
      defines: definedIn(part.added),
      undefines: definedIn(part.removed),
      imports: importedIn(part),
    }),
  );
  return reachable(all.map((_, at) => directUsers(all, at)));
}

/** The parts that need the one at `at`. */
function directUsers(all: readonly Named[], at: number): ReadonlySet<number> {
  const users = new Set<number>();
  const one = all[at];
  if (!one) return users;
  const isNew = one.old.size === 0 ? stem(one.path) : null;
  for (const [index, other] of all.entries()) {
    if (index === at) continue;
    if (isNew !== null && other.imports.has(isNew)) users.add(index);
    for (const name of other.uses) if (needs(all, other, one, name)) users.add(index);
    // What takes a name away needs all that stop using it.
    for (const name of other.undefines)
      if (!other.defines.has(name) && one.drops.has(name) && !one.uses.has(name)) users.add(index);
  }
  return users;
}

/** True where `user` takes a name from `one`. */
function needs(all: readonly Named[], user: Named, one: Named, name: string): boolean {
  const isOwn = user.path === one.path;
  const provides = one.defines.has(name) || (isOwn && one.imports.has(name));
  if (!provides) return false;
  const isChanged = one.undefines.has(name);
  if (isChanged) return !user.imports.has(name);
  if (one.old.has(name)) return false;
  if (isOwn) return true;
  // Through an import of its own file, where that one is a part.
  const isImport = user.imports.has(name);
  const hasImport = all.some(
    (other) => other !== user && other.path === user.path && other.imports.has(name),
  );
  const isElsewhere = !isImport && user.defines.has(name);
  return !isElsewhere && (isImport || !hasImport);
}

function reachable(direct: readonly ReadonlySet<number>[]): PartUsers {
  return direct.map((_, at) => {
    const found = new Set<number>();
    const open = [at];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const user of direct[next] ?? [])
        if (user !== at && !found.has(user)) {
          found.add(user);
          open.push(user);
        }
    return found;
  });
}

function stem(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.includes(".") ? name.slice(0, name.indexOf(".")) : name;
}

import {
  type DemoPorts,
  type DemoSource,
  demoElements,
  openSource,
  sourceFiles,
} from "./demoSource.ts";
import { planDocComments } from "./planDocComments.ts";

/** The most files that are read for a request that fits them, of those preferred and of others. */
const MAX_READ = 12;

/** A file of the workspace and requests about it that demo mode can answer. */
export interface DemoRequests {
  /** Relative to the workspace. */
  readonly path: string;
  /** Makes edits. */
  readonly document: string;
  /** Null for a file without functions. */
  readonly rename: string | null;
  readonly explain: string;
}

/**
 * Requests that fit the workspace, about the first of `preferred` and its other source files in
 * which demo mode finds something to comment; null where there is none.
 */
export async function demoRequests(
  ports: DemoPorts,
  preferred: readonly string[],
  signal: AbortSignal,
): Promise<DemoRequests | null> {
  const first = await requestsAbout(preferred.slice(0, MAX_READ), ports, signal);
  if (first) return first;
  // A search through the workspace takes long in a large one.
  const others = await sourceFiles(ports, signal);
  const rest = others.filter((path) => !preferred.includes(path));
  return requestsAbout(rest.slice(0, MAX_READ), ports, signal);
}

async function requestsAbout(
  paths: readonly string[],
  ports: DemoPorts,
  signal: AbortSignal,
): Promise<DemoRequests | null> {
  for (const path of paths) {
    const source = await openSource(path, true, ports, signal);
    if (!source.ok) continue;
    try {
      const plan = planDocComments(source.value, null);
      if (plan.ok && plan.value.blocks.length > 0) return requestsFor(source.value);
    } finally {
      source.value.document.dispose();
    }
  }
  return null;
}

function requestsFor(source: DemoSource): DemoRequests {
  const { path } = source;
  const named = demoElements(source).find(({ kind, topLevel }) => kind === "function" && topLevel);
  return {
    path,
    document: `Add a doc comment to each exported function in \`${path}\``,
    rename: named ? `Rename \`${named.name}\` to \`${named.name}2\` in \`${path}\`` : null,
    explain: `Explain \`${path}\``,
  };
}

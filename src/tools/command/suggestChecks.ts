import * as z from "zod/mini";
import type { CommandLine } from "../../ports/approval.ts";

/** A command that a workspace's own files suggest as a check. */
export interface SuggestedCheck extends CommandLine {
  /** The workspace path of the file that suggests it. */
  readonly from: string;
}

/** Scripts and targets that check, in the order of what says most. */
const CHECKS = ["test", "check", "verify", "ci", "typecheck", "type-check", "lint", "build"];
/** `npm test` of a new package: it only fails. */
const NO_TEST = /no test specified/;
const LOCK_FILES: readonly (readonly [string, string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

const packageSchema = z.object({ scripts: z.optional(z.record(z.string(), z.string())) });

/** The files that suggest checks, and those that tell which package manager is used. */
export const CHECK_FILES: readonly string[] = [
  ...["package.json", "Makefile", "makefile", "GNUmakefile", "justfile", "pyproject.toml"],
  ...["pytest.ini", "tox.ini", "Cargo.toml", "go.mod", "deno.json", "pom.xml"],
  ...["gradlew", "mix.exs", "Package.swift"],
  ...LOCK_FILES.map(([name]) => name),
];

/** What a file that has these names, and nothing else, suggests. */
const PLAIN: Readonly<Record<string, readonly string[]>> = {
  "pyproject.toml": ["pytest"],
  "pytest.ini": ["pytest"],
  "tox.ini": ["tox"],
  "Cargo.toml": ["cargo test", "cargo check"],
  "go.mod": ["go test ./...", "go vet ./..."],
  "deno.json": ["deno test"],
  "pom.xml": ["mvn -q test"],
  gradlew: ["./gradlew test"],
  "mix.exs": ["mix test"],
  "Package.swift": ["swift test"],
};

/**
 * Checks for a folder of the workspace, the likeliest first. `texts` has those of {@link
 * CHECK_FILES} that are there, by name; `folder` is "." for the workspace itself.
 */
export function suggestChecks(
  texts: Readonly<Record<string, string>>,
  folder = ".",
): readonly SuggestedCheck[] {
  const path = (name: string) => (folder === "." ? name : `${folder}/${name}`);
  return Object.entries(texts)
    .flatMap(([name, text]) => commandsOf(name, text, texts).map((command) => ({ name, command })))
    .sort((a, b) => rank(a.command) - rank(b.command))
    .filter(({ command }, at, all) => all.findIndex((each) => each.command === command) === at)
    .map(({ name, command }) => ({ text: command, folder, from: path(name) }));
}

function commandsOf(
  name: string,
  text: string,
  texts: Readonly<Record<string, string>>,
): readonly string[] {
  if (name === "package.json") return scriptsOf(text, texts);
  if (/^(?:GNU)?makefile$/i.test(name)) return targetsOf(text, "make");
  if (name === "justfile") return targetsOf(text, "just");
  return PLAIN[name] ?? [];
}

function scriptsOf(text: string, texts: Readonly<Record<string, string>>): readonly string[] {
  const scripts = parsePackage(text);
  const manager = LOCK_FILES.find(([name]) => texts[name] !== undefined)?.[1] ?? "npm";
  return CHECKS.flatMap((name) => {
    const script = scripts[name];
    if (script === undefined || NO_TEST.test(script)) return [];
    return name === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${name}`;
  });
}

function parsePackage(text: string): Readonly<Record<string, string>> {
  try {
    return z.safeParse(packageSchema, JSON.parse(text)).data?.scripts ?? {};
  } catch {
    return {};
  }
}

function targetsOf(text: string, program: string): readonly string[] {
  const targets = new Set([...text.matchAll(/^([\w-]+)\s*:(?!=)/gm)].map(([, name]) => name));
  return CHECKS.filter((name) => targets.has(name)).map((name) => `${program} ${name}`);
}

/** Tests say more than type checks, and these more than a build. */
function rank(command: string): number {
  return Math.max(
    0,
    CHECKS.findIndex((name) => new RegExp(`\\b${name}\\b`).test(command)),
  );
}

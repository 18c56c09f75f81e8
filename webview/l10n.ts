import * as z from "zod/mini";
import { english } from "../src/base/localize.ts";
import { visibleFacts } from "../src/base/text/visibleText.ts";

// Unit tests import this file without a page and without DOM types.
declare const document:
  | { getElementById(id: string): { readonly textContent: string | null } | null }
  | undefined;

const table = readTable();

/**
 * Translates what the panel shows, by the JSON table in the page's element `#l10n`; English where
 * that has no entry. What it names, such as a path, is made visible.
 */
export const t = visibleFacts((message, facts) => english(table[message] ?? message, facts));

function readTable(): Readonly<Record<string, string>> {
  const text =
    typeof document === "undefined" ? null : document.getElementById("l10n")?.textContent;
  const parsed = z.record(z.string(), z.string()).safeParse(JSON.parse(text || "{}"));
  return parsed.success ? parsed.data : {};
}

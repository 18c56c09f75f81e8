import { strict as assert } from "node:assert";
import { setFlagsFromString } from "node:v8";
import type { SyntaxDocument } from "../../../src/syntax/syntax.ts";
import { syntaxLogger as logger, testSyntax } from "../../fakes/editor/testSyntax.ts";

// To optimize the grammars' code takes longer than these tests.
if (!process.env.GRAFT_LONG) setFlagsFromString("--liftoff-only");

/** Opens a text with the real grammars; fails with the logged reason where that gives null. */
export async function openDocument(language: string, text: string): Promise<SyntaxDocument> {
  const document = await testSyntax.open(language, text);
  assert.ok(document, [...logger.warnings, ...logger.errors].at(-1) ?? "no document");
  return document;
}

/**
 * {@link openDocument} of a monstrous text; null where Graft does not read it because it is nested
 * too deeply.
 */
export async function openMonster(language: string, text: string): Promise<SyntaxDocument | null> {
  const document = await testSyntax.open(language, text);
  if (!document) assert.match(logger.warnings.at(-1) ?? "", /nested too deeply/);
  return document;
}

import { strict as assert } from "node:assert";
import { setFlagsFromString } from "node:v8";
import { createSyntax } from "../../../src/syntax/createSyntax.ts";
import type { SyntaxDocument } from "../../../src/syntax/syntax.ts";
import { nodeGrammarSource } from "../../fakes/editor/nodeGrammarSource.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";

// To optimize the grammars' code takes longer than these tests.
if (!process.env.GRAFT_LONG) setFlagsFromString("--liftoff-only");

const logger = new RecordingLogger();
const syntax = createSyntax(nodeGrammarSource(), logger);

/** Opens a text with the real grammars; fails with the logged reason where that gives null. */
export async function openDocument(language: string, text: string): Promise<SyntaxDocument> {
  const document = await syntax.open(language, text);
  assert.ok(document, [...logger.warnings, ...logger.errors].at(-1) ?? "no document");
  return document;
}

/**
 * {@link openDocument} of a monstrous text; null where Graft does not read it because it is nested
 * too deeply.
 */
export async function openMonster(language: string, text: string): Promise<SyntaxDocument | null> {
  const document = await syntax.open(language, text);
  if (!document) assert.match(logger.warnings.at(-1) ?? "", /nested too deeply/);
  return document;
}

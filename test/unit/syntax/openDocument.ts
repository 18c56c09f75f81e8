import { strict as assert } from "node:assert";
import { createSyntax } from "../../../src/syntax/createSyntax.ts";
import type { SyntaxDocument } from "../../../src/syntax/syntax.ts";
import { nodeGrammarSource } from "../../fakes/editor/nodeGrammarSource.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";

const logger = new RecordingLogger();
// A slow machine must not turn a monstrous text into no document.
const syntax = createSyntax(nodeGrammarSource(), logger, 60_000);

/** Opens a text with the real grammars; fails with the logged reason where that gives null. */
export async function openDocument(language: string, text: string): Promise<SyntaxDocument> {
  const document = await syntax.open(language, text);
  assert.ok(document, [...logger.warnings, ...logger.errors].at(-1) ?? "no document");
  return document;
}

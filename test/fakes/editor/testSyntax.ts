import { createSyntax } from "../../../src/syntax/createSyntax.ts";
import { RecordingLogger } from "../recordingLogger.ts";
import { nodeGrammarSource } from "./nodeGrammarSource.ts";

/** What {@link testSyntax} logs. */
export const syntaxLogger = new RecordingLogger();

/** Every grammar there is, each loaded once in a process: that takes up to 200 ms. */
export const testSyntax = createSyntax(nodeGrammarSource(), syntaxLogger);

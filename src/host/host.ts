import * as vscode from "vscode";
import { DisposableStack } from "../base/disposable.ts";
import type { Environment } from "../model/connections/environmentConnections.ts";
import type { NodeProgram } from "./guests/mcpDefinition.ts";
import type { Platform, PlatformAdapters } from "./platform.ts";
import { Configuration } from "./settings/configuration.ts";

/** The window that Graft runs in, for every room of the host. */
export interface Host {
  readonly context: vscode.ExtensionContext;
  readonly environment: Environment;
  readonly adapters: PlatformAdapters;
  /** How the machine runs a program of Node.js; null in the browser. */
  readonly node: NodeProgram | null;
  readonly configuration: Configuration;
  readonly logger: vscode.LogOutputChannel;
  /** Holds what ends with the window. */
  readonly stack: DisposableStack;
  /** Logs the failure of work that nobody waits for. */
  run(what: string, work: Promise<unknown>): void;
}

/** Loads the machine's adapters and reads the settings. */
export async function openHost(
  context: vscode.ExtensionContext,
  platform: Platform,
): Promise<Host> {
  const stack = new DisposableStack();
  const logger = stack.add(vscode.window.createOutputChannel("Graft", { log: true }));
  const adapters = await platform.adapters();
  const configuration = stack.add(new Configuration());
  return {
    context,
    environment: platform.environment,
    adapters,
    node: platform.agents?.node ?? null,
    configuration,
    logger,
    stack,
    run(what, work) {
      work.catch((error: unknown) => logger.error(`${what} failed: ${String(error)}`));
    },
  };
}

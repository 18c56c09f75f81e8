import * as vscode from "vscode";
import type { Localize } from "../base/localize.ts";

/** Translates what the user reads into the editor's display language. */
export const t: Localize = (message, facts = {}) => vscode.l10n.t(message, facts);

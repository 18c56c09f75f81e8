import * as vscode from "vscode";
import type { Localize } from "../base/localize.ts";

/** Translates user-facing text into the editor's display language. */
export const t: Localize = (message, facts = {}) => vscode.l10n.t(message, facts);

import * as vscode from "vscode";
import { extensionTools } from "../../tools/mcp/extensionTools.ts";
import type { Tool } from "../../tools/tool.ts";
import { tokenOf } from "../workspace/tokenOf.ts";

/** Graft's own tools, which its models have under other names. */
const OWN = /^graft_/;

/** The tools of other extensions that the user allowed, see {@link extensionTools}. */
export function languageModelTools(allowed: readonly string[]): readonly Tool[] {
  if (allowed.length === 0) return [];
  const offered = vscode.lm.tools.filter(({ name }) => !OWN.test(name));
  return extensionTools(offered, allowed, async (name, input, { signal }) => {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(name, options, tokenOf(signal));
    return content.map(resultPart);
  });
}

function resultPart(part: unknown): object {
  if (part instanceof vscode.LanguageModelTextPart) return { type: "text", text: part.value };
  const mime: unknown =
    typeof part === "object" && part !== null ? Reflect.get(part, "mimeType") : undefined;
  return { type: typeof mime === "string" ? mime : "unknown" };
}

import * as vscode from "vscode";
import { untilAborted } from "../../base/untilAborted.ts";
import type { McpSignIn } from "../../ports/mcp.ts";
import type { McpMemory } from "./serverConsent.ts";

/** The path of the extension's address to which the browser returns. */
const PATH = "/mcp-sign-in";
/** What each sign-in adds to the address, by which what comes back finds it. */
type Parameters = Readonly<Record<string, string>>;

const waiting = new Map<string, (back: Parameters) => void>();
let handler: vscode.Disposable | null = null;

/** Signs in by the user's browser and VS Code's own addresses; tokens are in its secret storage. */
export function browserSignIn(
  { secrets }: Pick<McpMemory, "secrets">,
  extensionId: string,
): McpSignIn {
  const keyOf = (url: string) => `graft.mcp.signIn:${url}`;
  return {
    load: async (url) => (await secrets.get(keyOf(url))) ?? null,
    save: async (url, kept) => secrets.store(keyOf(url), kept),
    async returnUrl() {
      const own = vscode.Uri.from({
        scheme: vscode.env.uriScheme,
        authority: extensionId,
        path: PATH,
      });
      return (await vscode.env.asExternalUri(own)).toString(true);
    },
    async open(page, state, signal) {
      handler ??= vscode.window.registerUriHandler({ handleUri: cameBack });
      const back = new Promise<Parameters>((resolve) => waiting.set(state, resolve));
      try {
        if (!(await vscode.env.openExternal(vscode.Uri.parse(page, true)))) return null;
        const returned = await untilAborted(back, signal);
        return returned.ok ? returned.value : null;
      } finally {
        waiting.delete(state);
        if (waiting.size === 0) {
          handler?.dispose();
          handler = null;
        }
      }
    },
  };
}

/** What nobody waits for is dropped: another window's, a late one, or one that somebody made up. */
function cameBack(uri: vscode.Uri): void {
  if (uri.path !== PATH) return;
  const back = Object.fromEntries(new URLSearchParams(uri.query));
  waiting.get(back.state ?? "")?.(back);
}

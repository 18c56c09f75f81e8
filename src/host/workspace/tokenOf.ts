import * as vscode from "vscode";

/** A token that is canceled when `signal` aborts or if it already has. */
export function tokenOf(signal: AbortSignal): vscode.CancellationToken {
  const source = new vscode.CancellationTokenSource();
  if (signal.aborted) source.cancel();
  else signal.addEventListener("abort", () => source.cancel(), { once: true });
  return source.token;
}

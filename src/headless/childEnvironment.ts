/** Set by the editor for its own processes: a program started with them would behave as a part of the editor. */
const EDITOR = /^(VSCODE_|ELECTRON_)/;
const SECRETS = new Set(["OPENAI_API_KEY"]);

/** This process's environment for a command: without the key Graft may use and without what belongs to the editor, and set so that nothing pages or asks. */
export function childEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !EDITOR.test(name) && !SECRETS.has(name));
  return { ...Object.fromEntries(kept), PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", TERM: "dumb" };
}

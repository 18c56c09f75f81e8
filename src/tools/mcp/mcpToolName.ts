/** The longest name that every provider takes. */
const MAX_LENGTH = 64;

/** The name of a server's tool as the model knows it, `mcp__server__tool`: letters, digits, `_` and `-`, and none of `taken`. */
export function mcpToolName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const whole = `mcp__${plain(server)}__${plain(tool)}`;
  for (let count = 1; ; count++) {
    const end = count === 1 ? "" : `_${count}`;
    const name = whole.slice(0, MAX_LENGTH - end.length) + end;
    if (!taken.has(name)) return name;
  }
}

function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, "_");
}

/** An edit block to write: `3:9`, `ast-path:area`, with `:before` and the like after it where wanted. */
export interface EditBlock {
  readonly address: string;
  /** Without a line end after the last line; "" for an empty body. */
  readonly body: string;
}

/** The block as fenced text. The fence is longer than any in the body, so that the body cannot close it. */
export function editBlock(language: string, { address, body }: EditBlock): string {
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}:${address}\n${body === "" ? "" : `${body}\n`}${fence}`;
}

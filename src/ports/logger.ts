/** The extension's log. Messages never hold keys, prompts or file contents. */
export interface Logger {
  warn(message: string): void;
  error(message: string): void;
}

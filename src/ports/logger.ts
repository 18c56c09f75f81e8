/** The extension's log. Messages must not contain keys, prompts or file contents. */
export interface Logger {
  warn(message: string): void;
  error(message: string): void;
}

import { err, ok, type Result } from "../base/result.ts";

/** The value that the argument text of a tool call stands for; nothing at all means no arguments. The error is a sentence for the model. */
export function parseArguments(argsText: string): Result<unknown, string> {
  if (argsText.trim() === "") return ok({});
  try {
    const value: unknown = JSON.parse(argsText);
    // Some models encode the object twice.
    return ok(typeof value === "string" && value.trimStart().startsWith("{") ? JSON.parse(value) : value);
  } catch (reason) {
    return err(`The arguments are not valid JSON (${reason instanceof Error ? reason.message : String(reason)}).`);
  }
}

import { err, ok, type Result } from "../base/result.ts";

/** Parses the arguments of a tool call. The error is a sentence for the model. */
export function parseArguments(argsText: string): Result<unknown, string> {
  try {
    const value: unknown = JSON.parse(argsText);
    // Some models encode the object twice.
    return ok(typeof value === "string" && value.trimStart().startsWith("{") ? JSON.parse(value) : value);
  } catch (reason) {
    return err(`The arguments are not valid JSON (${reason instanceof Error ? reason.message : String(reason)}).`);
  }
}
